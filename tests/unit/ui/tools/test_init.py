"""Every view of a tool builds, and none replaces another."""

import json

import pytest
import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import tools
from chat_app.ui.tools import TOOLS, add, tool_view, views


@pytest.fixture(autouse=True)
def nothing_added():
    yield
    tools._added.clear()


def drawn() -> str:
    row, part = rx.Var("row", _var_type=Row).to(Row), rx.Var("part", _var_type=Part).to(Part)
    return json.dumps(tool_view(row, part).render(), default=str)


def test_every_tool_of_the_table_is_drawn():
    assert all(name in drawn() for name in TOOLS)


def test_a_view_that_is_added_is_drawn_too():
    add("invoice", lambda _row, part: rx.el.p("Invoice ", part.result))
    assert "invoice" in views()
    assert "invoice" in drawn()
    with pytest.raises(ValueError, match="invoice"):
        add("invoice", lambda *_: rx.fragment())
