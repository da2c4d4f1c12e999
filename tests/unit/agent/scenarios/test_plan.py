from chat_app.agent.scenarios.plan import SCENARIO, STAGES
from tests.support.agent_harness import play, state_of


async def test_the_board_fills_stage_by_stage():
    events = await play(SCENARIO.phrase)
    states = [state_of(events[: at + 1]) for at, event in enumerate(events) if event["type"] == "STATE_DELTA"]
    boards = [state["app"]["tasks"] for state in states if "app" in state]
    assert [sum(task["done"] for task in tasks) for tasks in boards][:4] == [0, 1, 2, 3]
    assert boards[-1] == boards[3]
    stages = [event["stepName"] for event in events if event["type"] == "STEP_STARTED"]
    assert stages == [stage for stage, _task in STAGES]
