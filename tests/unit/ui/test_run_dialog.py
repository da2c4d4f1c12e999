import pytest

from chat_app.ui.run_dialog import run_dialog, show_last


@pytest.mark.parametrize("draw", [run_dialog, show_last])
def test_every_piece_builds(draw):
    assert draw().render()
