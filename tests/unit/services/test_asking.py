"""What a run leaves open for a person besides the agent's interrupts: calls that ask, and calls that want consent."""

import asyncio

import pytest
from pydantic import BaseModel

from chat_app.agui import AnyArguments, AskTool, RunTool, StreamCut
from chat_app.data import decisions
from chat_app.services.answers import DENIED, DISMISSED
from chat_app.services.approvals import Answer
from chat_app.services.forms import Draft
from chat_app.services.problems import DoesNotFit, NotOffered
from chat_app.services.verify import verdict
from tests.fakes import until
from tests.support.world import World, answer, ask, asking, called, finished, question, started

pytest_plugins = ("tests.support.databases",)


class Clock(BaseModel):
    zone: str = "UTC"


class Size(BaseModel):
    height: int
    note: str = ""


class Started:
    """Counts how often the tool with consent was started."""

    def __init__(self) -> None:
        self.times = 0
        self.wait = None

    async def __call__(self, given, _context):
        self.times += 1
        if self.wait is not None:
            await self.wait()
        return f"noon in {given.zone}"


@pytest.fixture
def clock() -> Started:
    return Started()


@pytest.fixture
async def world(sqlite, clock):
    tools = (
        AskTool(name="ask_user", description="Asks", arguments=AnyArguments),
        AskTool(name="measure", description="Asks for a size", arguments=AnyArguments, answer=Size),
        RunTool(name="clock", description="Tells the time", arguments=Clock, execute=clock, consent=True),
    )
    async with World(sqlite, tools=tools).running() as world:
        yield world


def calling(*names: str):
    def script(run):
        calls = [event for n, name in enumerate(names) for event in called(f"c{n}", "{}", name)]
        return [started(run), *calls, finished(run)]

    return script


async def asked(world: World, *names: str):
    thread = await world.said("Go", calling(*names))
    return thread, world.questions(thread)


def told(world: World) -> list[tuple[str, str, str | None]]:
    tools = [message for message in world.agent.requests[-1].messages if message.role == "tool"]
    return [(message.tool_call_id, message.content, message.error) for message in tools]


async def test_a_call_that_asks_waits_in_sql_like_a_question(world):
    thread, (one,) = await asked(world, "ask_user")
    assert (one.kind, one.reason, one.tool_call, one.tool_name) == ("ask", "ask", "c0", "ask_user")
    assert one.args_digest
    assert [run.status for run in world.runs(thread)] == ["interrupted"]
    view = world.view(thread)
    assert (view.run.status, world.get_thread(thread).mark) == ("waiting", "waiting")
    (card,) = (row for row in view.rows if row.kind == "approval")
    assert (card.status, card.actions) == ("pending", ["respond", "cancel"])
    assert world.messages(thread)[-1].content[0]["status"] == "awaiting_answer"


async def test_its_answer_is_a_tool_message_and_starts_one_run(world):
    thread, (one,) = await asked(world, "ask_user")
    world.agent.scripts.append(answer("ok"))
    results = await asyncio.gather(
        *(world.approvals.decide(world.ada, one.id, Answer("respond", "42 apples")) for _ in range(4)),
        return_exceptions=True,
    )
    await world.idle()
    assert results.count(thread) == 1
    assert told(world) == [("c0", "42 apples", None)]
    assert (len(world.agent.requests), world.agent.requests[-1].resume) == (2, None)
    assert world.messages(thread)[1].content[0]["result"] == "42 apples"
    assert [one.status for one in world.questions(thread)] == ["answered"]


async def test_an_answer_that_is_json_is_sent_as_json(world):
    _, (one,) = await asked(world, "ask_user")
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("respond", '{"size": "é"}'))
    await world.idle()
    assert told(world) == [("c0", '{"size": "é"}', None)]


async def test_a_tool_that_says_what_its_answer_is_gets_a_form_and_json_that_fits(world):
    thread, (one,) = await asked(world, "measure")
    (card,) = (row for row in world.view(thread).rows if row.kind == "approval")
    assert card.form
    form = (await world.services.forms.fill(world.ada, one.id, "respond")).form
    assert [(field.name, field.kind, field.required) for field in form.fields] == [
        ("height", "number", True),
        ("note", "text", False),
    ]
    with pytest.raises(DoesNotFit):
        await world.approvals.decide(world.ada, one.id, Answer("respond", response={"height": "tall"}))
    world.agent.scripts.append(answer("ok"))
    draft = Draft(entries={"/height": "180", "/note": ""})
    filled = await world.services.forms.answer(world.ada, one.id, kind="respond", note="", draft=draft)
    await world.approvals.decide(world.ada, one.id, filled)
    await world.idle()
    assert told(world) == [("c0", '{"height": 180}', None)]


async def test_a_new_line_dismisses_what_was_asked(world):
    thread, _ = await asked(world, "ask_user", "clock")
    await world.said("Never mind", answer("ok"), thread=thread)
    assert told(world) == [("c0", DISMISSED, DISMISSED), ("c1", DISMISSED, DISMISSED)]
    roles = [message.role for message in world.agent.requests[-1].messages]
    assert roles.index("tool") < len(roles) - 1 - roles[::-1].index("user")
    assert {one.status for one in world.questions(thread)} == {"cancelled"}


async def test_a_call_that_wants_consent_is_started_by_a_yes_once(world, clock):
    thread, (one,) = await asked(world, "clock")
    assert one.reason == "consent"
    with pytest.raises(NotOffered):
        await world.approvals.decide(world.ada, one.id, Answer("respond", "x"))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    await world.idle()
    assert (told(world), clock.times) == ([("c0", "noon in UTC", None)], 1)
    assert world.runs(thread)[-1].status == "success"


async def test_a_no_is_told_with_its_reason_and_starts_nothing(world, clock):
    _, (one,) = await asked(world, "clock")
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("reject", "not now"))
    await world.idle()
    assert (told(world), clock.times) == ([("c0", f"{DENIED} not now", f"{DENIED} not now")], 0)


async def test_an_answer_that_was_told_is_not_told_again_by_a_retry(world, clock):
    thread, (one,) = await asked(world, "clock")
    world.agent.scripts.append(lambda run: [started(run), StreamCut("cut")])
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    await world.idle()
    with world.database.reading() as session:
        assert len(decisions.owed(session, thread)) == 1
    world.agent.scripts.append(answer("ok"))
    await world.chat.retry(world.ada, thread)
    await world.idle()
    assert (told(world), clock.times) == ([("c0", "noon in UTC", None)], 1)


async def test_one_resume_covers_questions_and_calls_of_a_run(world):
    script = lambda run: [  # noqa: E731 - one script
        started(run),
        *called("c0", "{}", "ask_user"),
        *called("c1"),
        asking(run, question("q1", "c1")),
    ]
    thread = await world.said("Go", script)
    first, second = world.questions(thread)
    assert {first.kind, second.kind} == {"interrupt", "ask"}
    await world.approvals.decide(world.ada, first.id, Answer("approve"))
    assert len(world.agent.requests) == 1
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, second.id, Answer("respond", "blue"))
    await world.idle()
    assert [entry.interrupt_id for entry in world.agent.requests[-1].resume] == ["q1"]
    assert ("c0", "blue", None) in told(world)
    assert len(world.agent.requests) == 2


async def test_a_later_run_of_the_stream_supersedes_what_an_earlier_one_asked(world):
    def script(run):
        again = run.model_copy(update={"run_id": f"{run.run_id}-b"})
        return [*ask()(run), *answer("nothing to ask")(again)]

    thread = await world.said("Go", script)
    assert [one.status for one in world.questions(thread)] == ["superseded"]
    assert (world.view(thread).run.status, world.get_thread(thread).mark) == ("idle", "")
    assert [run.status for run in world.runs(thread)] == ["interrupted", "success"]


async def test_a_run_that_asked_and_then_failed_can_be_answered(world):
    def script(run):
        return [*ask()(run), {"type": "RUN_ERROR", "message": "boom", "code": "E"}]

    thread = await world.said("Go", script)
    (one,) = world.questions(thread)
    assert [run.status for run in world.runs(thread)] == ["failed"]
    assert (one.status, world.view(thread).run.status) == ("pending", "waiting")
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    await world.idle()
    assert [entry.interrupt_id for entry in world.agent.requests[-1].resume] == ["q1"]


async def test_a_stop_while_a_call_of_ours_runs_keeps_the_answer_owed(world, clock):
    gate = asyncio.Event()
    clock.wait = gate.wait
    thread, (one,) = await asked(world, "clock")
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    await until(lambda: clock.times)
    await world.chat.stop(world.ada, thread)
    await world.idle()
    assert len(world.agent.requests) == 1
    assert world.runs(thread)[-1].error_code == "CANCELLED"
    world.agent.scripts.append(answer("ok"))
    await world.chat.retry(world.ada, thread)
    await world.idle()
    assert len(told(world)) == 1  # it was started, so it answered, and is not started again
    assert clock.times == 1


async def test_what_waits_folds_to_what_is_stored(world):
    thread, _ = await asked(world, "ask_user")
    with world.database.reading() as session:
        assert verdict(session, thread).differences == ()
