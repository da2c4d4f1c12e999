"""A surface an agent describes (A2UI), and the consent an agent asks for elsewhere."""

from dataclasses import dataclass, field

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t


@dataclass(frozen=True, slots=True)
class Consent:
    """Where a person may let an agent act for them; the server lets https addresses pass only."""

    url: str = ""
    host: str = ""
    title: str = ""
    scopes: list[str] = field(default_factory=list)


def surface(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw the surface with the page's own pieces."""
    return browser.Surface.create(row=row.key, part=part.key)


def consent(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw the link to the consent page, its host shown."""
    return consent_card(row=row.key, part=part.key)


@rx.memo
def consent_card(*, row: rx.Var[str], part: rx.Var[str]) -> rx.Component:
    """Draw the card; a component of its own, because it reads the text of the part."""
    asked = browser.json_of(row, part, Consent)
    scopes = rx.el.ul(
        rx.foreach(asked.scopes, lambda scope: rx.el.li(rx.el.bdi(scope), key=scope)), class_name="hint"
    )
    return rx.el.div(
        icon("external-link"),
        rx.el.div(
            rx.el.p(rx.el.b(t("consent.title"), " ", rx.el.bdi(asked.title))),
            rx.cond(asked.scopes, scopes),
            rx.el.p(t("consent.detail")),
        ),
        rx.el.a(
            t("consent.open", host=asked.host),
            href=asked.url,
            target="_blank",
            rel="noopener noreferrer nofollow",
            class_name="btn end",
        ),
        class_name="note note-wait consent",
    )
