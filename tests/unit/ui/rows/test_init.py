"""Every kind of row has a view, and each view builds."""

import json

import pytest
import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui.rows import ROWS, row_view
from chat_app.ui.rows.fallback import fallback


def drawn(view):
    row = rx.Var("row", _var_type=Row).to(Row)
    names = [rx.Var(name, _var_type=str).to(str) for name in ("person", "agent")]
    return json.dumps(view(row, *names).render(), ensure_ascii=False, default=str)


@pytest.mark.parametrize("view", [*ROWS.values(), fallback], ids=[*ROWS, "fallback"])
def test_a_row_is_found_again_by_its_key(view):
    assert '\\"data-row\\"' in drawn(view)


def test_the_kinds_the_services_name_have_views():
    assert set(ROWS) == {"user", "turn", "lane", "approval", "note"}


def test_a_note_offers_a_retry_only_when_the_row_says_so():
    assert 'row?.[\\"retry\\"]' in drawn(ROWS["note"])


def test_a_row_is_a_component_of_its_own():
    row = rx.Var("row", _var_type=Row).to(Row)
    made = row_view(row=row, day="", person="Mira", agent="Desk", key="k")
    assert made.render()["name"].startswith("RowView")
