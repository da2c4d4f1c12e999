from chat_app.agent.custom import custom
from chat_app.agent.turn_events import Notice, PermissionRequest, ToolcallDelta, UiRequest


def value(event, **more):
    return custom("name", event, **more).model_dump(mode="json", by_alias=True)["value"]


def test_fields_travel_in_the_wires_spelling_without_what_has_no_value():
    assert value(Notice("n")) == {"text": "n"}
    assert value(ToolcallDelta("c1"), subagentRunId="s") == {"callId": "c1", "subagentRunId": "s"}


def test_detail_stands_at_the_top_and_hides_nothing():
    assert value(PermissionRequest("p", "bash", {"id": "x", "why": None})) == {
        "id": "p",
        "tool": "bash",
        "why": None,
    }
    assert value(UiRequest("q")) == {"id": "q"}
