import pytest

from chat_app.data import exchanges, interrupts, messages, runs
from chat_app.services.approvals import Answer
from chat_app.services.views import PAGE, read_context, read_page, read_question, read_questions, read_run
from tests.fakes import until
from tests.support.world import Gate, World, answer, ask, question, said, started, texts, unreachable

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


def page_of(world: World, thread: str, before: int):
    with world.database.reading() as session:
        return read_page(session, thread, before)


async def test_an_empty_thread_is_idle_and_empty(world):
    view = world.view(world.thread().id)
    assert (view.rows, view.older, view.run.status) == ([], False, "idle")


async def test_an_unknown_thread_looks_empty(world):
    assert world.view("unknown").rows == []


async def test_rows_of_all_kinds_come_in_the_order_they_happened(world):
    thread = await world.said("Go", ask())
    (asked,) = world.questions(thread)
    world.agent.scripts.append(unreachable)
    await world.approvals.decide(world.ada, asked.id, Answer("approve", "go ahead"))
    await world.idle()
    rows = world.view(thread).rows
    assert [row.kind for row in rows] == ["user", "turn", "approval", "note"]
    assert [row.position for row in rows] == sorted(row.position for row in rows)
    card = rows[2]
    assert (card.decision, card.decided_by, card.note, card.owed) == ("approve", "Ada", "go ahead", True)
    assert rows[1].parts[0].status == "waiting"
    assert rows[3].retry


async def test_only_the_newest_run_is_offered_again(world):
    thread = await world.said("One", unreachable)
    await world.said("Two", unreachable, thread=thread)
    assert [row.retry for row in world.view(thread).rows if row.kind == "note"] == [False, True]
    await world.said("Three", answer("ok"), thread=thread)
    assert not any(row.retry for row in world.view(thread).rows)


async def test_nothing_is_offered_again_while_a_run_is_live(world):
    thread = await world.said("One", unreachable)
    gate = Gate()
    world.agent.scripts.append(lambda run: [started(run), gate, *answer("ok")(run)[1:]])
    await world.chat.retry(world.ada, thread)
    await until(lambda: world.agent.waiting)
    view = world.view(thread)
    assert (view.run.status, view.run.id) == ("running", world.runs(thread)[-1].id)
    assert view.run.started
    assert not any(row.retry for row in view.rows)
    gate.set()
    await world.idle()


async def test_an_exchange_between_two_runs_is_running_without_a_run(world):
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
        live = exchanges.live_of(session, thread.id)
        runs.finish(session, run.id, status="success", ended=world.clock())
        shown = read_run(session, thread.id, live)
    assert (shown.status, shown.id) == ("running", "")
    assert world.view(thread.id).run == shown


async def test_a_long_thread_shows_its_newest_rows_and_pages_the_rest(world):
    many = [event for at in range(PAGE + 10) for event in line(f"m{at:03}", f"line {at}")]
    thread = await world.said("Go", lambda run: [started(run), *many, finished_of(run)])
    view = world.view(thread)
    assert view.older
    assert len(view.rows) == PAGE
    page = page_of(world, thread, view.rows[0].position)
    assert not page.older
    assert [*texts(page), *texts(view)] == [
        part["text"] for m in world.messages(thread) for part in m.content
    ]


def line(key: str, text: str) -> list[dict]:
    """An agent may also say what a system or developer would; each is a row of its own."""
    start = {"type": "TEXT_MESSAGE_START", "messageId": key, "role": "system"}
    return [start, said(key, text), {"type": "TEXT_MESSAGE_END", "messageId": key}]


def finished_of(run) -> dict:
    return {"type": "RUN_FINISHED", "threadId": run.thread_id, "runId": run.run_id}


async def test_cards_and_notes_are_paged_with_the_messages_around_them(world):
    thread = await world.said("One", unreachable)
    await world.said("Two", answer("ok"), thread=thread)
    rows = world.view(thread).rows
    two = next(row for row in rows if row.parts and row.parts[0].text == "Two")
    page = page_of(world, thread, two.position)
    assert [row.kind for row in page.rows] == ["user", "note"]
    assert [row.key for row in page.rows] == [row.key for row in rows[:2]]


async def test_questions_come_with_who_decided_and_what_is_owed(world):
    thread = await world.said("Go", ask(question("q1", "c1"), question("q2", "c2")))
    one, _ = world.questions(thread)
    await world.approvals.decide(world.ada, one.id, Answer("reject"))
    with world.database.reading() as session:
        first, second = read_questions(session, thread, first=0)
        context = read_context(session, thread, messages.of_thread(session, thread), live_run=None)
    assert (first.decided_by, first.decision.kind, first.owed) == ("Ada", "reject", False)
    assert (second.decision, second.decided_by) == (None, "")
    assert set(context.questions) == {"c1", "c2"}
    assert set(context.runs) == {run.id for run in world.runs(thread)}


async def test_two_questions_about_one_call_show_the_newest(world):
    thread = await world.said("Go", ask(question("q1", "c1")))
    (one,) = world.questions(thread)
    world.agent.scripts.append(
        lambda run: [started(run), {**finished_of(run), "outcome": outcome(question("q2", "c1"))}]
    )
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    await world.idle()
    with world.database.reading() as session:
        context = read_context(session, thread, messages.of_thread(session, thread), live_run=None)
    assert context.questions["c1"].interrupt.wire_id == "q2"


def outcome(*questions: dict) -> dict:
    return {"type": "interrupt", "interrupts": list(questions)}


@pytest.mark.parametrize(("kind", "by"), [("approve", "Ada"), ("", "")])
async def test_a_question_of_another_branch_is_read_alone(world, kind, by):
    thread = await world.said("Go", ask())
    (asked,) = world.questions(thread)
    if kind:
        world.agent.scripts.append(answer("ok"))
        await world.approvals.decide(world.ada, asked.id, Answer(kind))
        await world.idle()
    world.agent.scripts.append(answer("Other"))
    await world.branching.edit(world.ada, thread, world.view(thread).rows[0].key, "Stay")
    await world.idle()
    with world.database.reading() as session:
        asked = interrupts.get(session, asked.id)
        read = read_question(session, asked)
    assert world.questions(thread) == ()
    assert (read.interrupt, read.decision.kind if read.decision else "", read.decided_by) == (asked, kind, by)
