import json

import pytest

from chat_app.ui import commands
from chat_app.ui.commands import COMMANDS, Command, command_list
from chat_app.ui.words import WORDS
from tests.unit.ui.browser.test_init import source


@pytest.fixture(autouse=True)
def nothing_added():
    yield
    commands._added.clear()


def test_every_command_of_the_page_has_its_words_and_can_be_done():
    known = source("keys") + source("commands")
    assert [each.name for each in COMMANDS.values() if each.about not in WORDS] == []
    assert [
        each.act for each in COMMANDS.values() if f"{each.act}:" not in known and f'"{each.act}"' not in known
    ] == []


def test_what_was_added_is_drawn_after_those_of_the_page():
    commands.add(Command("refund", "Refund an order", text="Refund order "))
    drawn = json.dumps(command_list().render())
    assert drawn.index("command-keys") < drawn.index("command-refund")
    assert "Refund order " in drawn


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (Command("new", "Another", text="x"), "already"),
        (Command("Two words", "Another", text="x"), "no name"),
        (Command("", "Another", text="x"), "no name"),
        (Command("empty", "Another"), "a text or an act"),
        (Command("both", "Another", text="x", act="new"), "a text or an act"),
    ],
)
def test_a_command_that_cannot_be_told_apart_or_does_nothing_is_refused(command, why):
    with pytest.raises(ValueError, match=why):
        commands.add(command)
