import json

import pytest

from chat_app.services.forming import LONGEST_DRAFT, MOST_ENTRIES, draft_of
from chat_app.services.forms import Draft
from chat_app.services.policy import Refused
from chat_app.services.problems import DoesNotFit, NotOffered
from tests.support.world import World, ask, question
from tests.support.world import answer as say

pytest_plugins = ("tests.support.databases",)

SLOT = {"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}
EDITED = {"$ref": "#/$defs/Count"}
EDITABLE = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "editedArgs": {"type": "object", "properties": {"to": {"type": "string"}, "n": EDITED}},
    },
    "required": ["approved"],
    "$defs": {"Count": {"type": "integer", "minimum": 1}},
}


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def asked(world: World, one: dict, arguments: str = '{"to":"a@b.c","n":3}') -> str:
    thread = await world.said("Go", ask(one, arguments=arguments))
    return world.questions(thread)[0].id


async def test_an_edit_goes_back_whole_with_its_types(world):
    key = await asked(world, question(responseSchema=EDITABLE))
    first = (await world.services.forms.fill(world.ada, key, "edit")).form
    assert [(one.key, one.text) for one in first.fields] == [("/to", "a@b.c"), ("/n", "3")]
    draft = Draft(entries={"/to": "a@b.c", "/n": "5"})
    given = await world.services.forms.answer(world.ada, key, kind="edit", note="Five.", draft=draft)
    assert (given.kind, given.edited, given.note) == ("edit", {"to": "a@b.c", "n": 5}, "Five.")
    assert given.digest == first.before


async def test_an_edit_that_changes_nothing_is_an_approval(world):
    key = await asked(world, question(responseSchema=EDITABLE))
    draft = Draft(entries={"/to": "a@b.c", "/n": "3"})
    given = await world.services.forms.answer(world.ada, key, kind="edit", note="", draft=draft)
    assert (given.kind, given.edited) == ("approve", None)


async def test_a_wrong_value_is_no_answer(world):
    key = await asked(world, question(responseSchema=EDITABLE))
    for text in ("abc", "0"):
        draft = Draft(entries={"/to": "a@b.c", "/n": text})
        with pytest.raises(DoesNotFit):
            await world.services.forms.answer(world.ada, key, kind="edit", note="", draft=draft)


@pytest.mark.parametrize("arguments", ['{"to": "a', '["a"]', '{"to":1,"to":2}'])
async def test_arguments_that_are_no_object_are_edited_as_they_were_written(world, arguments):
    key = await asked(world, question(responseSchema=EDITABLE), arguments)
    form = (await world.services.forms.fill(world.ada, key, "edit")).form
    assert (form.only_json, form.json) == (True, arguments)


async def test_an_edit_without_a_schema_follows_the_proposal(world):
    open_edit = {"type": "object", "properties": {"approved": {"type": "boolean"}, "editedArgs": {}}}
    key = await asked(world, question(responseSchema=open_edit))
    form = (await world.services.forms.fill(world.ada, key, "edit")).form
    assert [one.kind for one in form.fields] == ["text", "number"]


async def test_an_answer_is_what_was_filled_in(world):
    key = await asked(world, question(call=None, responseSchema=SLOT))
    draft = Draft(entries={"/year": "2026"})
    given = await world.services.forms.answer(world.ada, key, kind="respond", note="", draft=draft)
    assert given.response == {"year": 2026}
    world.agent.scripts.append(say("ok"))
    await world.approvals.decide(world.ada, key, given)
    await world.idle()
    assert world.agent.requests[-1].resume[0].payload == {"year": 2026}


async def test_only_what_is_offered_has_a_form(world):
    key = await asked(world, question())
    for kind in ("edit", "respond", "approve", "surprise"):
        with pytest.raises(NotOffered):
            await world.services.forms.fill(world.ada, key, kind)


async def test_nobody_else_sees_a_form(world):
    key = await asked(world, question(responseSchema=EDITABLE))
    for person, interrupt in ((world.bob, key), (world.ada, "00000000-0000-7000-8000-000000000000")):
        with pytest.raises(Refused):
            await world.services.forms.fill(person, interrupt, "edit")


async def test_a_draft_longer_than_any_form_is_not_read(world):
    key = await asked(world, question(responseSchema=EDITABLE))
    with pytest.raises(DoesNotFit):
        await world.services.forms.fill(world.ada, key, "edit", draft=Draft(json="x" * (LONGEST_DRAFT + 1)))


def test_whatever_a_browser_sends_is_a_draft():
    sent = {"raw": True, "json": "{}", "entries": {"/a": "x", "/b": 1, 3: "y"}}
    assert draft_of(sent) == Draft(raw=True, json="{}", entries={"/a": "x", "3": "y"})
    for junk in (None, [], "x", {"raw": "yes", "json": 3, "entries": [1]}):
        assert draft_of(junk) == Draft()
    many = {str(number): "x" for number in range(MOST_ENTRIES + 5)}
    assert len(draft_of({"entries": many}).entries) == MOST_ENTRIES
    assert json.dumps(dict(draft_of({"entries": {"a": "\ud800"}}).entries))
