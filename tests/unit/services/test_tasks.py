import asyncio
import gc

import pytest
from structlog.testing import capture_logs

from chat_app.services import tasks
from tests.fakes import until, within


async def test_a_task_runs_under_its_name_and_is_let_go():
    done = asyncio.Event()

    async def work() -> None:
        done.set()

    task = tasks.spawn(work(), name="chore")
    assert task.get_name() == "chore"
    assert task in tasks._running
    await within(done.wait())
    await until(lambda: task not in tasks._running)


async def test_a_task_nobody_holds_is_not_collected():
    gate, done = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await gate.wait()
        done.set()

    tasks.spawn(work(), name="chore")
    gc.collect()
    gate.set()
    await within(done.wait())


async def test_a_failure_is_logged_with_its_cause():
    async def work() -> None:
        raise LookupError("lost")

    with capture_logs() as logs:
        task = tasks.spawn(work(), name="chore")
        with pytest.raises(LookupError):
            await within(task)
        await until(lambda: logs)
    (entry,) = logs
    assert (entry["event"], entry["task"], str(entry["exc_info"])) == ("task_failed", "chore", "lost")


async def test_a_cancelled_task_is_no_failure():
    with capture_logs() as logs:
        task = tasks.spawn(asyncio.Event().wait(), name="chore")
        await asyncio.sleep(0)
        task.cancel()
        await until(lambda: task not in tasks._running)
    assert logs == []


async def test_unbroken_work_gives_its_result_or_its_failure():
    async def work(result: object) -> object:
        if isinstance(result, Exception):
            raise result
        return result

    assert await within(tasks.unbroken(work(7), name="chore")) == 7
    with pytest.raises(LookupError, match="lost"):
        await within(tasks.unbroken(work(LookupError("lost")), name="chore"))


@pytest.mark.parametrize("failure", [None, LookupError("lost")])
async def test_unbroken_work_goes_on_when_nobody_waits_any_more(failure):
    gate, done = asyncio.Event(), []

    async def work() -> None:
        await gate.wait()
        done.append(True)
        if failure is not None:
            raise failure

    waiting = asyncio.ensure_future(tasks.unbroken(work(), name="chore"))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with capture_logs() as logs:
        gate.set()
        await until(lambda: done and not [t for t in tasks._running if t.get_name() == "chore"])
    assert [line["event"] for line in logs] == ([] if failure is None else ["task_failed"])
