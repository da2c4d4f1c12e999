"""The embedded agent and the awkward one as an app that a web server can be given by name."""

import logging
import os
import uuid
from datetime import UTC, datetime

from starlette.applications import Starlette
from starlette.routing import Mount

from chat_app.agent.awkward import build_awkward
from chat_app.agent.gateway import AgentOptions, agent_routes, build_agent
from tests.support.agent_harness import TOKEN

logging.basicConfig(level=logging.INFO)

app = Starlette(
    routes=[
        *agent_routes(
            "/agent",
            build_agent(
                TOKEN,
                now=lambda: datetime.now(UTC),
                new_id=lambda: uuid.uuid4().hex,
                options=AgentOptions(
                    pace=float(os.environ.get("AGENT_PACE", "1")),
                    permissions="live" if os.environ.get("AGENT_LIVE") else "interrupt",
                ),
            ),
        ),
        Mount("/awkward", build_awkward()),
    ]
)
