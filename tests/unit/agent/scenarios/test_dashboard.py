import jsonpatch

from chat_app.agent.scenarios.dashboard import SCENARIO
from tests.support.agent_harness import play


async def test_a_surface_is_shown_and_then_filled_in():
    events = await play(SCENARIO.phrase)
    (shown,) = [event for event in events if event["type"] == "ACTIVITY_SNAPSHOT"]
    (patched,) = [event for event in events if event["type"] == "ACTIVITY_DELTA"]
    assert shown["messageId"] == patched["messageId"]
    assert {shown["activityType"], patched["activityType"]} == {"a2ui-surface"}
    content = jsonpatch.apply_patch(shown["content"], patched["patch"])
    update, begin, data = content["operations"]
    components = {part["id"]: part["component"] for part in update["surfaceUpdate"]["components"]}
    children = components[begin["beginRendering"]["root"]]["Column"]["children"]["explicitList"]
    assert set(children) < set(components)
    lines = data["dataModelUpdate"]["contents"][0]["valueMap"]
    assert [line["valueString"].partition(":")[0] for line in lines] == ["T-1042", "T-1077"]
