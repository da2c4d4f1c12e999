"""Hypothesis strategies for AG-UI traffic: plausible frames over a few ids, in any order, and broken ones."""

from typing import Any

from hypothesis import strategies as st

IDS = ["a", "b", "c", "d"]
OWNERS = [None, None, None, "s1", "s2"]
HALVES = ["\ud83d", "\udc68", "x\ud83d", "\udc68y"]

ids = st.sampled_from(IDS)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
deltas = texts | st.sampled_from(["", *HALVES, '{"q":', "1}"])
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "c", "0"]), inner, max_size=3)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from(["a", "b", "c"]), json_values, max_size=3)
pointers = st.lists(st.sampled_from(["a", "b", "c", "0", "1", "-", "00", "~0"]), max_size=3).map(
    lambda steps: "".join(f"/{step}" for step in steps)
)


def operation(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    fields: dict[str, st.SearchStrategy[Any]] = {"op": st.just(kind), "path": pointers}
    if kind in {"add", "replace", "test"}:
        fields["value"] = json_values
    if kind in {"move", "copy"}:
        fields["from"] = pointers
    return st.fixed_dictionaries(fields)


patches = st.lists(
    st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]).flatmap(operation), max_size=4
)
calls = st.fixed_dictionaries(
    {
        "id": ids,
        "type": st.just("function"),
        "function": st.fixed_dictionaries({"name": st.sampled_from(["f", "g"]), "arguments": deltas}),
    }
)


def message(role: str) -> st.SearchStrategy[dict[str, Any]]:
    fields: dict[str, st.SearchStrategy[Any]] = {"id": ids, "role": st.just(role), "content": texts}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    if role == "assistant":
        optional = {"content": fields.pop("content"), "toolCalls": st.lists(calls, max_size=2)}
    if role == "tool":
        fields["toolCallId"] = ids
    if role == "activity":
        fields |= {"activityType": st.just("web"), "content": objects}
    return st.fixed_dictionaries(fields, optional=optional)


messages = st.sampled_from(
    ["user", "assistant", "assistant", "tool", "system", "developer", "reasoning", "activity"]
).flatmap(message)

outcomes = st.sampled_from(
    [
        None,
        {"type": "success"},
        {"type": "success", "pendingToolCallIds": ["a"]},
        {"type": "cancelled"},
        {"type": "interrupt", "interrupts": [{"id": "i", "reason": "x", "toolCallId": "a"}]},
    ]
)

FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "RUN_STARTED": {"threadId": st.just("t"), "runId": st.sampled_from(["r1", "r2"])},
    "RUN_FINISHED": {"threadId": st.just("t"), "runId": st.sampled_from(["r1", "r2"]), "outcome": outcomes},
    "RUN_ERROR": {"message": texts},
    "STEP_STARTED": {"stepName": ids},
    "STEP_FINISHED": {"stepName": ids},
    "TEXT_MESSAGE_START": {"messageId": ids, "role": st.sampled_from(["assistant", "user", "system"])},
    "TEXT_MESSAGE_CONTENT": {"messageId": ids, "delta": deltas},
    "TEXT_MESSAGE_END": {"messageId": ids},
    "TEXT_MESSAGE_CHUNK": {"messageId": ids, "delta": deltas},
    "TOOL_CALL_START": {
        "toolCallId": ids,
        "toolCallName": st.sampled_from(["f", "g"]),
        "parentMessageId": st.none() | ids,
    },
    "TOOL_CALL_ARGS": {"toolCallId": ids, "delta": deltas},
    "TOOL_CALL_END": {"toolCallId": ids},
    "TOOL_CALL_CHUNK": {"toolCallId": ids, "toolCallName": st.just("f"), "delta": deltas},
    "TOOL_CALL_RESULT": {"messageId": ids, "toolCallId": ids, "content": texts},
    "STATE_SNAPSHOT": {"snapshot": json_values},
    "STATE_DELTA": {"delta": patches},
    "MESSAGES_SNAPSHOT": {"messages": st.lists(messages, max_size=5)},
    "ACTIVITY_SNAPSHOT": {
        "messageId": ids,
        "activityType": st.just("web"),
        "content": objects,
        "replace": st.none() | st.booleans(),
    },
    "ACTIVITY_DELTA": {"messageId": ids, "activityType": st.just("web"), "patch": patches},
    "REASONING_START": {"messageId": ids},
    "REASONING_END": {"messageId": ids},
    "REASONING_MESSAGE_START": {"messageId": ids, "role": st.just("reasoning")},
    "REASONING_MESSAGE_CONTENT": {"messageId": ids, "delta": deltas},
    "REASONING_MESSAGE_END": {"messageId": ids},
    "REASONING_MESSAGE_CHUNK": {"messageId": ids, "delta": deltas},
    "REASONING_ENCRYPTED_VALUE": {
        "subtype": st.sampled_from(["message", "tool-call"]),
        "entityId": ids,
        "encryptedValue": texts,
    },
    "SUBAGENT_STARTED": {"subagentRunId": st.sampled_from(["s1", "s2"]), "name": texts},
    "SUBAGENT_FINISHED": {"subagentRunId": st.sampled_from(["s1", "s2"])},
    "SUBAGENT_ERROR": {"subagentRunId": st.sampled_from(["s1", "s2"]), "message": texts},
    "RAW": {"event": json_values},
    "CUSTOM": {"name": texts, "value": json_values},
}
UNTAGGED = ("RUN_", "MESSAGES_", "SUBAGENT_")
NULL_IS_A_VALUE = {"snapshot", "event", "value"}


def frame(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return frames of one type, every field as the protocol has it."""
    fields: dict[str, st.SearchStrategy[Any]] = {"type": st.just(kind), **FIELDS[kind]}
    if not kind.startswith(UNTAGGED):
        fields["subagentRunId"] = st.sampled_from(OWNERS)
    return st.fixed_dictionaries(fields).map(without_absent)


def without_absent(raw: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in raw.items() if value is not None or name in NULL_IS_A_VALUE}


frames = st.sampled_from(sorted(FIELDS)).flatmap(frame)
"""One well-formed frame of any type."""

streams = st.lists(frames, max_size=40)
"""Well-formed frames in any order at all."""


@st.composite
def broken_frames(draw: st.DrawFn) -> dict[str, Any]:
    """One frame with a field lost, added or replaced by something else."""
    raw = dict(draw(frames))
    name = draw(st.sampled_from(sorted(raw)))
    match draw(st.sampled_from(["keep", "lose", "replace", "add", "rename"])):
        case "lose" if name != "type":
            del raw[name]
        case "replace" if name != "type":
            raw[name] = draw(json_values | st.sampled_from(HALVES))
        case "add":
            raw[draw(texts)] = draw(json_values)
        case "rename" if name == "type":
            raw["type"] = draw(st.sampled_from(["FUTURE_EVENT", "THINKING_START", "THINKING_END", "x"]))
        case _:
            pass
    return raw


broken_streams = st.lists(broken_frames(), max_size=40)
"""Frames in any order, some of them broken."""
