import pytest
import reflex as rx

from chat_app.ui import browser, panels
from chat_app.ui.panels import PANELS
from chat_app.ui.panels.base import Panel


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.id)
def test_every_panel_builds(panel: Panel):
    view, editable = browser.view(panel.id, panel.shape), rx.Var("true").to(bool)
    assert panel.component(view, editable).render()


def test_ids_are_unique_and_the_last_panel_takes_any_state():
    assert len({panel.id for panel in PANELS}) == len(PANELS)
    assert PANELS[-1].model is None


def test_what_is_added_stands_before_the_panel_for_any_state(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(panels, "_added", [])
    fleet = Panel("fleet", "Fleet", lambda *_: rx.fragment())
    panels.add(fleet)
    assert panels.panels() == (*PANELS[:-1], fleet, PANELS[-1])
    assert [spec.id for spec in panels.specs()][-2:] == ["fleet", "state"]
    with pytest.raises(ValueError, match="fleet"):
        panels.add(fleet)
