"""What is wrong with an input, said as the fix."""

from typing import Final

import reflex as rx

from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t

# codes that the services give (services/forms), without and with a figure
PLAIN: Final = ("required", "number", "integer", "exact", "choice", "date", "time", "json", "object")
FIGURED: Final = (
    "json_at",
    "min",
    "max",
    "above",
    "below",
    "multiple",
    "short",
    "long",
    "pattern",
    "few",
    "many",
)


def fix(code: rx.Var[str], limit: rx.Var[str]) -> rx.Var[str]:
    """Return what to do about a problem."""
    plain = {each: t(f"form.problem.{each}") for each in PLAIN}
    figured = {each: t(f"form.problem.{each}", limit=limit) for each in FIGURED}
    return choose(code, plain | figured, t("form.problem"))


def why(key: rx.Var[str], code: rx.Var[str], limit: rx.Var[str]) -> rx.Component:
    """Draw the problem of the input called `key`; the place is there from the start, so that it is read out."""
    problem = rx.fragment(icon("circle-alert", small=True), rx.el.span(fix(code, limit)))
    return rx.el.p(rx.cond(code != "", problem), id=f"{key}-why", class_name="err", role="status")
