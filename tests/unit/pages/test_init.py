"""The routes are the ones people may bookmark, and the page behind them builds."""

from chat_app.pages import PAGES


def test_the_addresses():
    assert [page.route for page in PAGES] == ["/", "/t/[thread]", "/approvals"]


def test_every_page_builds():
    for page in PAGES:
        assert page.component().render()


def test_every_page_is_drawn_in_the_language_of_who_opens_it():
    names = [page.component().render()["name"] for page in PAGES]
    assert names == ["Speaking"] * len(PAGES)
