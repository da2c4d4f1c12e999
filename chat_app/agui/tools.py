"""Frontend tools: what this side offers to agents, and how a call becomes an answer.

A tool either *runs* here or *asks* a person. Both are declared to the agent alike. A running tool has
an executor; the answer to an asking tool is whatever the person says, and comes in from outside.
Arguments are a model's guess in text form: they are validated before an executor sees them, and every
way this can go wrong is an answer the agent can react to, never an exception.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NoReturn, TypeAlias, TypeVar

from ag_ui.core import Tool
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from chat_app.agui.errors import ConfigError
from chat_app.agui.events import ToolMessage

ArgumentsT = TypeVar("ArgumentsT", bound=BaseModel)


class AnyArguments(BaseModel):
    """Arguments of a tool that takes any object."""

    model_config = ConfigDict(extra="allow")


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a call came from.

    >>> async def note(arguments: AnyArguments, context: ToolContext) -> str:
    ...     return f"noted on {context.thread_id}"
    >>> tool: FrontendTool = RunTool(name="note", description="Notes", arguments=AnyArguments, execute=note)
    >>> import asyncio
    >>> asyncio.run(execute(tool, "{}", ToolContext("t", "r", "c")))
    Answer(content='noted on t', error=None)
    """

    thread_id: str
    run_id: str
    call_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTool(Generic[ArgumentsT]):
    """A tool that is executed here.

    ``execute`` returns what the agent is told: text as it is, None as ``true``, anything else as JSON.
    With ``consent`` it is started by a person's word only. Without ``follow_up`` its answer waits for
    the next run instead of starting one.

    >>> class City(BaseModel):
    ...     name: str
    >>> async def weather(city, context):
    ...     return f"rain in {city.name}"
    >>> tool = RunTool(name="weather", description="Tells it", arguments=City, execute=weather)
    >>> declare(tool).parameters["required"]
    ['name']
    """

    name: str
    description: str
    arguments: type[ArgumentsT]
    execute: Callable[[ArgumentsT, ToolContext], Awaitable[JsonValue]]
    consent: bool = False
    follow_up: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTool:
    """A tool that a person answers: its call ends the exchange and waits like a question.

    With ``answer`` the person fills in a form of it, and the agent gets JSON that fits it; without, they
    write what they like. The agent is told neither: its schema is of the arguments.

    >>> declare(AskTool(name="ask_user", description="Asks", arguments=AnyArguments)).name
    'ask_user'
    """

    name: str
    description: str
    arguments: type[BaseModel]
    answer: type[BaseModel] | None = None


FrontendTool: TypeAlias = RunTool[BaseModel] | AskTool


def declare(tool: RunTool[ArgumentsT] | AskTool) -> Tool:
    """Return what the agent is told about ``tool``; its parameters are a JSON Schema."""
    parameters = tool.arguments.model_json_schema(by_alias=True)
    return Tool(name=tool.name, description=tool.description, parameters=parameters)


class ToolRegistry:
    """The frontend tools of a session, by name, in the order they are declared.

    Raises:
        ConfigError: Two tools share a name.
    """

    def __init__(self, tools: Iterable[FrontendTool] = ()) -> None:
        self._tools: dict[str, FrontendTool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise ConfigError(f"Two frontend tools are named {tool.name!r}.")
            self._tools[tool.name] = tool
        self.declarations = tuple(declare(tool) for tool in self._tools.values())

    def __iter__(self) -> Iterator[FrontendTool]:
        return iter(self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def starts_by_itself(self, name: str) -> RunTool[BaseModel] | None:
        """Return the tool when its calls are executed as they come, without anybody's word."""
        tool = self._tools.get(name)
        return tool if isinstance(tool, RunTool) and not tool.consent else None

    def starts_by_consent(self, name: str) -> RunTool[BaseModel] | None:
        """Return the tool when its calls are executed by a person's word only."""
        tool = self._tools.get(name)
        return tool if isinstance(tool, RunTool) and tool.consent else None

    def waits_for_a_person(self, name: str) -> bool:
        """Tell whether a call of this name waits for a person: an answer, or consent."""
        return isinstance(self._tools.get(name), AskTool) or self.starts_by_consent(name) is not None

    @property
    def asking(self) -> frozenset[str]:
        """The names of the tools whose calls wait for a person."""
        return frozenset(filter(self.waits_for_a_person, self._tools))

    def follows_up(self, name: str) -> bool:
        """Tell whether an answer of this tool starts the next run by itself."""
        tool = self._tools.get(name)
        return not isinstance(tool, RunTool) or tool.follow_up


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call is answered with; ``error`` is set when it did not work."""

    content: str
    error: str | None = None

    def message(self, message_id: str, call_id: str) -> ToolMessage:
        """Return the tool message that carries this answer."""
        return ToolMessage(
            id=message_id, role="tool", tool_call_id=call_id, content=self.content, error=self.error
        )


def failure(sentence: str) -> Answer:
    """Return the answer of a call that did not work; its text says so too, which is all some agents read."""
    return Answer(sentence, sentence)


async def execute(tool: RunTool[BaseModel], arguments: str, context: ToolContext) -> Answer:
    """Run one call and return its answer, whatever happens short of cancellation."""
    try:
        json.loads(arguments or "{}", parse_constant=_refuse_constant)
        given = tool.arguments.model_validate_json(arguments or "{}")
    except RecursionError:
        return failure("Tool execution failed: the arguments are nested too deep.")
    except json.JSONDecodeError as error:
        return failure(f"Tool execution failed: the arguments are not JSON ({error}).")
    except ValidationError as error:
        return failure(f"Tool execution failed: the arguments do not fit. {_complaints(error)}")
    try:
        return Answer(answer_text(await tool.execute(given, context)))
    except Exception as error:  # noqa: BLE001 - any failure of a tool is an answer to the agent (K37)
        return failure(f"Tool execution failed: {str(error) or type(error).__name__}")


def _refuse_constant(word: str) -> NoReturn:
    """Refuse NaN and the infinities, which pydantic would take for numbers."""
    raise json.JSONDecodeError(f"{word} is no number", word, 0)


def answer_text(result: JsonValue) -> str:
    """Return what an executor's result reads like in an answer."""
    if result is None:
        return "true"
    if isinstance(result, str):
        return result
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))


def _complaints(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, item['loc'])) or 'arguments'}: {item['msg']}" for item in found)
