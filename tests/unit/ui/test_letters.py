"""What mails say, in the language of the installation."""

from typing import get_args

import pytest

from chat_app.data.records import NoticeKind
from chat_app.services.notices import Notice
from chat_app.ui.letters import Letters
from chat_app.ui.words.catalogs import LANGUAGES
from tests.fakes import NOON

URL = "http://localhost:3000"


def notice(**values) -> Notice:
    return Notice(**{"id": "n", "kind": "asked", "at": NOON, "link": f"{URL}/t/1"} | values)


def test_a_mail_says_what_happened_where_to_act_and_how_to_get_no_more():
    letter = Letters("", URL)(notice())
    assert letter.subject == "Parley: A question waits for you"
    assert letter.text.startswith(f"A question waits for you.\n\n{URL}/t/1\n\n")
    assert letter.text.endswith(f"{URL}/account\n")


def test_names_are_in_it_where_the_notice_has_them():
    letter = Letters("", URL)(notice(tool="refund", title="Order T-1042"))
    assert "Tool: refund\nChat: Order T-1042" in letter.text
    assert "refund" not in letter.subject


@pytest.mark.parametrize("kind", get_args(NoticeKind))
@pytest.mark.parametrize("language", [one.code for one in LANGUAGES])
def test_every_kind_has_its_words_in_every_language(kind, language):
    letter = Letters(language, URL)(notice(kind=kind))
    assert "{" not in f"{letter.subject}{letter.text}"
    assert (letter.subject == Letters("en", URL)(notice(kind=kind)).subject) is (language == "en")
