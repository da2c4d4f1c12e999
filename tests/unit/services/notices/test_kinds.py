from typing import get_args

from chat_app.data.records import NoticeKind
from chat_app.services.notices.kinds import KINDS, WAITING, NotSent


def test_every_kind_but_a_test_is_told_of():
    assert {*KINDS, "test"} == set(get_args(NoticeKind))
    assert set(KINDS) > WAITING


def test_what_was_not_sent_is_tried_again_unless_it_says_otherwise():
    trouble = NotSent("timeout")
    assert (str(trouble), trouble.fate, trouble.after) == ("timeout", "again", 0.0)
