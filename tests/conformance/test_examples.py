"""Every example in a docstring of the client runs."""

import doctest
import importlib
import pkgutil

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
