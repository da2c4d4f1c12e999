"""Every kind of field has an input, and every code a sentence that says the fix."""

import ast
import inspect
import json
from typing import get_args

import reflex as rx

from chat_app.services.forms import Form, fields, filling, leaves, reading
from chat_app.ui.forms import answer_form
from chat_app.ui.forms.inputs import INPUTS
from chat_app.ui.forms.problems import FIGURED, PLAIN


def test_every_kind_of_field_has_an_input():
    assert set(INPUTS) == set(get_args(fields.FieldKind))


def codes(module) -> set[str]:
    """Return the codes a module names: of `Trouble("…")`, of `code="…"`, and of the table of limits."""
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Call)]
    named = [call.args[0] for call in calls if getattr(call.func, "id", "") == "Trouble" and call.args]
    named += [word.value for call in calls for word in call.keywords if word.arg == "code"]
    return {one.value for one in named if isinstance(one, ast.Constant)} - {""}


def test_every_problem_is_said():
    said = codes(leaves) | codes(reading) | codes(filling) | {"min", "max", "above", "below", "multiple"}
    assert said == set(PLAIN) | set(FIGURED)


def test_a_form_draws():
    form = rx.Var("form", _var_type=Form).to(Form)
    drawn = json.dumps(answer_form(form, rx.Var("name", _var_type=str).to(str)).render(), default=str)
    for name in ("fields", "raw", "complaint", "changes", "only_json", "json"):
        assert f'[\\"{name}\\"]' in drawn
