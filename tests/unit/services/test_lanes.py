"""Who was at work when in a run."""

from datetime import timedelta

from chat_app.services.lanes import lanes
from tests.support.records import NOON, SECOND, a_run, a_tool_call, an_interrupt


def test_a_wait_for_people_goes_on_after_the_agent():
    run = a_run(exchange="e", thread="t", status="interrupted", ended=NOON + 2 * SECOND)
    call = a_tool_call(message="m", name="refund", started=NOON + SECOND, ended=NOON + 2 * SECOND)
    asked = an_interrupt(
        thread="t", run=run.id, tool_name="refund", created=NOON + 2 * SECOND, settled_at=NOON + 10 * SECOND
    )
    agent, tool, wait = lanes(run, [call], [asked])
    assert (agent.kind, agent.start, agent.length, agent.seconds) == ("agent", 0, 0.2, 2)
    assert (tool.kind, tool.name, tool.start, tool.length) == ("tool", "refund", 0.1, 0.1)
    assert (wait.kind, wait.start, wait.length, wait.seconds) == ("wait", 0.2, 0.8, 8)


def test_what_has_not_ended_lasts_as_long_as_is_known():
    run = a_run(exchange="e", thread="t")
    calls = [
        a_tool_call(message="m", status="failed", started=NOON, ended=NOON + SECOND),
        a_tool_call(message="m", started=NOON + 2 * SECOND),
    ]
    waiting = an_interrupt(thread="t", run=run.id, created=NOON + 4 * SECOND)
    found = lanes(run, calls, [waiting])
    assert [one.kind for one in found] == ["agent", "failed", "tool", "wait"]
    assert [one.seconds for one in found] == [4, 1, 2, 0]


def test_a_run_that_took_no_time_and_a_clock_that_went_back_break_nothing():
    run = a_run(exchange="e", thread="t", status="success", ended=NOON)
    early = a_tool_call(message="m", started=NOON - timedelta(hours=1), ended=NOON - SECOND)
    found = lanes(run, [early], [])
    assert all(0 <= one.start <= 1 and 0 <= one.start + one.length <= 1 for one in found)
