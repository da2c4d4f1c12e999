"""A code chooses a text."""

import reflex as rx

from chat_app.ui.choose import choose


def test_the_answer_is_a_text_whatever_the_choices_were():
    code = rx.Var("code", _var_type=str).to(str)
    mixed = choose(code, {"a": "one", "b": rx.Var("other", _var_type=str)}, "none")
    assert str("is " + mixed).startswith('("is "+')
