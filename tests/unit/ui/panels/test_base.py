import reflex as rx

from chat_app.services.panels import PanelSpec
from chat_app.ui.panels.base import Panel


def test_the_server_gets_what_it_needs_of_a_panel():
    panel = Panel("fleet", "Fleet", lambda *_: rx.fragment(), pointer="/fleet", edits=("/fleet/**",))
    assert panel.spec() == PanelSpec("fleet", "/fleet", None, None, ("/fleet/**",))
