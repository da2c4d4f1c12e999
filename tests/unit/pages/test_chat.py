"""The chat page builds, and is the same at both of its addresses."""

from chat_app.pages import PAGES
from chat_app.pages.chat import chat


def test_both_addresses_show_the_chat():
    assert {page.component for page in PAGES if page.route in ("/", "/t/[thread]")} == {chat}


def test_it_builds():
    assert chat().render()
