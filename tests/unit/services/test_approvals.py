import asyncio
from datetime import timedelta

import pytest

from chat_app.data import audit, decisions, exchanges, interrupts, runs
from chat_app.data.records import ExchangeRecord
from chat_app.services.approvals import Answer
from chat_app.services.policy import Refused
from chat_app.services.problems import (
    Busy,
    DoesNotFit,
    Expired,
    Late,
    NotOffered,
    NotSafe,
    NotYours,
    Restarting,
    Unanswered,
    Waiting,
)
from tests.support.world import World, answer, ask, question, unreachable

pytest_plugins = ("tests.support.databases",)

SCHEMA = {"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}
STRICT = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "signature": {"type": "string"}},
    "required": ["approved", "signature"],
}


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def asked(world: World, *questions: dict):
    thread = await world.said("Go", ask(*questions))
    return thread, world.questions(thread)


def statuses(world: World, thread: str) -> list[str]:
    return [question.status for question in world.questions(thread)]


def decided(world: World, thread: str):
    with world.database.reading() as session:
        return decisions.of_interrupts(session, [one.id for one in world.questions(thread)])


def sent(world: World) -> list[tuple]:
    return [(e.interrupt_id, e.status, e.payload) for e in world.agent.requests[-1].resume or ()]


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("approve", ("q1", "resolved", {"approved": True})),
        ("reject", ("q1", "resolved", {"approved": False})),
        ("cancel", ("q1", "cancelled", None)),
    ],
)
async def test_the_only_answer_is_sent_at_once(world, kind, entry):
    thread, (one,) = await asked(world)
    world.agent.scripts.append(answer("ok"))
    assert await world.approvals.decide(world.ada, one.id, Answer(kind, "because")) == thread
    await world.idle()
    assert sent(world) == [entry]
    assert statuses(world, thread) == ["cancelled" if kind == "cancel" else "answered"]
    (decision,) = decided(world, thread)
    assert (decision.by, decision.kind, decision.note) == (world.ada.id, kind, "because")
    assert decision.digest == one.args_digest != ""


async def test_what_was_typed_is_the_answer_and_no_note(world):
    thread, (one,) = await asked(world, question("q1", None, reason="input_required", responseSchema=SCHEMA))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("respond", '{"year": 2030}'))
    await world.idle()
    assert sent(world) == [("q1", "resolved", {"year": 2030})]
    assert decided(world, thread)[0].note == ""


async def test_the_first_of_two_answers_is_a_draft_its_author_may_change(world):
    thread, (one, two) = await asked(world, question("q1", "c1"), question("q2", "c2"))
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    assert (statuses(world, thread), len(world.agent.requests)) == (["pending", "pending"], 1)
    await world.approvals.decide(world.ada, one.id, Answer("reject", "on second thought"))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, two.id, Answer("approve"))
    await world.idle()
    assert sent(world) == [("q1", "resolved", {"approved": False}), ("q2", "resolved", {"approved": True})]
    assert statuses(world, thread) == ["answered", "answered"]


async def test_two_last_answers_at_once_start_one_resume(world):
    thread, (one,) = await asked(world)
    world.agent.scripts.append(answer("ok"))
    click = world.approvals.decide
    results = await asyncio.gather(
        *(click(world.ada, one.id, Answer("approve")) for _ in range(4)), return_exceptions=True
    )
    await world.idle()
    assert [result for result in results if not isinstance(result, Late)] == [thread]
    assert (len(world.agent.requests), len(world.runs(thread))) == (2, 2)


async def test_two_people_answering_the_last_two_questions_start_one_resume(world):
    thread, questions = await asked(world, question("q1", "c1"), question("q2", "c2"))
    world.agent.scripts.append(answer("ok"))
    click = world.approvals.decide
    await asyncio.gather(*(click(world.ada, one.id, Answer("approve")) for one in questions))
    await world.idle()
    assert len(world.agent.requests) == 2
    assert [run.status for run in world.runs(thread)] == ["interrupted", "success"]


async def test_after_the_seal_nothing_changes(world):
    thread, (one,) = await asked(world)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    await world.idle()
    with pytest.raises(Late):
        await world.approvals.decide(world.ada, one.id, Answer("reject"))
    assert [decision.kind for decision in decided(world, thread)] == ["approve"]


async def test_somebody_elses_draft_is_not_changed(world):
    thread, (one, _) = await asked(world, question("q1", "c1"), question("q2", "c2"))
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    with world.database.transaction() as session:
        (draft,) = decisions.of_interrupts(session, [one.id])
        session.execute(decisions.decision.update().values(by=world.bob.id))
    with pytest.raises(Late):
        await world.approvals.decide(world.ada, one.id, Answer("reject"))
    assert [decision.id for decision in decided(world, thread)] == [draft.id]


@pytest.mark.parametrize("kind", ["respond", "edit", "nonsense", ""])
async def test_an_answer_the_question_does_not_take_is_refused(world, kind):
    thread, (one,) = await asked(world)
    with pytest.raises(NotOffered):
        await world.approvals.decide(world.ada, one.id, Answer(kind, "x"))
    assert statuses(world, thread) == ["pending"]


async def test_a_response_that_does_not_fit_is_refused_and_says_where(world):
    thread, (one,) = await asked(world, question("q1", None, reason="input_required", responseSchema=SCHEMA))
    with pytest.raises(DoesNotFit) as refused:
        await world.approvals.decide(world.ada, one.id, Answer("respond", '{"year": "soon"}'))
    assert "year" in refused.value.problem.told
    assert (statuses(world, thread), decided(world, thread)) == (["pending"], ())


async def test_a_plain_yes_that_would_not_fit_is_refused_before_it_is_sealed(world):
    thread, (one,) = await asked(world, question("q1", "c1", responseSchema=STRICT))
    with pytest.raises(DoesNotFit) as refused:
        await world.approvals.decide(world.ada, one.id, Answer("approve"))
    assert "signature" in refused.value.problem.told
    assert ".." not in refused.value.problem.told
    assert (statuses(world, thread), decided(world, thread)) == (["pending"], ())


@pytest.mark.parametrize("key", ["unknown", ""])
async def test_an_unknown_question_is_refused(world, key):
    with pytest.raises(Refused):
        await world.approvals.decide(world.ada, key, Answer("approve"))


async def test_a_foreign_question_is_refused_like_an_unknown_one(world):
    thread, (one,) = await asked(world)
    with pytest.raises(Refused):
        await world.approvals.decide(world.bob, one.id, Answer("approve"))
    assert statuses(world, thread) == ["pending"]


# ---------------------------------------------------------------- expiry


def until_noon_and(world: World, minutes: int) -> str:
    return (world.clock.now + timedelta(minutes=minutes)).isoformat()


async def test_an_expired_question_can_only_be_cancelled(world):
    thread, (one,) = await asked(world, question("q1", "c1", expiresAt=until_noon_and(world, 5)))
    world.clock.forward(minutes=10)
    for kind in ("approve", "reject"):
        with pytest.raises(Expired):
            await world.approvals.decide(world.ada, one.id, Answer(kind))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("cancel"))
    await world.idle()
    assert sent(world) == [("q1", "cancelled", None)]
    assert world.runs(thread)[-1].status == "success"


async def test_an_expired_question_needs_no_answer(world):
    soon = question("q1", "c1", expiresAt=until_noon_and(world, 5))
    thread, (_, two) = await asked(world, soon, question("q2", "c2"))
    world.clock.forward(minutes=10)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, two.id, Answer("approve"))
    await world.idle()
    assert sent(world) == [("q1", "cancelled", None), ("q2", "resolved", {"approved": True})]
    assert statuses(world, thread) == ["expired", "answered"]


async def test_a_draft_whose_question_expired_goes_out_as_cancelled(world):
    soon = question("q1", "c1", expiresAt=until_noon_and(world, 5))
    thread, (one, two) = await asked(world, soon, question("q2", "c2"))
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    world.clock.forward(minutes=10)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, two.id, Answer("approve"))
    await world.idle()
    assert sent(world) == [("q1", "cancelled", None), ("q2", "resolved", {"approved": True})]
    assert statuses(world, thread) == ["expired", "answered"]
    assert world.runs(thread)[-1].status == "success"


# ---------------------------------------------------------------- what stands in the way


async def test_a_thread_that_is_busy_keeps_its_question_open(world):
    thread, (one,) = await asked(world)
    now = world.clock()
    with world.database.transaction() as session:
        exchanges.start(
            session,
            ExchangeRecord(
                id="elsewhere",
                thread=thread,
                kind="send",
                by=world.ada.id,
                worker_id="worker-9",
                lease_until=now + timedelta(hours=1),
                started=now,
            ),
        )
    with pytest.raises(Busy):
        await world.approvals.decide(world.ada, one.id, Answer("approve"))
    assert (statuses(world, thread), decided(world, thread)) == (["pending"], ())


async def test_a_superseded_question_takes_no_answer(world):
    _, (one,) = await asked(world)
    with world.database.transaction() as session:
        interrupts.set_status(session, [one.id], status="superseded")
    with pytest.raises(Late):
        await world.approvals.decide(world.ada, one.id, Answer("approve"))


async def test_nothing_is_decided_while_the_server_goes_down(world):
    _, (one,) = await asked(world)
    await world.supervisor.shutdown()
    with pytest.raises(Restarting):
        await world.approvals.decide(world.ada, one.id, Answer("approve"))


async def test_questions_of_a_run_that_failed_after_asking_can_be_answered(world):
    thread, (one,) = await asked(world)
    with world.database.transaction() as session:
        session.execute(runs.run.update().values(status="failed"))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    await world.idle()

    assert [run.status for run in world.runs(thread)] == ["failed", "success"]


# ---------------------------------------------------------------- edits, what was shown, expiry by the clock

EDITABLE = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "editedArgs": {"type": "object", "properties": {"copies": {"type": "integer", "minimum": 1}}},
    },
    "required": ["approved"],
}


async def test_an_edit_replaces_all_arguments_and_leaves_the_proposal(world):
    thread, (one,) = await asked(world, question("q1", "c1", responseSchema=EDITABLE))
    edited = {"to": "a@b.c", "copies": 5, "ratio": 0.5, "urgent": False, "note": None, "zip": "00123"}
    with pytest.raises(DoesNotFit) as refused:
        await world.approvals.decide(world.ada, one.id, Answer("edit", edited={**edited, "copies": "abc"}))
    assert "copies" in refused.value.problem.told
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("edit", edited=edited))
    await world.idle()
    assert sent(world) == [("q1", "resolved", {"approved": True, "editedArgs": edited})]
    (decision,) = decided(world, thread)
    assert (decision.kind, decision.edited_args) == ("edit", edited)
    assert world.questions(thread)[0].args == '{"to":"a@b.c"}'


@pytest.mark.parametrize(
    "click", [Answer("edit"), Answer("approve", edited={"to": "x"}), Answer("edit", edited={"to": "x"})]
)
async def test_edits_are_taken_only_where_they_are_offered_and_meant(world, click):
    _, (one,) = await asked(world)
    with pytest.raises(NotOffered):
        await world.approvals.decide(world.ada, one.id, click)


async def test_a_click_on_other_arguments_than_are_asked_changes_nothing(world):
    thread, (one,) = await asked(world)
    with pytest.raises(Late):
        await world.approvals.decide(world.ada, one.id, Answer("approve", digest="0" * 64))
    assert statuses(world, thread) == ["pending"]
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("approve", digest=one.args_digest))
    await world.idle()


async def test_the_clock_lets_a_question_expire_and_shows_it(world):
    thread, (one,) = await asked(world, question("q1", "c1", expiresAt=until_noon_and(world, 5)))
    world.clock.forward(minutes=10)
    with world.hub.feed(world.ada.id) as feed:
        await world.supervisor.look()
        assert thread in feed._frames
    assert statuses(world, thread) == ["expired"]
    (card,) = (row for row in world.view(thread).rows if row.kind == "approval")
    assert card.actions == ["cancel"]
    with pytest.raises(Expired):
        await world.approvals.decide(world.ada, one.id, Answer("approve"))
    with pytest.raises(Waiting):
        await world.chat.send(world.ada, thread, "Go on")
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("cancel"))
    await world.idle()
    assert sent(world) == [("q1", "cancelled", None)]
    assert statuses(world, thread) == ["cancelled"]
    (card,) = (row for row in world.view(thread).rows if row.kind == "approval")
    assert (card.status, card.actions) == ("cancelled", [])
    await world.said("Go on", answer("ok"), thread=thread)


async def test_each_decision_is_written_down_without_a_word_of_its_text(world):
    _, (one, two) = await asked(world, question("q1", "c1"), question("q2", "c2"))
    await world.approvals.decide(world.ada, one.id, Answer("reject", "a secret"))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, two.id, Answer("approve"))
    await world.idle()
    with world.database.reading() as session:
        written = [entry for one in (one, two) for entry in audit.of_object(session, f"interrupt:{one.id}")]
        assert audit.broken_at(session) is None
    assert [(entry.action, entry.actor, entry.detail.get("sealed")) for entry in written] == [
        ("question.propose", None, None),
        ("question.reject", world.ada.id, False),
        ("question.resume", world.ada.id, None),
        ("question.deliver", None, None),
        ("question.propose", None, None),
        ("question.approve", world.ada.id, True),
        ("question.resume", world.ada.id, None),
        ("question.execute", None, None),
    ]
    assert written[0].detail["tool"] == "send_mail"
    assert written[0].detail["digest"] == one.args_digest
    assert "secret" not in str(written)


async def test_an_edit_is_written_down_as_a_proposal_in_place_of_the_old_one(world):
    _, (one,) = await asked(world, question("q1", "c1", responseSchema=EDITABLE))
    world.agent.scripts.append(unreachable)
    await world.approvals.decide(world.ada, one.id, Answer("edit", edited={"to": "c@d.e", "copies": 2}))
    await world.idle()
    with world.database.reading() as session:
        written = audit.of_object(session, f"interrupt:{one.id}")
    acts = [entry.action.removeprefix("question.") for entry in written]
    assert acts == ["propose", "edit", "propose", "resume", "fail"]
    assert written[2].detail["replaces"] == written[0].detail["digest"] == one.args_digest
    assert written[2].detail["digest"] not in (None, one.args_digest)
    # what went to the agent is what was decided, not what was asked about
    assert {entry.detail["digest"] for entry in written[2:]} == {written[2].detail["digest"]}
    assert len({entry.detail["decision"] for entry in written[1:]}) == 1


# ---------------------------------------------------------------- cancel and send


async def test_a_line_that_abandons_the_question_is_one_request(world):
    thread, _ = await asked(world)
    world.agent.scripts.append(answer("ok"))
    await world.chat.send(world.ada, thread, "Use staging", abandon=True)
    await world.idle()
    assert sent(world) == [("q1", "cancelled", None)]
    assert world.agent.requests[-1].messages[-1].content == "Use staging"
    assert (statuses(world, thread), len(world.agent.requests)) == (["cancelled"], 2)


async def test_a_line_abandons_nothing_where_the_agent_may_take_that_for_a_yes(world):
    risky = question(
        "q1", None, reason="crewai:human_feedback", responseSchema={"type": "string", "enum": ["a"]}
    )
    thread, _ = await asked(world, risky)
    with pytest.raises(NotSafe):
        await world.chat.send(world.ada, thread, "Use staging", abandon=True)
    assert (statuses(world, thread), len(world.agent.requests)) == (["pending"], 1)


async def test_a_retry_does_not_pass_an_open_question(world):
    thread, _ = await asked(world)
    with world.database.transaction() as session:
        session.execute(runs.run.update().values(status="failed"))
    with pytest.raises(Waiting):
        await world.chat.retry(world.ada, thread)


@pytest.mark.parametrize("key", ["\x00", "x" * 65, "é", "a\nb", ""])
async def test_an_id_nothing_can_have_is_refused_before_a_database_is_asked(world, key):
    with pytest.raises(Refused):
        await world.approvals.decide(world.ada, key, Answer("approve"))
    with pytest.raises(Refused):
        await world.chat.retry(world.ada, key)


async def test_questions_of_a_run_that_went_on_are_not_resumed(world):
    thread, (one,) = await asked(world)
    with world.database.transaction() as session:
        session.execute(runs.run.update().values(status="success"))
    with pytest.raises(Late):
        await world.approvals.decide(world.ada, one.id, Answer("approve"))
    assert decided(world, thread) == ()


# ---------------------------------------------------------------- held until all are sent


async def test_held_answers_start_nothing_until_they_are_sent_together(world):
    thread, (first, second) = await asked(world, question("q1", "c1"), question("q2", "c2"))
    await world.approvals.decide(world.ada, first.id, Answer("approve"), hold=True)
    with pytest.raises(Unanswered):
        await world.approvals.send(world.ada, first.id)
    await world.approvals.decide(world.ada, second.id, Answer("approve"), hold=True)
    await world.approvals.decide(world.ada, first.id, Answer("reject", note="No."), hold=True)
    rows = [row for row in world.view(thread).rows if row.kind == "approval"]
    assert [(row.batch, row.place, row.answered, row.decision) for row in rows] == [
        (2, 1, 2, "reject"),
        (2, 2, 2, "approve"),
    ]
    assert len(world.agent.requests) == 1
    world.agent.scripts.append(answer("Done"))
    await world.approvals.send(world.ada, second.id)
    await world.idle()
    assert [entry[2]["approved"] for entry in sent(world)] == [False, True]
    with pytest.raises(Late):
        await world.approvals.send(world.ada, first.id)
    rows = [row for row in world.view(thread).rows if row.kind == "approval"]
    assert [(row.batch, row.status) for row in rows] == [(0, "answered"), (0, "answered")]
    assert all(row.resumed and row.finished for row in rows)


async def test_only_who_may_decide_sends(world):
    _, (first,) = await asked(world, question())
    await world.approvals.decide(world.ada, first.id, Answer("approve"), hold=True)
    with pytest.raises(Refused):
        await world.approvals.send(world.bob, first.id)


async def test_who_asked_sends_what_they_gave_up_themselves_and_not_what_another_holds(world):
    world.rule({"decide": [{"by": "other", "roles": ["approver"]}]})
    tom = world.person("tom", "Tom", "approver")
    thread, (held,) = await asked(world, question())
    await world.approvals.decide(tom, held.id, Answer("approve"), hold=True)
    with pytest.raises(NotYours):
        await world.approvals.send(world.ada, held.id)
    assert [one.status for one in world.questions(thread)] == ["pending"]
    _, (dropped,) = await asked(world, question())
    await world.approvals.decide(world.ada, dropped.id, Answer("cancel"), hold=True)
    world.agent.scripts.append(answer("Given up"))
    await world.approvals.send(world.ada, dropped.id)
    await world.idle()
    assert world.agent.requests[-1].resume[0].status == "cancelled"
