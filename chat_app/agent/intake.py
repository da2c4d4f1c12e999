"""Reads a run request and refuses what cannot be one, in words a person can act on."""

from typing import Annotated, Final, TypeVar

from ag_ui.core import ResumeEntry, RunAgentInput
from pydantic import BaseModel, ConfigDict, Strict, ValidationError
from pydantic.alias_generators import to_camel
from starlette.exceptions import HTTPException
from starlette.requests import Request

from chat_app.agent.runner import SwapPolicy
from chat_app.agent.sse import CONTENT_TYPE

BODY_LIMIT: Final = 32 * 2**20

_Model = TypeVar("_Model", bound=BaseModel)


class InvalidInput(Exception):  # noqa: N818 - it is named for what was found
    """The body is not a run input; the details say where and why, one record each."""

    def __init__(self, details: list[dict[str, object]]) -> None:
        super().__init__(f"{len(details)} problems in the run input")
        self.details = details


class ModelChange(BaseModel):
    """Another model for the turn of a thread that is under way."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")

    thread_id: str
    model: str
    # what JSON can hold of an enum is its value, which a strict model does not take for it
    policy: Annotated[SwapPolicy, Strict(strict=False)] = SwapPolicy.FINISH_ON_OLD


class Decision(BaseModel):
    """An answer to a question of a run that is under way: a resume entry, and the thread it is for."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")

    thread_id: str
    entry: ResumeEntry


async def read_run_input(request: Request) -> RunAgentInput:
    """Read and validate the request.

    Raises:
        HTTPException: 415, 406 or 413, with a sentence.
        InvalidInput: The body is no JSON or does not have the shape of a run input.
    """
    check_media_type(request.headers.get("content-type", ""))
    check_accept(request.headers.get("accept", "*/*"))
    return parse_run_input(await _read_body(request))


async def read_decision(request: Request) -> Decision:
    """Read and validate an answer given while a run goes on.

    Raises:
        HTTPException: 415 or 413, with a sentence.
        InvalidInput: The body is no JSON or no such answer.
    """
    check_media_type(request.headers.get("content-type", ""))
    return _parse(Decision, await _read_body(request))


async def read_model_change(request: Request) -> ModelChange:
    """Read and validate a wish for another model.

    Raises:
        HTTPException: 415 or 413, with a sentence.
        InvalidInput: The body is no JSON or no such wish.
    """
    check_media_type(request.headers.get("content-type", ""))
    return _parse(ModelChange, await _read_body(request))


def parse_run_input(body: bytes) -> RunAgentInput:
    """Validate a body against the wire's own spelling and types, without coercing anything.

    Raises:
        InvalidInput: It does not fit.
    """
    return _parse(RunAgentInput, body)


def _parse(model: type[_Model], body: bytes) -> _Model:
    try:
        return model.model_validate_json(body, strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        raise InvalidInput([_detail(one["type"], one["loc"], one["msg"]) for one in found]) from error


def check_media_type(content_type: str) -> None:
    """Refuse a body that is not announced as JSON."""
    if _essence(content_type) != "application/json":
        announced = content_type or "nothing"
        raise HTTPException(415, f"Send the run input as application/json; this request says {announced}.")


def check_accept(accept: str) -> None:
    """Refuse a client that does not take an event stream. The most specific range decides, as HTTP says."""
    ranges = {_essence(part): _quality(part) for part in accept.split(",") if part.strip()}
    for candidate in (CONTENT_TYPE, "text/*", "*/*"):
        if candidate in ranges:
            if ranges[candidate] > 0:
                return
            break
    raise HTTPException(406, f"This agent answers with {CONTENT_TYPE} only; the request accepts {accept}.")


def _essence(media: str) -> str:
    return media.partition(";")[0].strip().lower()


def _quality(media_range: str) -> float:
    for parameter in media_range.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            return _number(value)
    return 1.0


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0


async def _read_body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_LIMIT:
            raise HTTPException(413, f"The run input is larger than {BODY_LIMIT // 2**20} MiB.")
    return bytes(body)


def _detail(kind: str, place: tuple[int | str, ...], message: str) -> dict[str, object]:
    return {"type": kind, "loc": ["body", *place], "msg": message}
