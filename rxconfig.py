"""What Reflex reads when it builds and serves the page."""

import reflex as rx

config = rx.Config(
    app_name="chat_app",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    # The page holds only what a click changed; the database holds the rest, so nothing is lost with the process.
    state_manager_mode="memory",
    plugins=[],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
