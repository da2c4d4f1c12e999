"""Every kind of part has a view; an unknown one is drawn, never dropped."""

import json

import pytest
import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui.parts import PARTS, part_view


@pytest.fixture
def row():
    return rx.Var("row", _var_type=Row).to(Row)


@pytest.fixture
def part():
    return rx.Var("part", _var_type=Part).to(Part)


@pytest.mark.parametrize("kind", PARTS)
def test_a_part_builds_and_reads_its_text_by_itself(kind, row, part):
    drawn = json.dumps(PARTS[kind](row, part).render(), default=str)
    assert 'part:part?.[\\"key\\"]' in drawn
    assert 'part?.[\\"text\\"]' not in drawn


def test_a_part_of_an_unknown_kind_shows_its_name(row, part):
    drawn = json.dumps(part_view(row, part).render(), default=str)
    assert "Parley has no view for this kind" in drawn
