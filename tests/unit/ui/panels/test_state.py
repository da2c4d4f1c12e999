from chat_app.ui.panels.state import PANEL


def test_the_panel_for_any_state_shows_it_whole_and_lets_all_of_it_be_changed():
    spec = PANEL.spec()
    assert (spec.pointer, spec.model) == ("", None)
    assert spec.allows("/anything/at/all")
