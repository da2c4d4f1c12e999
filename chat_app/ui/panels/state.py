"""The state as it is: any JSON as a tree, for agents that no other panel knows."""

from typing import Any

import reflex as rx

from chat_app.state.shared import Shared
from chat_app.ui import browser
from chat_app.ui.panels.base import Panel
from chat_app.ui.words import t


def state(view: rx.Var[Any], editable: rx.Var[bool]) -> rx.Component:
    """Draw the whole state; single values can be changed."""
    return browser.Tree.create(value=view, panel="state", editable=editable, on_edit=Shared.change_state)


PANEL = Panel(id="state", title=t("panel.state"), component=state, edits=("/**",))
