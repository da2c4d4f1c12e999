"""The examples in the docstrings of the reading path and the folds run as they stand."""

import doctest
from types import ModuleType

import pytest

from chat_app.agui import growing, pipeline, surrogates, usage, verify
from chat_app.agui.history import applier
from chat_app.agui.transcript import reducer

MODULES = [growing, pipeline, surrogates, usage, verify, applier, reducer]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_of_a_module_hold(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0
