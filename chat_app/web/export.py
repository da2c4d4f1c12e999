"""`/api/threads/{id}/export/{kind}`: a thread as a file, for those who may read it."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from chat_app.services.exports import KINDS
from chat_app.services.holder import current
from chat_app.services.policy import Refused
from chat_app.web.guard import person_of

NOWHERE = "There is no such thread here."


async def export(request: Request) -> Response:
    """Return the file; an unknown kind, an unknown thread and one of somebody else are answered alike."""
    person = person_of(request.scope)
    kind = next((each for each in KINDS if each == request.path_params["kind"]), None)
    if person is None or kind is None:
        return PlainTextResponse(NOWHERE, status_code=404)
    try:
        file = await current().exports.file(person, request.path_params["thread"], kind)
    except Refused:
        return PlainTextResponse(NOWHERE, status_code=404)
    headers = {"content-disposition": f'attachment; filename="{file.name}"', "cache-control": "no-store"}
    return Response(file.text, media_type=file.media, headers=headers)


ROUTE = Route("/api/threads/{thread}/export/{kind}", export, methods=["GET"])
