"""The page of the inbox builds."""

from chat_app.pages.approvals import approvals


def test_it_builds():
    assert approvals().render()
