"""Choosing a text by a code."""

from collections.abc import Mapping

import reflex as rx

Text = rx.Var[str] | str


def choose(code: rx.Var[str], texts: Mapping[str, Text], default: Text) -> rx.Var[str]:
    """Return the text that stands for `code`, or `default` when none does."""
    return rx.match(code, *texts.items(), default).to(str)
