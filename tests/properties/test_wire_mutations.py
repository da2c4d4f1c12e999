"""Events of every type, mutated and shuffled by the thousand: refused in the client's words, or folded.

An example is a seed, so that it costs next to nothing to draw: forty events each make 2,000 in the profile
``dev`` and 200,000 in ``nightly``.
"""

import copy
import json
import random

from hypothesis import given
from hypothesis import strategies as st

from chat_app.agui import AguiError, Applier, TranscriptReducer
from chat_app.agui.events import WIRE_MODELS
from chat_app.agui.order import Mode
from chat_app.agui.pipeline import STRICT, TOLERANT, Pipeline, Reading

EVENTS_PER_SEED = 40
OTHERS = [None, True, 0, -1.5, "", "a", "\ud83d", [], ["a"], {}, {"a": None}, "RUN_STARTED", "/a/0"]
RUN = {"threadId": "t", "runId": "r"}
INTERRUPT = {"id": "i", "reason": "x", "toolCallId": "c"}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
SAMPLES = {
    "RUN_STARTED": {**RUN, "parentRunId": "p"},
    "RUN_FINISHED": {**RUN, "outcome": {"type": "interrupt", "interrupts": [INTERRUPT]}},
    "RUN_ERROR": {"message": "no", "code": "E"},
    "STEP_STARTED": {"stepName": "s"},
    "STEP_FINISHED": {"stepName": "s"},
    "TEXT_MESSAGE_START": {"messageId": "m", "role": "assistant"},
    "TEXT_MESSAGE_CONTENT": {"messageId": "m", "delta": "hi"},
    "TEXT_MESSAGE_END": {"messageId": "m", "metadata": {"a": 1}},
    "TEXT_MESSAGE_CHUNK": {"messageId": "n", "delta": "hi"},
    "TOOL_CALL_START": {"toolCallId": "c", "toolCallName": "f", "parentMessageId": "m"},
    "TOOL_CALL_ARGS": {"toolCallId": "c", "delta": "{}"},
    "TOOL_CALL_END": {"toolCallId": "c"},
    "TOOL_CALL_CHUNK": {"toolCallId": "d", "toolCallName": "f", "delta": "{}"},
    "TOOL_CALL_RESULT": {"toolCallId": "c", "messageId": "a", "content": "1"},
    "STATE_SNAPSHOT": {"snapshot": {"a": [1]}},
    "STATE_DELTA": {"delta": [{"op": "add", "path": "/a/-", "value": 2}]},
    "MESSAGES_SNAPSHOT": {
        "messages": [
            {"id": "u", "role": "user", "content": [{"type": "text", "text": "hi"}]},
            {"id": "m", "role": "assistant", "toolCalls": [CALL]},
            {"id": "a", "role": "tool", "toolCallId": "c", "content": "1"},
        ]
    },
    "ACTIVITY_SNAPSHOT": {"messageId": "v", "activityType": "web", "content": {"a": 1}},
    "ACTIVITY_DELTA": {
        "messageId": "v",
        "activityType": "web",
        "patch": [{"op": "test", "path": "/a", "value": 1}],
    },
    "REASONING_START": {"messageId": "q"},
    "REASONING_END": {"messageId": "q"},
    "REASONING_MESSAGE_START": {"messageId": "q", "role": "reasoning"},
    "REASONING_MESSAGE_CONTENT": {"messageId": "q", "delta": "hm"},
    "REASONING_MESSAGE_END": {"messageId": "q"},
    "REASONING_MESSAGE_CHUNK": {"messageId": "w", "delta": "hm"},
    "REASONING_ENCRYPTED_VALUE": {"subtype": "message", "entityId": "q", "encryptedValue": "x"},
    "SUBAGENT_STARTED": {"subagentRunId": "s1", "name": "helper"},
    "SUBAGENT_FINISHED": {"subagentRunId": "s1", "outcome": {"type": "suspended", "interruptIds": ["i"]}},
    "SUBAGENT_ERROR": {"subagentRunId": "s1", "message": "no"},
    "RAW": {"event": {"a": 1}, "source": "x"},
    "CUSTOM": {"name": "PredictState", "value": [{"state_key": "a", "tool": "f", "tool_argument": "b"}]},
}
FRAMES = [{"type": name, **fields} for name, fields in SAMPLES.items()]
READINGS = [STRICT, TOLERANT, Reading(Mode.OFF), Reading(Mode.REPORT)]


def places_in(value):
    """Return every place of a JSON value as its container and its key."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((value, key), *places_in(value[key]))]


def mutated(chance):
    """Return an event with up to two places lost, replaced or put elsewhere."""
    frame = copy.deepcopy(chance.choice(FRAMES))
    for _ in range(chance.randrange(3)):
        holder, key = chance.choice(places_in(frame))
        if key == "type" and holder is frame:
            continue  # without a type it is no frame at all
        other = copy.deepcopy(chance.choice(OTHERS))
        if chance.random() < 0.3:
            del holder[key]
        elif chance.random() < 0.2 and isinstance(holder, dict):
            holder[f"{key}x"] = other
        else:
            holder[key] = other
    return frame


def test_there_is_a_sample_of_every_type_and_it_is_well_formed():
    assert SAMPLES.keys() == WIRE_MODELS.keys()
    pipeline = Pipeline(Reading(Mode.OFF), report=lambda _: None, new_id=lambda: "new")
    for frame in FRAMES:
        pipeline.feed(copy.deepcopy(frame))


def fed(pipeline, frame):
    """Return the events that a frame brings, and what refused it; nothing but the client's own words does."""
    try:
        return pipeline.feed(frame), None
    except AguiError as error:
        return (), error


@given(st.integers(0, 2**64), st.sampled_from(READINGS))
def test_mutated_events_are_refused_or_folded(seed, reading):
    chance, warnings = random.Random(seed), []
    applier, reducer = Applier(), TranscriptReducer()
    refused = []
    for _ in range(EVENTS_PER_SEED):
        if not refused or refused[-1] is not None:
            pipeline = Pipeline(reading, report=warnings.append, new_id=lambda: f"new-{chance.random()}")
        events, error = fed(pipeline, mutated(chance))
        refused.append(error)
        for event in events:
            applier.apply(event)
            reducer.apply(event)
    assert all(error.message for error in refused if error is not None)
    said = [message.model_dump(mode="json", by_alias=True) for message in applier.outgoing()]
    json.dumps([said, applier.state], ensure_ascii=False, allow_nan=False).encode()
    shown = [row.key for row in reducer.snapshot().messages]
    assert len(set(shown)) == len(shown)
    assert all(warning.code for warning in warnings)
