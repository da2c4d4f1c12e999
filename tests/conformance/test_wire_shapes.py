"""The validation corpus: every document keeps its verdict in enforcement."""

import json
from typing import Any

import ag_ui.core
import pytest

from chat_app.agui.enforcement import enforce_model, validated
from chat_app.agui.errors import BadEvent
from tests.support.shared import SHARED, params
from tests.support.wire import Reports

UNKNOWN_MEMBERS = {
    "MessagesSnapshotEvent/unknown-role",
    "MessagesSnapshotEvent/role-shaped-like-a-tool-message",
    "MessagesSnapshotEvent/role-shaped-like-an-activity-message",
    "MessagesSnapshotEvent/role-shaped-like-an-assistant-message",
    "ReasoningEncryptedValueEvent/unknown-subtype",
    "StateDeltaEvent/patch-unknown-op",
    "UserMessage/part-shaped-like-text-with-unknown-type",
    "UserMessage/part-shaped-like-media-with-unknown-type",
    "UserMessage/legacy-binary-part",
}
"""Documents that are malformed to a shape check alone; enforcement strips them first (P20, P28)."""


def documents() -> Any:
    path = SHARED / "fixtures/protocol/shapes.jsonl"
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
    return params(found, map(name_of, found))


def name_of(case: dict[str, Any]) -> str:
    return f"{case['definition']}/{case['case']}"


@pytest.mark.parametrize("case", documents())
def test_a_document_gets_its_verdict(case: dict[str, Any]) -> None:
    unknown = name_of(case) in UNKNOWN_MEMBERS
    assert enforced(case) == ("unknown-material" if unknown else case["verdict"])
    if unknown:
        assert checked(case) == case["verdict"]


def enforced(case: dict[str, Any]) -> str:
    reports = Reports()
    model = getattr(ag_ui.core, case["definition"])
    try:
        value = enforce_model(model, case["document"], name=case["definition"], report=reports)
    except BadEvent:
        return "malformed"
    if reports:
        return "unknown-material"
    assert value.model_dump(mode="json", by_alias=True) == case["document"]
    return "valid"


def checked(case: dict[str, Any]) -> str:
    with pytest.raises(BadEvent):
        validated(getattr(ag_ui.core, case["definition"]), case["document"], case["definition"])
    return "malformed"
