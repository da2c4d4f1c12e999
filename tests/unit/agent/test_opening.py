from chat_app.agent.grants import Grant
from chat_app.agent.opening import LoopInput, seeds
from chat_app.agent.transcript import AssistantEntry, SystemEntry, UserEntry


def test_a_contract_joins_the_system_prompt_and_a_note_follows():
    given = LoopInput(system="You.", contract="Answer in JSON.", instruction="go")
    assert given.opening("Note.") == [
        SystemEntry("You.\n\nAnswer in JSON."),
        SystemEntry("Note."),
        UserEntry("go"),
    ]


def test_seeds_are_read_by_role_and_those_of_tools_become_notes():
    pairs = [("system", "s"), ("assistant", "a"), ("tool", "t"), ("critic", "c")]
    entries = LoopInput(system="You.", seeds=seeds(pairs)).opening("")
    assert entries[1:] == [
        SystemEntry("s"),
        AssistantEntry("a"),
        UserEntry("A tool said earlier: t"),
        UserEntry("c"),
    ]


def test_a_seed_that_grants_narrows_and_is_never_shown():
    given = LoopInput(grants=(Grant(("*",)),), seeds=seeds([("grant", '["alpha"]'), ("grant", "{")]))
    assert len(given.opening("")) == 1
    assert given.all_grants() == (Grant(("*",)), Grant(("alpha",)), Grant(()))
