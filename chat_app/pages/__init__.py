"""Routes of the page: path, title, what happens on load. Nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import reflex as rx

from chat_app.pages.approvals import approvals
from chat_app.pages.chat import chat, nowhere
from chat_app.state.chat import Chat
from chat_app.ui.words import APP


@dataclass(frozen=True, slots=True)
class Page:
    """One route: what it shows and its title before the browser knows a better one."""

    route: str
    component: Callable[[], rx.Component]
    title: str


PAGES: Final = (
    Page("/", chat, APP),
    Page("/t/[thread]", chat, APP),
    Page("/approvals", approvals, APP),
)
NOWHERE: Final = "404"
"""Reflex shows this page for every address that has none."""


def add_pages(app: rx.App) -> None:
    """Give `app` its pages; each loads the thread its address names."""
    for page in PAGES:
        app.add_page(page.component, route=page.route, title=page.title, on_load=[Chat.load, Chat.take_files])
    app.add_page(nowhere, route=NOWHERE, title=APP)
