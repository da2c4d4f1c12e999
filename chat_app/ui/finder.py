"""The search over threads and messages: what was found, and where it leads."""

from typing import Final

import reflex as rx

from chat_app.services.folding import Piece
from chat_app.services.search import Hit
from chat_app.state.side import Side
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t

SYMBOLS: Final = {"thread": "message-square", "tool": "wrench"}


def finder() -> rx.Component:
    """Draw the search dialog."""
    return browser.Finder.create(
        rx.cond(Side.hits.length() > 0, _hits(), rx.cond(Side.query == "", _start(), _none())),
        _foot(),
        label=t("search.label"),
        placeholder=t("search.field"),
        found=Side.searched.to_string(),
        on_find=Side.find,
    )


def _hits() -> rx.Component:
    return rx.el.div(
        rx.foreach(Side.hits, _hit),
        id="hits",
        class_name="hits",
        role="listbox",
        aria_label=t("search.results"),
    )


def _hit(hit: rx.Var[Hit]) -> rx.Component:
    place = rx.cond(hit.position >= 0, "?at=" + hit.position.to_string(), "").to(str)
    return browser.Link.create(
        icon(choose(hit.kind, SYMBOLS, "file-text")),
        rx.el.span(hit.title, class_name="cut", dir="auto"),
        rx.el.time(browser.ago(hit.at), class_name="faint", date_time=hit.at, title=browser.exact(hit.at)),
        rx.el.p(rx.foreach(hit.pieces, _piece), dir="auto"),
        to=rx.Var.create("/t/") + hit.thread + place,
        class_name="hit",
        key=hit.thread + hit.key,
        custom_attrs={"role": "option", "data-key": hit.key, "tabIndex": -1},
    )


def _piece(piece: rx.Var[Piece]) -> rx.Component:
    return rx.cond(piece.hit, rx.el.mark(piece.text), piece.text)


def _start() -> rx.Component:
    return rx.el.p(t("search.start"), class_name="finder-note muted")


def _none() -> rx.Component:
    return rx.el.p(t("search.none", query=Side.query), class_name="finder-note muted", role="status")


def _foot() -> rx.Component:
    keys = (
        rx.el.span(rx.el.kbd("↑"), " ", rx.el.kbd("↓"), " ", t("search.choose"), class_name="key"),
        rx.el.span(rx.el.kbd("↵"), " ", t("search.open"), class_name="key"),
        rx.el.span(rx.el.kbd("Ctrl ↵"), " ", t("search.tab"), class_name="key"),
    )
    count = rx.el.span(t("search.count", count=Side.hits.length()), role="status")
    return rx.el.div(
        *keys, rx.el.span(class_name="grow"), rx.cond(Side.query != "", count), class_name="finder-f"
    )
