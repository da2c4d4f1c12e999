"""Builds the embedded agent from the settings."""

from starlette.routing import BaseRoute, Mount

from chat_app.agent.awkward import build_awkward
from chat_app.agent.budget import Budget
from chat_app.agent.embedded import AgentPlan, EmbeddedAgent, ModelPlan, build_embedded, task_board
from chat_app.agent.gateway import agent_routes
from chat_app.agent.links import HttpLink, Link, StdioLink, UnusableServers
from chat_app.agent.models.providers import UnusableModel
from chat_app.data import engines
from chat_app.data.ids import new_id
from chat_app.settings import Settings, SettingsError, ToolServer
from chat_app.wiring.plans import now, revealed

AGENT_WAIT_S = 5.0
"""How long the embedded agent waits for its turn to write."""


def embedded_agent(settings: Settings) -> EmbeddedAgent:
    """Return the agent in the box: with the model that is configured, else with its scripted demos.

    It reaches the database by an engine of its own, as any other program would.

    Raises:
        SettingsError: its models or its tool servers cannot be used; the message says why and what to do.
    """
    engine = engines.build(engines.parse(settings.database_url.get_secret_value()), wait_s=AGENT_WAIT_S)
    plan = AgentPlan(
        token=settings.agent_token.get_secret_value(),
        engine=engine,
        now=now,
        new_id=new_id,
        model=_model(settings) if settings.model else None,
        pace=1.0 if settings.agent_pace is None else settings.agent_pace,
    )
    try:
        return build_embedded(plan)
    except (UnusableModel, UnusableServers) as unusable:
        engine.dispose()
        raise SettingsError(str(unusable)) from unusable


def agent_mounts(settings: Settings, agent: EmbeddedAgent) -> list[BaseRoute]:
    """Return the routes of the embedded agent at `/agent`, and when asked for, of the awkward one of the tests."""
    awkward = [Mount("/awkward", build_awkward())] if settings.awkward_agent else []
    return [*agent_routes("/agent", agent.app), *awkward]


def _model(settings: Settings) -> ModelPlan:
    budget = Budget(
        max_steps=settings.turn_steps, max_tokens=settings.turn_tokens, seconds=settings.turn_seconds
    )
    return ModelPlan(
        name=settings.model,
        others=settings.models,
        key=settings.model_key.get_secret_value(),
        budget=budget,
        system=settings.agent_instructions,
        tools=settings.agent_tools,
        asks=settings.agent_asks,
        links=_links(settings),
    )


def _links(settings: Settings) -> list[Link]:
    """Return where the tool servers are; the task board keeps its boards in a file of its own."""
    limit = settings.tool_timeout
    board = task_board(f"sqlite:///{settings.data_dir / 'tasks.db'}", timeout=limit)
    named = [_link(name, server, limit) for name, server in settings.tool_servers.items()]
    return [*([board] if settings.task_board else []), *named]


def _link(name: str, server: ToolServer, limit: float) -> Link:
    if server.url:
        return HttpLink(name=name, url=server.url, headers=revealed(server.headers), timeout=limit)
    return StdioLink(
        name=name,
        command=server.command,
        arguments=server.args,
        environment=revealed(server.env),
        timeout=limit,
    )
