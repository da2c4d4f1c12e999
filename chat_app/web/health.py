"""`/healthz`: whether this process serves and its database answers."""

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from chat_app.services.holder import current


async def healthz(request: Request) -> JSONResponse:
    """Return 200 `{"status": "ok"}`, or 503 with a sentence when the database does not answer."""
    del request
    trouble = await current().health.trouble()
    if trouble:
        return JSONResponse({"status": "unavailable", "detail": trouble}, status_code=503)
    return JSONResponse({"status": "ok"})


ROUTE = Route("/healthz", healthz)
