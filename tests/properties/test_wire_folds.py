"""What holds for any events in any order: the folds, their row changes, and logs folded again."""

import copy
import dataclasses
import json
from typing import Any

import jsonpatch
from ag_ui.core import ToolMessage, UserMessage
from hypothesis import given
from hypothesis import strategies as st
from jsonpointer import JsonPointerException

from chat_app.agui.errors import PatchFailed
from chat_app.agui.events import LocalMessage, LogEntry, dump_event, parse_stored
from chat_app.agui.history import Applier
from chat_app.agui.order import Mode
from chat_app.agui.patch import apply_patch
from chat_app.agui.pipeline import Pipeline, Reading
from chat_app.agui.transcript import ReasoningPart, TextPart, ToolCallPart, TranscriptReducer, UiMessage
from chat_app.agui.updates import Appended, Removed, Touched
from tests.support.wire import Reports, ev
from tests.support.wire_strategies import frames, ids, json_values, patches, texts

lines = st.builds(lambda name, text: LocalMessage(UserMessage(id=name, content=text)), ids, texts)
answers = st.builds(
    lambda name, call, text: LocalMessage(ToolMessage(id=name, tool_call_id=call, content=text)),
    ids,
    ids,
    texts,
)


@st.composite
def logs(draw: st.DrawFn) -> list[LogEntry]:
    """Events in any order, as a reading that looks away lets them through, and lines of this side."""
    pipeline = Pipeline(Reading(Mode.OFF), report=Reports(), new_id=lambda: "made-here")
    entries: list[LogEntry] = []
    for item in draw(st.lists(frames | lines | answers, max_size=40)):
        entries.extend([item] if isinstance(item, LocalMessage) else pipeline.feed(item))
    return entries


def folded(log: list[LogEntry]) -> tuple[Applier, TranscriptReducer]:
    applier, reducer = Applier(), TranscriptReducer(ask_tools=["g"])
    for entry in log:
        applier.apply(entry)
        reducer.apply(entry)
    return applier, reducer


def stored(log: list[LogEntry]) -> list[LogEntry]:
    """Return the log as it comes back from a database of JSON."""
    back: list[LogEntry] = []
    for entry in log:
        if isinstance(entry, LocalMessage):
            back.append(entry)
        else:
            back.append(parse_stored(json.loads(json.dumps(dump_event(entry), ensure_ascii=False).encode())))
    return back


@given(logs())
def test_no_order_of_events_breaks_a_fold(log: list[LogEntry]) -> None:
    applier, reducer = folded(log)
    said = [
        message.model_dump(mode="json", by_alias=True) for message in (*applier.messages, *applier.outgoing())
    ]
    json.dumps([said, applier.state], ensure_ascii=False).encode()
    keys = [row.key for row in reducer.snapshot().messages]
    assert len(keys) == len(set(keys))
    for row in reducer.snapshot().messages:
        parts = [part.key for part in row.parts]
        assert len(parts) == len(set(parts)) > 0


@given(logs())
def test_a_log_from_storage_folds_to_the_same_thread(log: list[LogEntry]) -> None:
    one, other = folded(log), folded(stored(log))
    assert one[0].messages == other[0].messages
    assert one[0].state == other[0].state
    assert one[1].snapshot() == other[1].snapshot()


@given(logs(), st.data())
def test_reading_in_between_changes_nothing(log: list[LogEntry], data: st.DataObject) -> None:
    applier, reducer = Applier(), TranscriptReducer(ask_tools=["g"])
    stops = data.draw(st.sets(st.integers(0, 40), max_size=5))
    for index, entry in enumerate(log):
        applier.apply(entry)
        reducer.apply(entry)
        if index in stops:
            assert len(applier.messages) >= len(applier.outgoing())
            reducer.snapshot()
    assert (applier.messages, reducer.snapshot()) == (folded(log)[0].messages, folded(log)[1].snapshot())


@given(logs())
def test_the_row_changes_tell_everything_that_changed(log: list[LogEntry]) -> None:
    reducer = TranscriptReducer(ask_tools=["g"])
    mirror: dict[str, UiMessage] = {}
    for entry in log:
        for change in reducer.apply(entry):
            match change:
                case Touched(key):
                    mirror[key] = reducer.message(key)
                case Removed(key):
                    del mirror[key]
                case Appended(key, part, delta):
                    mirror[key] = grown(mirror[key], part, delta)
        assert list(mirror.values()) == list(reducer.snapshot().messages)


def grown(row: UiMessage, key: str, delta: str) -> UiMessage:
    """Return the row as a reader has it who only hears of the fragment."""
    parts = []
    for part in row.parts:
        if part.key != key:
            parts.append(part)
        elif isinstance(part, ToolCallPart):
            parts.append(dataclasses.replace(part, args=part.args + delta))
        else:
            assert isinstance(part, TextPart | ReasoningPart)
            parts.append(dataclasses.replace(part, text=part.text + delta))
    return dataclasses.replace(row, parts=tuple(parts))


@given(json_values, patches)
def test_a_patch_applies_whole_or_changes_nothing(document: Any, patch: list[dict[str, Any]]) -> None:
    before = copy.deepcopy(document)
    operations = ev("STATE_DELTA", delta=patch).delta
    try:
        expected = jsonpatch.apply_patch(copy.deepcopy(document), patch)
    except (jsonpatch.JsonPatchException, JsonPointerException):
        expected = PatchFailed
    try:
        assert apply_patch(document, operations) == expected
    except PatchFailed:
        assert expected is PatchFailed
    assert document == before
    assert [operation.model_dump(by_alias=True) for operation in operations] == patch
