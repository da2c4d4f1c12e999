import pytest

from chat_app.agent.budget import Budget
from chat_app.agent.models.interface import ModelFault
from chat_app.agent.models.scripted import Reply, ScriptedModel
from chat_app.agent.outcome import LoopAbort, Status
from chat_app.agent.runner import AgentRunner, Swap, SwapPolicy
from chat_app.agent.usage import Account, UsageLedger
from tests.support.agent_parts import FakeServer, loop_of, script, specs

PLENTY = Budget(max_steps=9, max_tokens=10**6)
SPENT = {"input_tokens": 1, "output_tokens": 1}


class Swapping(ScriptedModel):
    """Has a swap parked while it answers for the first time."""

    park = None

    async def step(self, request):
        if self.park is not None:
            (runner, swap), self.park = self.park, None
            runner.swap(swap)
        async for piece in super().step(request):
            yield piece


async def runner_of(model, *servers):
    ledger = UsageLedger()
    loop = await loop_of(*servers, instruction=None)
    return AgentRunner(loop, model, budget=lambda: PLENTY, account=Account(ledger, ("top",))), ledger


async def swapped(swap, *replies):
    model = Swapping([Reply(text=reply, **SPENT) for reply in replies])
    runner, ledger = await runner_of(model)
    model.park = (runner, swap)
    result = await runner.take("one")
    return runner, model, ledger, result


async def test_each_line_is_a_turn_and_each_turn_an_entry_of_the_ledger():
    runner, ledger = await runner_of(script(Reply(text="1", **SPENT), Reply(text="2", **SPENT)))
    assert (await runner.take("one")).outcome.result == "1"
    assert (await runner.take("two")).outcome.result == "2"
    assert [spent.path for spent in ledger.entries] == [("top",), ("top",)]
    assert ledger.tokens() == 4


async def test_by_default_a_turn_finishes_on_its_old_model():
    runner, model, _ledger, result = await swapped(Swap(model="big"), "old", "new")
    assert result.outcome.result == "old"
    await runner.take("two")
    assert [request.model for request in model.requests] == ["m", "big"]


async def test_a_restart_throws_the_text_away_but_not_what_it_cost():
    swap = Swap(model="big", policy=SwapPolicy.RESTART_TURN)
    runner, _model, ledger, result = await swapped(swap, "old", "new")
    assert result.outcome.result == "new"
    assert [entry.text for entry in runner.loop.transcript[1:]] == ["one", "new"]
    assert [spent.discarded for spent in ledger.entries] == [True, False]


@pytest.mark.parametrize("swap", [Swap(model="m"), Swap(dial=lambda: script("elsewhere"))])
async def test_a_swap_that_changes_no_model_restarts_nothing(swap):
    swap = Swap(model=swap.model, dial=swap.dial, policy=SwapPolicy.RESTART_TURN)
    _runner, model, _ledger, result = await swapped(swap, "old", "never")
    assert (result.outcome.result, len(model.requests)) == ("old", 1)


async def test_of_several_swaps_the_last_counts_and_may_bring_another_client():
    runner, _ledger = await runner_of(script())
    runner.swap(Swap(model="lost"))
    runner.swap(Swap(model="big", dial=lambda: script("from afar")))
    assert (await runner.take("one")).outcome.result == "from afar"
    assert runner.loop.model == "big"


async def test_between_turns_another_way_to_the_same_model_is_taken():
    runner, _ledger = await runner_of(script())
    runner.swap(Swap(dial=lambda: script("from afar")))
    assert (await runner.take("one")).outcome.result == "from afar"
    assert runner.loop.model == "m"


async def test_a_client_that_cannot_be_made_leaves_everything_as_it_was(caplog):
    def dial():
        raise ModelFault("https://user:s3cret@host refused", code="MODEL_KEY")

    runner, _ledger = await runner_of(script("still here"))
    runner.swap(Swap(model="big", dial=dial))
    assert (await runner.take("one")).outcome.result == "still here"
    assert runner.loop.model == "m"
    assert "s3cret" not in caplog.text


async def test_a_changed_list_is_taken_over_before_the_next_turn():
    server = FakeServer(tools=specs("x"))
    runner, _ledger = await runner_of(script("1"), server)
    server.tools, server.revision = specs("x", "y"), 1
    await runner.take("one")
    assert runner.loop.tools_len == 2


async def test_a_cancelled_runner_takes_nothing():
    runner, ledger = await runner_of(script("never"))
    runner.control.cancel()
    assert (await runner.take("one")).outcome.status is Status.CANCELLED
    assert runner.loop.transcript_len == 1
    assert ledger.entries == ()


@pytest.mark.parametrize("replies", [[], [Reply(text="x", fault=ModelFault("No.", code="X"))]])
async def test_a_failing_model_is_passed_on_and_counted(replies):
    runner, ledger = await runner_of(script(*replies))
    with pytest.raises(LoopAbort):
        await runner.take("one")
    assert len(ledger.entries) == 1


async def test_what_stands_in_the_transcript_is_worked_without_a_new_line():
    runner, _ledger = await runner_of(script("ok"))
    runner.loop.deliver("go")
    assert (await runner.work()).outcome.result == "ok"
