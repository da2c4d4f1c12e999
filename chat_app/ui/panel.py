"""The state panel beside the conversation: its tabs, the view that is open, and the versions there were."""

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.panels import panels
from chat_app.ui.panels.base import Panel
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.transcript import agent_name
from chat_app.ui.words import t

ORDER = tuple(panel.id for panel in panels())


def panel() -> rx.Component:
    """Draw the panel; it is closed until somebody opens it."""
    return browser.PanelFrame.create(
        panel_bar(),
        rx.el.div(
            panel_body(), class_name="panel-body", tab_index=0, role="group", aria_label=t("panel.content")
        ),
        rx.el.div(panel_foot(), class_name="panel-foot"),
        label=t("panel.label"),
    )


def toggle() -> rx.Component:
    """Draw the button that opens and closes the panel."""
    is_open = browser.panel_open == "open"
    return icon_button(
        "panel-right",
        rx.cond(is_open, t("panel.close"), t("panel.open")),
        aria_pressed=rx.cond(is_open, "true", "false"),
        on_click=browser.toggle_panel(),
        class_name="panel-button",
    )


@rx.memo
def panel_bar() -> rx.Component:
    """Draw the tabs of the panels that can show this state."""
    return rx.el.div(
        rx.el.div(
            *[_tab(panel) for panel in panels()],
            class_name="seg",
            role="tablist",
            aria_label=t("panel.tabs"),
        ),
        rx.el.span(class_name="grow"),
        icon_button("x", t("panel.close"), on_click=browser.toggle_panel()),
        class_name="bar",
    )


def _tab(panel: Panel) -> rx.Component:
    tab = rx.el.button(
        panel.title,
        type="button",
        role="tab",
        aria_selected=rx.cond(browser.panel_tab(ORDER) == panel.id, "true", "false"),
        on_click=browser.show_tab(panel.id),
    )
    if panel.id == ORDER[-1]:
        return tab
    return rx.cond(browser.panel_ids.contains(panel.id), tab)


@rx.memo
def panel_body() -> rx.Component:
    """Draw the open view, or why there is none."""
    open_one = rx.match(
        browser.panel_tab(ORDER), *[(panel.id, _view(panel)) for panel in panels()], rx.fragment()
    )
    return rx.cond(browser.shared.seen, open_one, _no_state())


def _no_state() -> rx.Component:
    return rx.el.div(
        rx.el.p(rx.el.b(t("panel.none"))),
        rx.el.p(t("panel.none.detail", agent=agent_name()), class_name="muted"),
        class_name="panel-none",
    )


def _view(panel: Panel) -> rx.Component:
    standing = browser.standing(panel.id)
    return rx.fragment(
        rx.cond(standing.status == "stale", _stale(standing)),
        panel.component(browser.view(panel.id, panel.shape), _editable()),
    )


def _editable() -> rx.Var[bool]:
    at_rest = (browser.run.status == "idle") | (browser.run.status == "waiting")
    return (at_rest & browser.version.live).to(bool)


def _stale(standing: rx.Var[browser.Standing]) -> rx.Component:
    since = rx.cond(
        standing.at != "",
        t("panel.stale.since", time=browser.clock_seconds(standing.at)),
        t("panel.stale.last"),
    )
    where = rx.cond(
        standing.where != "", rx.fragment(" ", rx.el.code(standing.where), " ", t("panel.stale.where"))
    )
    return rx.el.div(
        icon("triangle-alert"),
        rx.el.div(rx.el.p(t("panel.stale")), rx.el.p(since, where)),
        class_name="note note-wait",
        role="status",
    )


@rx.memo
def panel_foot() -> rx.Component:
    """Draw the versions: which one is shown, who made it, and the way to the others."""
    version = browser.version
    head = rx.el.div(
        rx.el.b(
            t("panel.version", number=version.number.to(str), count=version.count.to(str)),
            class_name="num grow nowrap",
        ),
        rx.cond(
            version.live,
            rx.el.span(t("panel.live"), class_name="st st-live"),
            rx.el.button(
                t("panel.back"), type="button", class_name="btn btn-sm", on_click=browser.back_to_live()
            ),
        ),
        class_name="row",
    )
    slider = rx.el.div(
        icon_button(
            "chevron-left", t("panel.earlier"), on_click=browser.earlier(version), class_name="i-flip"
        ),
        browser.Versions.create(label=t("panel.slider")),
        icon_button("chevron-right", t("panel.later"), on_click=browser.later(version), class_name="i-flip"),
        class_name="row",
    )
    who = rx.cond(version.by != "", version.by, agent_name())
    hint = rx.el.p(
        rx.el.bdi(who),
        " ",
        rx.cond(version.at != "", t("panel.at", time=browser.clock_seconds(version.at)), ""),
        rx.cond(version.mine.length() > 0, rx.fragment(" ", t("panel.mine"))),
        class_name="hint",
    )
    return rx.cond(
        version.count > 0,
        rx.el.div(head, slider, hint, class_name="ver"),
        rx.el.span(t("panel.no_versions"), class_name="faint"),
    )
