"""Every example in a docstring of the client runs."""

import doctest
import importlib
import pkgutil
import re

import pytest

import chat_app.agui

MODULES = sorted(
    {"chat_app.agui"}
    | {found.name for found in pkgutil.walk_packages(chat_app.agui.__path__, "chat_app.agui.")}
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    failures, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failures == 0


def test_the_front_door_shows_a_whole_run():
    [example] = doctest.DocTestFinder(recurse=False).find(chat_app.agui)
    assert len(example.examples) >= 5


def words_of_examples():
    """Return every word of the examples, of what they print too."""
    found = (doctest.DocTestFinder().find(importlib.import_module(name)) for name in MODULES)
    examples = (example for tests in found for test in tests for example in test.examples)
    return {word for example in examples for word in re.findall(r"\w+", f"{example.source} {example.want}")}


def test_every_public_name_is_used_in_an_example():
    assert sorted(set(chat_app.agui.__all__) - words_of_examples()) == []
