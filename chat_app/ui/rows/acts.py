"""What can be done with an answer: copy it, have it given again, judge it, see what it took."""

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui import browser
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.rows.ways import TURNS
from chat_app.ui.words import t


def acts(row: rx.Var[Row]) -> rx.Component:
    """Draw the acts of the turn that ends with `row`, and under them the one pane that is open."""
    end = browser.turn_end(row.key)
    drawn = rx.fragment(
        rx.el.div(
            browser.CopyTurn.create(row=row.key, label=t("turn.copy")),
            rx.cond(end.last, _again(row, end)),
            _verdict(row, "good", "thumbs-up"),
            _verdict(row, "bad", "thumbs-down"),
            rx.cond(row.verdict != "", _comment(row)),
            browser.Opener.create(
                icon("ellipsis"), name="details", label=t("turn.details"), on_open=TURNS.look(row.run)
            ),
            class_name="acts",
        ),
        browser.Pane.create(_warning(row, end), name="again", class_name="note note-wait"),
        browser.Pane.create(_commenting(row), name="comment"),
        browser.Pane.create(_details(row), name="details", class_name="receipt"),
    )
    # while the agent waits for a decision, its turn is not over either
    under_way = end.last & (browser.run.status != "idle")
    return rx.cond(end & ~under_way, drawn)


def _again(row: rx.Var[Row], end: rx.Var[browser.TurnEnd]) -> rx.Component:
    once = icon_button("refresh-cw", t("turn.again"), on_click=TURNS.regenerate(row.key))
    asks = browser.Opener.create(icon("refresh-cw"), name="again", label=t("turn.again.tools"))
    return rx.cond(end.calls > 0, asks, once)


def _warning(row: rx.Var[Row], end: rx.Var[browser.TurnEnd]) -> rx.Component:
    return rx.fragment(
        icon("triangle-alert"),
        rx.el.div(
            rx.el.p(rx.el.b(t("turn.warn", count=end.calls))),
            rx.el.p(t("turn.warn.detail")),
        ),
        rx.el.div(
            browser.Closer.create(
                t("turn.again"), class_name="btn btn-sm btn-solid", on_click=TURNS.regenerate(row.key)
            ),
            browser.Closer.create(t("turn.cancel"), class_name="btn btn-sm"),
            class_name="row",
        ),
    )


def _verdict(row: rx.Var[Row], verdict: str, look: str) -> rx.Component:
    held = row.verdict == verdict
    return icon_button(
        look,
        t(f"turn.{verdict}"),
        aria_pressed=rx.cond(held, "true", "false"),
        on_click=TURNS.rate(row.key, rx.cond(held, "", verdict).to(str), row.comment),
    )


def _comment(row: rx.Var[Row]) -> rx.Component:
    return browser.Opener.create(
        rx.el.span(rx.cond(row.comment != "", row.comment, t("turn.comment")), class_name="cut", dir="auto"),
        name="comment",
        label=rx.cond(row.comment != "", t("turn.comment.change"), t("turn.comment")).to(str),
        class_name="btn btn-quiet btn-sm said-why",
    )


def _commenting(row: rx.Var[Row]) -> rx.Component:
    return browser.Writing.create(
        label=t("turn.why"),
        initial=row.comment,
        optional=True,
        send=t("turn.comment.keep"),
        cancel=t("turn.cancel"),
        on_send=lambda text: TURNS.rate(row.key, row.verdict, text),
    )


def _details(row: rx.Var[Row]) -> rx.Component:
    known = TURNS.details.run == row.run
    took = browser.lasted(TURNS.details.started, TURNS.details.ended)
    return rx.el.dl(
        _fact(t("turn.time"), rx.el.time(browser.exact(row.at), date_time=row.at)),
        rx.cond(known & (took != ""), _fact(t("turn.took"), rx.el.bdi(took))),
        rx.cond(
            known,
            rx.fragment(
                _fact(t("turn.tokens.in"), _count(TURNS.details.tokens_in)),
                _fact(t("turn.tokens.out"), _count(TURNS.details.tokens_out)),
                _fact(t("turn.run"), rx.el.bdi(TURNS.details.wire_run, class_name="mono")),
            ),
        ),
        class_name="kv",
    )


def _fact(name: rx.Var[str], value: rx.Component) -> rx.Component:
    return rx.fragment(rx.el.dt(name), rx.el.dd(value))


def _count(tokens: rx.Var[int]) -> rx.Component:
    known = rx.el.bdi(browser.number(tokens), class_name="num")
    return rx.cond(tokens >= 0, known, rx.el.span(t("turn.tokens.none"), class_name="faint"))
