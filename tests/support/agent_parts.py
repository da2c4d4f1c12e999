"""Stand-ins for what an agent loop is given: tool servers, a handler of its own tools, a clock, a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chat_app.agent.loop import AgentLoop, Around
from chat_app.agent.models.scripted import Reply, ScriptedModel
from chat_app.agent.opening import LoopInput
from chat_app.agent.self_tools import NoSelfTools
from chat_app.agent.servers import Observation, ResourceSpec, ServerFault, ToolSpec
from chat_app.agent.transcript import ToolCall


def specs(*names: str, asks: Sequence[str] = ()) -> list[ToolSpec]:
    return [ToolSpec(name=name, asks=name in asks) for name in names]


def call(key: str, name: str, arguments: str = "{}") -> ToolCall:
    return ToolCall(key, name, arguments)


@dataclass
class FakeServer:
    """A tool server in memory. An error in place of a list or a result is raised as the server's fault."""

    name: str = "s"
    tools: Sequence[ToolSpec] | ServerFault = ()
    results: Mapping[str, Any] = field(default_factory=dict)
    resources: Sequence[ResourceSpec] | ServerFault = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    revision: int = 0
    served: list[tuple[str, Mapping[str, Any], str]] = field(default_factory=list)

    async def list_tools(self):
        return _or_raise(self.tools)

    async def list_resources(self):
        return _or_raise(self.resources)

    async def call_tool(self, name, arguments, *, context):
        self.served.append((name, arguments, context.thread_id))
        result = _or_raise(self.results.get(name, "ok"))
        if callable(result):
            result = await result()
        return Observation(result) if isinstance(result, str) else result

    async def read_resource(self, uri, *, context):
        self.served.append((uri, {}, context.thread_id))
        if uri not in self.texts:
            raise ServerFault(f"{self.name} has no {uri}.")
        return self.texts[uri]


class OwnTools(NoSelfTools):
    """A handler that offers some tools and answers each the same way."""

    def __init__(self, *names: str, result: Any = None, texts: Mapping[str, str] | None = None) -> None:
        self._specs = specs(*names)
        self._result = Observation("own") if result is None else result
        self._texts = texts or {}
        self.has_resources = texts is not None
        self.done: list[Any] = []

    def tools(self):
        return self._specs

    async def call(self, doing):
        self.done.append(doing)
        return _or_raise(self._result)

    async def read(self, uri):
        text = self._texts.get(uri)
        if text == "broken":
            raise ServerFault("The resource is broken.")
        return text


class Reports(list):
    """Collects what a loop reports."""

    async def __call__(self, event) -> None:
        self.append(event)

    def of(self, kind: type) -> list[Any]:
        return [event for event in self if isinstance(event, kind)]

    @property
    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self]


class Ticker:
    """A clock in seconds that a test turns by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def loop_of(
    *servers: FakeServer, handler: Any = None, around: Around | None = None, **given: Any
) -> AgentLoop:
    fields = {"instruction": "go", "system": "You are a test.", "model": "m"} | given
    return await AgentLoop.prepare(servers, LoopInput(**fields), handler, around=around)


def script(*replies: Reply | str) -> ScriptedModel:
    return ScriptedModel([Reply(text=reply) if isinstance(reply, str) else reply for reply in replies])


def _or_raise(value: Any) -> Any:
    if isinstance(value, Exception):
        raise value
    return value
