from typing import Any

from chat_app.agui.surrogates import HalfJoiner, join_halves, scrub, scrub_frame
from tests.support.wire import ev, started

HIGH, LOW = "\ud83d", "\udc68"
LOST = "\ufffd"


def deltas(joiner: HalfJoiner, *events: Any) -> list[str]:
    return [event.delta for given in events for event in joiner.feed(given) if hasattr(event, "delta")]


def content(delta: str, message_id: str = "m") -> Any:
    return ev("TEXT_MESSAGE_CONTENT", messageId=message_id, delta=delta)


def test_a_character_cut_in_two_is_put_together() -> None:
    assert deltas(HalfJoiner(), content("a" + HIGH), content(LOW + "!"), content("b")) == ["a", "👨!", "b"]


def test_items_hold_their_halves_apart() -> None:
    joiner = HalfJoiner()
    args = ev("TOOL_CALL_ARGS", toolCallId="m", delta=HIGH)
    assert deltas(joiner, content(HIGH), args, content(LOW, "other"), content(LOW)) == ["", "", LOST, "👨"]


def test_a_half_that_stays_alone_is_replaced_before_the_end() -> None:
    joiner = HalfJoiner()
    joiner.feed(content("x" + HIGH))
    end = ev("TEXT_MESSAGE_END", messageId="m")
    events = joiner.feed(end)
    assert [event.type.value for event in events] == ["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]
    assert events[0].delta == LOST  # type: ignore[union-attr]
    assert joiner.feed(end) == (end,)


def test_the_replacement_is_addressed_like_the_item() -> None:
    joiner = HalfJoiner()
    joiner.feed(ev("TOOL_CALL_ARGS", toolCallId="c", delta=HIGH))
    other = ev("TOOL_CALL_END", toolCallId="other")
    assert joiner.feed(other) == (other,)
    args, _ = joiner.feed(ev("TOOL_CALL_END", toolCallId="c", subagentRunId="s"))
    assert (args.tool_call_id, args.subagent_run_id) == ("c", "s")  # type: ignore[union-attr]


def test_lone_halves_inside_a_fragment_are_replaced() -> None:
    assert deltas(HalfJoiner(), content(f"a{LOW}b{HIGH}c")) == [f"a{LOST}b{LOST}c"]


def test_a_new_run_forgets_what_was_held() -> None:
    joiner = HalfJoiner()
    joiner.feed(content(HIGH))
    joiner.feed(started())
    assert deltas(joiner, content(LOW)) == [LOST]


def test_other_events_pass_untouched() -> None:
    event = ev("STEP_STARTED", stepName="s")
    assert HalfJoiner().feed(event) == (event,)


def test_a_clean_frame_is_the_same_object() -> None:
    raw: dict[str, Any] = {"type": "STATE_SNAPSHOT", "snapshot": {"é": ["👨", 1, None]}, "timestamp": 1}
    assert scrub_frame(raw) is raw


def test_a_frame_is_scrubbed_in_every_string_and_key() -> None:
    raw: dict[str, Any] = {"type": "STATE_SNAPSHOT", "snapshot": {HIGH: [LOW, 1, None, "ok", HIGH + LOW]}}
    assert scrub_frame(raw) == {"type": "STATE_SNAPSHOT", "snapshot": {LOST: [LOST, 1, None, "ok", "👨"]}}


def test_a_streamed_delta_keeps_its_half_for_the_joiner() -> None:
    raw: dict[str, Any] = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m" + HIGH, "delta": HIGH}
    assert scrub_frame(raw) == {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m" + LOST, "delta": HIGH}
    assert scrub_frame({"type": "CUSTOM", "name": "x", "delta": HIGH})["delta"] == LOST
    assert scrub_frame({"type": "TEXT_MESSAGE_CHUNK", "messageId": HIGH}) == {
        "type": "TEXT_MESSAGE_CHUNK",
        "messageId": LOST,
    }


def test_scrubbing_leaves_text_alone() -> None:
    assert scrub("plain") == "plain"
    assert join_halves("é👨") == "é👨"
