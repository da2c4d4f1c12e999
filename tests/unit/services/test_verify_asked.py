import pytest
from sqlalchemy import delete, update

from chat_app.data.decisions import decision
from chat_app.data.interrupts import interrupt
from chat_app.data.runs import run as run_table
from chat_app.services.approvals import Answer
from chat_app.services.verify import verdict
from tests.support.world import World, answer, ask, question, started, text

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


def broken(world: World, thread: str) -> list[str]:
    with world.database.reading() as session:
        return [found.what for found in verdict(session, thread).differences]


async def asked(world: World, *, decided: str = "") -> str:
    """Let an agent ask about a call and beside it something else, and answer both."""
    late = "2030-06-01T12:00:00Z"
    form = {"type": "object", "properties": {"n": {"type": "integer"}}}
    thread = await world.said(
        "Go", ask(question(expiresAt=late), question("half \ud83d", None, responseSchema=form))
    )
    if decided:
        world.agent.scripts.append(answer("ok"))
        for one in world.questions(thread):
            await world.approvals.decide(world.ada, one.id, Answer(decided))
        await world.idle()
    return thread


@pytest.mark.parametrize("decided", ["", "cancel"])
async def test_questions_are_what_the_log_says_was_asked(world, decided):
    assert broken(world, await asked(world, decided=decided)) == []


async def test_questions_of_a_run_that_went_on_or_failed_after_asking_are_found_in_its_log(world):
    failed = {"type": "RUN_ERROR", "message": "no", "code": "X"}
    thread = await world.said("Go", lambda run: [*ask()(run), failed])
    assert world.questions(thread)
    assert broken(world, thread) == []
    again = await world.said(
        "Go",
        lambda run: [
            *ask()(run),
            started(run),
            *text("b", "never mind"),
            *ask(question("q2", None))(run)[1:],
        ],
    )
    assert broken(world, again) == []


first = interrupt.c.wire_id == "q1"
OTHER = '{"to":"x@y.z"}'


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (update(interrupt).where(first).values(message="Shall I?"), ["question q1"]),
        (update(interrupt).where(first).values(expires_at=None), ["question q1"]),
        (delete(interrupt).where(first), ["question q1", "answer to"]),
        (update(interrupt).where(first).values(args=OTHER), ["arguments of q1", "digest of q1"]),
        (update(interrupt).where(first).values(args_digest="0" * 64), ["digest of q1", "answer to q1"]),
        (update(interrupt).where(first).values(status="pending", settled_at=None), ["standing of q1"]),
        (update(interrupt).where(first).values(status="answered"), ["standing of q1"]),
        (
            update(decision).where(decision.c.kind == "cancel").values(digest="0" * 64),
            ["answer to q1", "answer to half"],
        ),
        (delete(decision), ["standing of", "standing of", "answer to", "answer to"]),
    ],
)
async def test_a_question_that_says_something_else_is_noticed(world, damage, told):
    thread = await asked(world, decided="cancel")
    with world.database.transaction() as session:
        session.execute(damage)

    found = broken(world, thread)

    assert len(found) == len(told)
    assert all(what.startswith(start) for what, start in zip(sorted(found), sorted(told), strict=True)), found


async def test_an_open_question_of_a_sealed_run_is_noticed_and_one_of_an_open_run_is_not(world):
    thread = await asked(world)
    assert broken(world, thread) == []
    with world.database.transaction() as session:
        session.execute(update(run_table).values(sealed_at=world.clock()))

    assert [what[:11] for what in broken(world, thread)] == ["standing of", "standing of"]
