from chat_app.agent.scenarios.plan import SCENARIO, STAGES
from tests.support.agent_harness import play


async def test_the_board_fills_stage_by_stage():
    events = await play(SCENARIO.phrase)
    boards = [event["snapshot"]["app"]["tasks"] for event in events if event["type"] == "STATE_SNAPSHOT"]
    assert [sum(task["done"] for task in tasks) for tasks in boards] == [0, 1, 2, 3]
    stages = [event["stepName"] for event in events if event["type"] == "STEP_STARTED"]
    assert stages == [stage for stage, _task in STAGES]
