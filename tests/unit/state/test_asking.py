import pytest

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.problems import DoesNotFit, SignedOut, Unanswered
from chat_app.state.asking import FORMS_KEPT, Asking
from chat_app.state.chat import NO_PROBLEM
from tests.support.tabs import call, page, thread_of
from tests.support.world import World, answer, ask, question

pytest_plugins = ("tests.support.databases",)

EDITABLE = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "editedArgs": {
            "type": "object",
            "properties": {"to": {"type": "string", "minLength": 1}},
            "required": ["to"],
        },
    },
    "required": ["approved"],
}


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


async def asked(world: World, *questions: dict):
    """Return a tab, and the questions open in its thread."""
    state = await page(world, kind=Asking)
    thread = await thread_of(world, state, ask(*questions))
    return state, world.questions(thread)


def card(world: World, thread: str):
    return next(row for row in world.view(thread).rows if row.kind == "approval")


async def test_a_click_answers_a_question_with_its_note(world):
    state, (one,) = await asked(world)
    world.agent.scripts.append(answer("then not"))
    await call(state, "decide", one.id, "reject", "too dear")
    await world.idle()
    assert state.problem == NO_PROBLEM
    assert (card(world, one.thread).decision, card(world, one.thread).note) == ("reject", "too dear")


async def test_a_question_is_given_up(world):
    state, (one,) = await asked(world)
    world.agent.scripts.append(answer("then not"))
    await call(state, "give_up", one.id)
    await world.idle()
    assert card(world, one.thread).decision == "cancel"


@pytest.mark.parametrize("interrupt", ["unknown", ""])
async def test_an_unknown_question_is_not_there(world, interrupt):
    state = await page(world, kind=Asking)
    for handler, arguments in (
        ("decide", ("approve",)),
        ("fill", ("edit", None, "open")),
        ("send_answers", ()),
    ):
        await call(state, handler, interrupt, *arguments)
        assert state.problem.title == "This chat is not there"


async def test_who_is_signed_out_decides_nothing(world):
    state = await page(world, cookie="other=1", kind=Asking)
    await call(state, "decide", "q", "approve")
    assert state.problem == SignedOut.problem


async def test_a_form_is_opened_filled_in_and_sent(world):
    state, (one,) = await asked(world, question(responseSchema=EDITABLE))
    await call(state, "fill", one.id, "edit", None, "open")
    assert [each.text for each in state.forms[one.id].fields] == ["a@b.c"]
    sent = {"raw": False, "json": "", "entries": {"/to": "x@y.z"}}
    await call(state, "fill", one.id, "edit", sent)
    assert state.forms[one.id].ready
    assert state.forms[one.id].revision == 1
    world.agent.scripts.append(answer("ok"))
    await call(state, "decide", one.id, "edit", "better", sent)
    await world.idle()
    assert world.agent.requests[-1].resume[0].payload["editedArgs"] == {"to": "x@y.z"}
    assert [change.after for change in card(world, one.thread).changes] == ["x@y.z"]


async def test_inputs_are_drawn_anew_only_when_they_come_or_go(world):
    state, (one,) = await asked(world, question(responseSchema=EDITABLE))
    await call(state, "fill", one.id, "edit", None, "open")
    await call(state, "fill", one.id, "edit", {"entries": {"/to": "b"}})
    assert state.forms[one.id].revision == 1
    await call(state, "fill", one.id, "edit", {"entries": {"/to": "b"}}, "json")
    assert state.forms[one.id].revision == 2
    assert state.forms[one.id].raw


async def test_a_wrong_value_is_not_sent(world):
    state, (one,) = await asked(world, question(responseSchema=EDITABLE))
    await call(state, "decide", one.id, "edit", "", {"entries": {"/to": ""}})
    assert state.problem.title == DoesNotFit("x").problem.title
    assert len(world.agent.requests) == 1


async def test_answers_are_held_and_sent_together(world):
    state, (first, second) = await asked(world, question("q1", "c1"), question("q2", "c2"))
    await call(state, "decide", first.id, "approve", "", None, True)
    await call(state, "send_answers", first.id)
    assert state.problem == Unanswered.problem
    await call(state, "decide", second.id, "reject", "", None, True)
    assert len(world.agent.requests) == 1
    world.agent.scripts.append(answer("ok"))
    await call(state, "send_answers", first.id)
    await world.idle()
    assert len(world.agent.requests[-1].resume) == 2


async def test_a_tab_keeps_only_its_latest_forms(world):
    state, (one,) = await asked(world, question(responseSchema=EDITABLE))
    await call(state, "fill", one.id, "edit", None, "open")
    state.forms = {f"old-{number}": state.forms[one.id] for number in range(FORMS_KEPT + 5)}
    await call(state, "fill", one.id, "edit", None, "open")
    assert len(state.forms) == FORMS_KEPT + 1
    assert one.id in state.forms
