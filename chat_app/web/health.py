"""`/healthz`: whether this process serves and its database answers. `/readyz`: the same, with details."""

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


async def readyz(request: Request) -> JSONResponse:
    """Return 200 when requests may come, else 503: database, migrations, shutdown; agents are a detail."""
    del request
    services = current()
    found = await services.health.readiness()
    trouble = "This process is going down." if services.supervisor.is_closing() else found.trouble
    body = {
        "status": "unavailable" if trouble else "ready",
        "detail": trouble,
        "migration": found.revision,
        "agents": {name: "reachable" if up else "unreachable" for name, up in found.agents.items()},
    }
    return JSONResponse(body, status_code=503 if trouble else 200)


ROUTES = (Route("/healthz", healthz), Route("/readyz", readyz))
