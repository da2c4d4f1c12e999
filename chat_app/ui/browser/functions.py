"""What the browser works out of values as it draws them: times, numbers, titles, words of the language."""

from typing import Final

import reflex as rx
from pydantic import JsonValue
from reflex.utils.imports import ImportVar
from reflex.vars import VarData
from reflex.vars.function import FunctionStringVar

from chat_app.services.rows import Row
from chat_app.ui.js import LIBRARY


def _call(file: str, name: str, *arguments: object) -> rx.Var[str]:
    function: FunctionStringVar = FunctionStringVar.create(
        name, _var_data=VarData(imports={LIBRARY[file]: [ImportVar(tag=name)]})
    )
    return function.call(*arguments).to(str)


def say(name: str, words: str | dict[str, str], values: dict[str, rx.Var | str]) -> rx.Var[str]:
    """Return `words`, or what a catalog has under `name`, with `values` in their gaps."""
    return _call("words", "say", name, words, *([values] if values else []))


def said(text: rx.Var[str], values: rx.Var[dict[str, JsonValue]] | None) -> rx.Var[str]:
    """Return what a catalog has for a sentence of the server, or the sentence, with `values` in its gaps."""
    return _call("words", "said", text, *([] if values is None else [values]))


language: Final = _call("words", "chosen")  # the code of the language chosen here, or empty: the browser's


def clock(iso: rx.Var[str]) -> rx.Var[str]:
    """Return the time of day of an ISO time: 14:04."""
    return _call("time", "clock", iso)


def clock_seconds(iso: rx.Var[str]) -> rx.Var[str]:
    """Return the time of day with seconds: 14:04:09."""
    return _call("time", "clockSeconds", iso)


def exact(iso: rx.Var[str]) -> rx.Var[str]:
    """Return date and time in full, for a tooltip."""
    return _call("time", "exact", iso)


def day(iso: rx.Var[str]) -> rx.Var[str]:
    """Return the day an ISO time falls on: Today, 30 November."""
    return _call("time", "day", iso)


def day_break(all_rows: rx.Var[list[Row]], index: rx.Var[int]) -> rx.Var[str]:
    """Return the time of the row at `index` when it begins a new day of the person, else an empty string."""
    return _call("time", "dayBreak", all_rows, index)


def ago(iso: rx.Var[str]) -> rx.Var[str]:
    """Return how long ago, as short as the thread list needs it: 1 h, 14:20, Thu, 9 Nov."""
    return _call("time", "ago", iso)


def lasted(start: rx.Var[str], end: rx.Var[str]) -> rx.Var[str]:
    """Return the time between two ISO times: 0.8 s, 12 s, 1:54; empty when one is missing."""
    return _call("time", "lasted", start, end)


def whole_seconds(start: rx.Var[str], end: rx.Var[str]) -> rx.Var[str]:
    """Return the time between two ISO times, never less than 1 s."""
    return _call("time", "whole", start, end)


def title(name: rx.Var[str]) -> rx.Var[str]:
    """Return the raw name of a tool or field as people read it: issue_refund becomes Issue refund."""
    return _call("values", "title", name)


def verb(question: rx.Var[str], tool: rx.Var[str]) -> rx.Var[str]:
    """Return the verb a question begins with if its tool has it in its name, as issue_refund has refund."""
    return _call("values", "verb", question, tool)


def member(text: rx.Var[str], name: str) -> rx.Var[str]:
    """Return a member of the JSON object in `text` as people read it; empty where there is none."""
    return _call("json", "member", text, name)


def fingerprint(digest: rx.Var[str]) -> rx.Var[str]:
    """Return the first twelve digits of a digest in groups of four."""
    return _call("values", "fingerprint", digest)


def number(count: rx.Var[int]) -> rx.Var[str]:
    """Return a count with the digits of the person's language in groups."""
    return _call("words", "number", count)


def size(bytes_: rx.Var[int]) -> rx.Var[str]:
    """Return a number of bytes as people read it: 312 B, 1.4 MB."""
    return _call("values", "bytes", bytes_)


def initials(name: rx.Var[str] | str) -> rx.Var[str]:
    """Return one or two initials of a name."""
    return _call("values", "initials", name)
