"""`/api/files`: a file of a person comes in by its bytes alone, and goes out to those who may see it.

The guard has judged Host, Origin and session before. Only pictures that a browser draws safely are shown; everything
else is a download, under a policy in which nothing runs.
"""

from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from chat_app.services.content import OURS
from chat_app.services.holder import current
from chat_app.services.policy import Person, Refused
from chat_app.services.problems import WORDED, FileTooLarge, problem_of
from chat_app.services.sniffing import BINARY, SHOWN
from chat_app.web.guard import person_of

LONGEST_NAME = 2_000


async def upload(request: Request) -> Response:
    """Take a file in: its bytes are the body, its name the header `X-File-Name`, percent-encoded.

    `?thread=` names the thread it is for, or `?agent=` the agent of a new one: they take kinds of files or do not.
    Returns 201 with `{"id", "name", "type", "size", "kind"}`, else a status with `{"title", "detail"}`.
    """
    services, person = current(), person_of(request.scope)
    if person is None:
        return _refused(Refused())
    try:
        content = await _body(request, services.attachments.limit)
        told = request.query_params
        accepted = await services.choosing.accepted(
            person, thread=told.get("thread", ""), agent=told.get("agent", "")
        )
        name = unquote(request.headers.get("x-file-name", ""), errors="replace")[:LONGEST_NAME]
        found = await services.attachments.bring(person, name, content, accepted=accepted)
    except WORDED as error:
        return _refused(error)
    facts = {"id": found.id, "name": found.name, "type": found.type, "size": found.size, "kind": found.kind}
    return JSONResponse(facts, status_code=201)


async def file(request: Request) -> Response:
    """Give out a file, or take it back (`DELETE`) while it is not sent."""
    person, key = person_of(request.scope), str(request.path_params["id"])
    try:
        return await _forget(person, key) if request.method == "DELETE" else await _give(person, key)
    except WORDED as error:
        return _refused(error)


async def _give(person: Person | None, key: str) -> Response:
    record, content = await current().attachments.read(_known(person), key)
    shown = record.media_type in SHOWN
    headers = {
        "content-disposition": f"{'inline' if shown else 'attachment'}; filename*=UTF-8''{quote(record.name, safe='')}",
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "private, max-age=31536000, immutable",
    }
    return Response(content, media_type=record.media_type if shown else BINARY, headers=headers)


async def _forget(person: Person | None, key: str) -> Response:
    await current().attachments.forget(_known(person), key)
    return Response(status_code=204)


def _known(person: Person | None) -> Person:
    if person is None:
        raise Refused
    return person


async def _body(request: Request, limit: int) -> bytes:
    """Return the body; what is over the limit is read no further."""
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > limit:
            raise FileTooLarge(limit)
    return bytes(content)


def _refused(error: Exception) -> Response:
    problem = problem_of(error)
    status = 404 if isinstance(error, Refused) else 413 if isinstance(error, FileTooLarge) else 422
    told = {"title": problem.title, "detail": problem.detail, "facts": dict(problem.facts)}
    return JSONResponse(told, status_code=status)


ROUTES = (
    Route(OURS.rstrip("/"), upload, methods=["POST"]),
    Route(f"{OURS}{{id}}", file, methods=["GET", "DELETE"]),
)
