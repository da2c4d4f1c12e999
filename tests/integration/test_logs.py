"""What a run leaves in the logs: its ids, on every line, and not a word of what was said."""

import pytest
import structlog
from structlog.contextvars import merge_contextvars

from chat_app.services.approvals import Answer
from tests.support.world import World, answer, ask, unreachable

pytest_plugins = ("tests.support.databases",)
SECRET = "the-launch-code-is-0000"


@pytest.fixture
def lines():
    """Every line logged, with what is bound to it."""
    before, kept = structlog.get_config(), structlog.testing.LogCapture()
    structlog.configure(processors=[merge_contextvars, kept], cache_logger_on_first_use=False)
    yield kept.entries
    structlog.configure(**before)


async def test_lines_of_a_run_carry_its_ids_and_no_text(sqlite, lines):
    async with World(sqlite).running() as world:
        thread = await world.said(SECRET, ask(arguments=f'{{"to":"{SECRET}"}}'))
        (question,) = world.questions(thread)
        world.agent.scripts.append(answer(SECRET))
        await world.approvals.decide(world.ada, question.id, Answer("approve", SECRET))
        await world.idle()
        await world.said(SECRET, unreachable)
    assert SECRET not in str(lines)
    of_runs = [line for line in lines if line["event"] in ("run_started", "run_ended")]
    assert [line["event"] for line in of_runs] == ["run_started", "run_ended"] * 3
    assert all({"exchange", "thread", "user", "run"} <= set(line) for line in of_runs)
    assert {line["run"] for line in of_runs} >= {run.id for run in world.runs(thread)}
    assert {line["user"] for line in of_runs} == {world.ada.id}
