"""What surrounds every page: style sheets, and what stands in the head of the document."""

from typing import Final

import reflex as rx

STYLESHEETS: Final = ("tokens.css", "parley.css", "app.css", "around.css")
TEXT_FONT: Final = "/fonts/atkinson-hyperlegible-next-latin-wght-normal.woff2"


def head() -> list[rx.Component]:
    """Return the elements of the head: viewport, sign, and the one font that is needed for the first text."""
    return [
        rx.el.meta(
            name="viewport", content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        ),
        rx.el.meta(name="color-scheme", content="light dark"),
        # these decide language, contrast and density before the first paint, so they may not come later; the first also
        # opens the socket
        rx.el.script(src="/early.js"),
        rx.el.script(src="/words.js"),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(
            rel="preload",
            href=TEXT_FONT,
            custom_attrs={"as": "font"},
            type="font/woff2",
            cross_origin="anonymous",
        ),
    ]
