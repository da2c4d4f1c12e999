"""The dialog with what is known of a run: times, models and tokens, how it ended, and what was odd."""

from typing import Any, Final

import reflex as rx

from chat_app.services.run_details import Oddity, Used
from chat_app.state.run_details import RunDetails
from chat_app.ui import browser
from chat_app.ui.parts.base import icon_button
from chat_app.ui.words import match, t

NAME: Final = "run"
RUN: Any = RunDetails  # Reflex turns its fields into vars and its handlers into events
STATUSES: Final = ("running", "success", "interrupted", "cancelled", "failed")


def show_last() -> rx.Component:
    """Draw the button that tells of the last run."""
    return icon_button(
        "history",
        t("run.show"),
        on_click=show_last_run(),
        class_name="not-phone run-button",
    )


def show_last_run() -> list[Any]:
    """Return what tells of the last run: the dialog opens, and is filled in."""
    return [browser.show_dialog(NAME), RUN.show_run("")]


@rx.memo
def run_dialog() -> rx.Component:
    """Draw the dialog; a component of its own, so that it draws nothing else again."""
    return browser.Dialog.create(
        rx.el.div(rx.el.h2(t("run.title")), class_name="dialog-h"),
        rx.el.div(_facts(), _used(), _oddities(), class_name="dialog-b"),
        browser.Following.create(on_turn=RUN.show_run(RUN.details.run)),
        rx.el.div(
            rx.el.button(t("run.close"), type="button", class_name="btn", on_click=browser.hide_dialog()),
            class_name="dialog-f",
        ),
        name=NAME,
        label=t("run.title"),
    )


def _facts() -> rx.Component:
    run = RUN.details
    rows = (
        _fact("run.status", match(run.status, "run", STATUSES, "run.running")),
        _fact("run.started", browser.exact(run.started)),
        rx.cond(run.ended != "", _fact("run.took", browser.lasted(run.started, run.ended))),
        rx.cond(run.code != "", _fact("run.code", rx.el.code(run.code))),
        rx.cond(run.message != "", _fact("run.message", rx.el.span(run.message, dir="auto"))),
        _fact("run.id", rx.el.bdi(run.wire_run, class_name="mono wrapped")),
    )
    return rx.el.dl(*rows, class_name="kv")


def _fact(name: str, value: rx.Component | rx.Var[str]) -> rx.Component:
    return rx.fragment(rx.el.dt(t(name)), rx.el.dd(value))


def _used() -> rx.Component:
    heads = ("run.model", "run.tokens_in", "run.tokens_out", "run.reasoning", "run.cached")
    table = rx.el.div(
        rx.el.table(
            rx.el.caption(t("run.usage"), class_name="sr"),
            rx.el.thead(rx.el.tr(*[rx.el.th(t(head), scope="col") for head in heads])),
            rx.el.tbody(rx.foreach(RUN.details.used, _spent)),
        ),
        class_name="tablebox",
        tab_index=0,
        role="group",
        aria_label=t("run.usage"),
    )
    none = rx.el.p(t("run.no_usage"), class_name="muted")
    return rx.cond(RUN.details.used.length() > 0, table, none)


def _spent(used: rx.Var[Used]) -> rx.Component:
    model = rx.cond(used.model != "", used.model, t("run.unnamed"))
    counts = (used.tokens_in, used.tokens_out, used.reasoning, used.cached)
    return rx.el.tr(
        rx.el.td(
            rx.el.bdi(model),
            rx.cond(used.provider != "", rx.fragment(" ", rx.el.bdi(used.provider, class_name="raw"))),
        ),
        *[
            rx.el.td(rx.cond(count < 0, t("run.unknown"), count.to(str)), class_name="num")
            for count in counts
        ],
    )


def _oddities() -> rx.Component:
    def odd(oddity: rx.Var[Oddity]) -> rx.Component:
        return rx.el.li(rx.el.code(oddity.code), ": ", oddity.count.to(str), key=oddity.code)

    return rx.cond(
        RUN.details.oddities.length() > 0,
        rx.el.div(
            rx.el.h3(t("run.odd"), class_name="lanehead"),
            rx.el.p(t("run.odd.detail"), class_name="hint"),
            rx.el.ul(rx.foreach(RUN.details.oddities, odd)),
        ),
    )
