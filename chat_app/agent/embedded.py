"""Puts the embedded agent together from what is configured: a mind, its memory, and the endpoint before them."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import sqlalchemy as sa
from starlette.applications import Starlette

from chat_app.agent.budget import Budget
from chat_app.agent.capabilities import with_model
from chat_app.agent.gateway import AgentOptions, build_agent
from chat_app.agent.grants import Grant
from chat_app.agent.links import Link, ManagedServer, StdioLink, connect
from chat_app.agent.model_mind import ModelMind
from chat_app.agent.models.interface import ModelClient
from chat_app.agent.models.providers import UnusableModel, dial, read_name, same_provider
from chat_app.agent.models.routed import RoutedModels
from chat_app.agent.opening import DEFAULT_SYSTEM
from chat_app.agent.sql_memory import SqlMemory
from chat_app.agent.store import TurnStore
from chat_app.agent.switchboard import Switchboard

BOARD: Final = "tasks"
"""What the task board is called, and where it shows its tasks in the shared state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlan:
    """The model and what it may do.

    Attributes:
        name: As ``providers`` reads it.
        others: Models a person may choose instead, named alike.
        key: The provider's, also for others of it; empty: its library looks in its own variable.
        system: Says who the model is; empty: the agent's own words.
        tools: Patterns of what it may call; empty: everything.
        asks: Patterns of tools a person decides on.
        links: The tool servers.
    """

    name: str
    budget: Budget
    others: tuple[str, ...] = ()
    key: str = ""
    system: str = ""
    tools: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    links: Sequence[Link] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPlan:
    """What is configured.

    Attributes:
        engine: Reaches the agent's own tables.
        model: None for the scripted demo.
        pace: Scales every pause of the demo.
        permissions: Whether a question ends the run or is decided while it goes on, as ``AgentOptions`` says.
    """

    token: str
    engine: sa.Engine
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    model: ModelPlan | None = None
    pace: float = 1.0
    permissions: Literal["interrupt", "live"] = "interrupt"


@dataclass(frozen=True, slots=True)
class EmbeddedAgent:
    """The agent as an app, and the connections it holds."""

    app: Starlette
    servers: tuple[ManagedServer, ...] = ()
    client: ModelClient | None = None

    async def aclose(self) -> None:
        """Let go of the tool servers, of which those started here end, and of the model."""
        for server in self.servers:
            await server.aclose()
        if self.client is not None:
            await self.client.aclose()


def build_embedded(plan: AgentPlan) -> EmbeddedAgent:
    """Build the agent. Nobody is contacted before the first turn.

    Raises:
        UnusableModel: the model cannot be used.
        UnusableServers: the tool servers cannot be used.
        ValueError: the token is empty.
    """
    memory = SqlMemory(plan.engine, now=plan.now)
    if plan.model is None:
        return EmbeddedAgent(
            _app(plan, AgentOptions(memory=memory, pace=plan.pace, permissions=plan.permissions))
        )
    client, servers = _models(plan.model), connect(plan.model.links)
    mind = _model_mind(plan, plan.model, client, servers)
    options = AgentOptions(
        mind=mind,
        memory=memory,
        capabilities=with_model(mind.model, client.names),
        switchboard=mind.switchboard,
        permissions=plan.permissions,
    )
    return EmbeddedAgent(_app(plan, options), servers, client)


def _models(plan: ModelPlan) -> RoutedModels:
    """Make a client for each model, by the names people choose them by.

    Raises:
        UnusableModel: one of them cannot be used, or two have one name.
    """
    clients: dict[str, ModelClient] = {}
    for full in (plan.name, *plan.others):
        _scheme, name, _url = read_name(full)
        if name in clients:
            raise UnusableModel(f"Two models are called {name}; people could not tell them apart.")
        clients[name] = dial(full, key=plan.key if same_provider(full, plan.name) else "")
    return RoutedModels(clients)


def task_board(store: str, *, timeout: float) -> Link:
    """Say how the task board is started, with its boards in the store at a URL."""
    arguments = ("-m", "chat_app.agent.task_board", store)
    return StdioLink(name=BOARD, command=sys.executable, arguments=arguments, timeout=timeout)


def _app(plan: AgentPlan, options: AgentOptions) -> Starlette:
    return build_agent(plan.token, now=plan.now, new_id=plan.new_id, options=options)


def _model_mind(
    plan: AgentPlan, model: ModelPlan, client: RoutedModels, servers: Sequence[ManagedServer]
) -> ModelMind:
    _scheme, name, _url = read_name(model.name)
    return ModelMind(
        client=client,
        model=name,
        switchboard=Switchboard(client.names),
        servers=servers,
        store=TurnStore(plan.engine, now=plan.now),
        budget=model.budget,
        system=model.system or DEFAULT_SYSTEM,
        grants=(Grant(model.tools),) if model.tools else (),
        asks=Grant(model.asks),
    )
