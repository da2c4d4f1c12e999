"""The card shows what is decided, and offers only what the row offers."""

import json

import pytest
import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui.ask.pending import pending
from chat_app.ui.ask.record import OUTCOMES
from chat_app.ui.ask.record import record as recorded


@pytest.fixture(scope="module")
def open_card():
    row = rx.Var("row", _var_type=Row).to(Row)
    return json.dumps(pending(row, rx.Var("agent", _var_type=str).to(str)).render(), default=str)


@pytest.fixture(scope="module")
def record():
    row = rx.Var("row", _var_type=Row).to(Row)
    return json.dumps(recorded(row).render(), default=str)


@pytest.mark.parametrize("act", ["approve", "edit", "reject", "respond", "cancel"])
def test_an_act_is_offered_only_when_the_row_names_it(open_card, act):
    assert f'actions\\"].includes(\\"{act}\\")' in open_card.replace("?.", "")


@pytest.mark.parametrize(
    "name", ["interrupt_id", "expires_at", "digest", "arguments", "message", "risk", "batch"]
)
def test_the_open_card_draws(open_card, name):
    assert f'[\\"{name}\\"]' in open_card


@pytest.mark.parametrize(
    "name",
    ["decided_by", "decided_at", "note", "owed", "digest", "arguments", "changes", "answer", "resumed"],
)
def test_the_record_keeps(record, name):
    assert f'[\\"{name}\\"]' in record


def test_a_record_cannot_be_answered(record):
    assert "data-act" not in record


def test_every_way_a_question_can_end_has_a_look():
    ends = {"cancelled", "expired", "superseded", "withdrawn"}
    decisions = {"approve", "edit", "reject", "respond", "cancel"}
    assert set(OUTCOMES) == ends | decisions
