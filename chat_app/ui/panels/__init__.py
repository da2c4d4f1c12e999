"""One module per panel, listed in `PANELS`; the last one takes any state.

A panel is a place of the agent's state with a model, a view and a component. Add one: a file here with `PANEL`, and a
line in `PANELS`.
"""

from typing import Final

from chat_app.services.panels import PanelSpec
from chat_app.ui.panels import board, plan, state
from chat_app.ui.panels.base import Panel

PANELS: Final[tuple[Panel, ...]] = (board.PANEL, plan.PANEL, state.PANEL)

_added: list[Panel] = []


def panels() -> tuple[Panel, ...]:
    """Return every panel: `PANELS`, and before the last those that packages outside this repository have added."""
    return (*PANELS[:-1], *_added, PANELS[-1])


def specs() -> tuple[PanelSpec, ...]:
    """Return what the server needs of every panel."""
    return tuple(panel.spec() for panel in panels())


def add(panel: Panel) -> None:
    """Show this panel too; called before the page is built.

    Raises:
        ValueError: there is a panel of this id already.
    """
    if any(panel.id == known.id for known in panels()):
        raise ValueError(f"there is a panel {panel.id!r} already")
    _added.append(panel)
