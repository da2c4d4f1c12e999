from chat_app.agui.approvals import Approvals
from chat_app.agui.events import dump_event, parse_stored
from tests.support.scripts import call, finished, interrupted, result, started, text

ADK = '{"originalFunctionCall": {"id": "c0", "name": "pay"}}'


def end_of(*events):
    """Return the outcome of the last event behind the stage, and the diagnostics."""
    found = []
    stage = Approvals(found.append)
    seen = None
    for event in events:
        for one in event if isinstance(event, list) else [event]:
            seen = stage.admit(parse_stored(one))
    return dump_event(seen).get("outcome"), found


def test_a_plain_success_stays_one():
    outcome, found = end_of(started(), text("m", "hi"), call("c", "weather"), finished())
    assert outcome is None
    assert found == []


def test_a_question_in_disguise_becomes_the_runs_outcome():
    outcome, found = end_of(started(), call("q", "adk_request_confirmation", ADK), finished())
    assert outcome["type"] == "interrupt"
    assert [one["id"] for one in outcome["interrupts"]] == ["q"]
    assert [diagnostic.code for diagnostic in found] == ["legacy-approval"]


def test_questions_of_several_kinds_are_all_asked():
    asked = {"type": "CUSTOM", "name": "on_interrupt", "value": "Sure?"}
    noise = {"type": "CUSTOM", "name": "usage", "value": 1}
    outcome, _ = end_of(started(), noise, asked, call("q", "confirm_changes"), finished())
    assert [one["id"] for one in outcome["interrupts"]] == ["on_interrupt:r1", "q"]


def test_the_agents_own_questions_count_alone():
    outcome, found = end_of(
        started(), call("q", "confirm_changes"), interrupted({"id": "i1", "reason": "tool_call"})
    )
    assert [one["id"] for one in outcome["interrupts"]] == ["i1"]
    assert found == []


def test_answered_and_unfinished_calls_ask_nothing():
    answered = [*call("q", "confirm_changes"), result("q", "yes")]
    assert end_of(started(), answered, finished())[0] is None
    assert end_of(started(), call("q", "confirm_changes")[:2], finished())[0] is None


def test_a_pause_is_announced_by_the_message_the_call_hangs_on():
    said = text("m", "I have tools to execute, ", "but I need confirmation.", " " * 200)
    outcome, _ = end_of(started(), said, call("c", "delete", parentMessageId="m"), finished())
    assert [one["toolCallId"] for one in outcome["interrupts"]] == ["c"]


def test_each_run_is_watched_on_its_own():
    outcome, _ = end_of(started(), call("q", "confirm_changes"), finished(), started("r2"), finished("r2"))
    assert outcome is None


def test_text_nobody_opened_announces_nothing():
    said = text("m", "I have tools to execute, but I need confirmation.")[1]
    outcome, _ = end_of(started(), said, call("c", "delete", parentMessageId="m"), finished())
    assert outcome is None
