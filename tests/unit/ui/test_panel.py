import pytest

from chat_app.ui.panel import panel, panel_bar, panel_body, panel_foot, toggle


@pytest.mark.parametrize("draw", [panel, panel_bar, panel_body, panel_foot, toggle])
def test_every_piece_builds(draw):
    assert draw().render()
