import pytest

from chat_app.agui.events import parse_stored
from chat_app.agui.predict import StatePredictor
from tests.support.scripts import call, failed, started

RULE = {"state_key": "recipe", "tool": "write", "tool_argument": "text"}


def announced(*rules):
    return {"type": "CUSTOM", "name": "PredictState", "value": list(rules)}


def predictor(*events):
    made = StatePredictor()
    for event in events:
        for one in event if isinstance(event, list) else [event]:
            made.observe(parse_stored(one))
    return made


def streaming(arguments, name="write"):
    return call("c", name, arguments)[:2]


def test_an_unfinished_argument_previews_the_state():
    made = predictor(announced(RULE), streaming('{"text": "Two eg'))
    state = {"recipe": "", "other": 1}
    assert made.over(state) == {"recipe": "Two eg", "other": 1}
    assert state == {"recipe": "", "other": 1}
    made.observe(parse_stored({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": 'gs"}'}))
    assert made.over(state)["recipe"] == "Two eggs"


def test_without_an_argument_all_of_them_are_the_preview():
    rule = {"state_key": "draft", "tool": "write"}
    assert predictor(announced(rule), streaming('{"a": 1')).over({}) == {"draft": {"a": 1}}


@pytest.mark.parametrize("arguments", ["", '{"te', "no json", "[1]"])
def test_arguments_that_say_nothing_yet_preview_nothing(arguments):
    state = {"recipe": "old"}
    assert predictor(announced(RULE), streaming(arguments)).over(state) == state


@pytest.mark.parametrize(
    "event",
    [
        {"type": "STATE_SNAPSHOT", "snapshot": {}},
        {"type": "STATE_DELTA", "delta": []},
        started("r2"),
        failed(),
    ],
)
def test_the_agents_own_state_and_the_next_run_end_a_preview(event):
    state = {"recipe": "old"}
    assert predictor(announced(RULE), streaming('{"text": "x"}'), event).over(state) is state


@pytest.mark.parametrize("kind", ["STEP_STARTED", "STEP_FINISHED"])
def test_a_step_ends_the_announcement_but_not_the_preview(kind):
    step = {"type": kind, "stepName": "s"}
    assert predictor(announced(RULE), step, streaming('{"text": "x"}')).over({}) == {}
    assert predictor(announced(RULE), streaming('{"text": "x"}'), step).over({}) == {"recipe": "x"}


@pytest.mark.parametrize(
    "custom",
    [
        {"type": "CUSTOM", "name": "other", "value": [RULE]},
        {"type": "CUSTOM", "name": "PredictState", "value": RULE},
        announced("write", {"state_key": 1, "tool": "write"}, {"state_key": "a"}),
    ],
)
def test_announcements_that_make_no_sense_are_none(custom):
    assert predictor(custom, streaming('{"text": "x"}')).over({}) == {}


def test_other_tools_and_states_that_are_no_object_have_no_preview():
    assert predictor(announced(RULE), streaming('{"text": "x"}', "read")).over({}) == {}
    assert predictor(announced(RULE), streaming('{"text": "x"}')).over(5) == 5
