"""What Reflex reads when it builds and serves the page."""

import os

import reflex as rx

config = rx.Config(
    app_name="chat_app",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    # The page holds only what a click changed; the database holds the rest, so nothing is lost with the process.
    # Several processes keep that little in Redis, so that any of them can take a tab's next click.
    state_manager_mode="redis" if os.environ.get("REFLEX_REDIS_URL") else "memory",
    plugins=[],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
