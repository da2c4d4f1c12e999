"""What is kept beside a question says of every person what the policy says."""

from itertools import product

import pytest

from chat_app.data import agents, inbox, interrupts
from chat_app.data.records import InboxItemRecord
from chat_app.services.inbox.reading import may_decide
from chat_app.services.judging import bits, judge_anew, looker, place, roles_in
from chat_app.services.policy import Ask, Person, Policy
from chat_app.services.rules import EVERY_ROLE, AgentRules, Rule
from tests.support.records import an_interrupt, stored_exchange, stored_question, stored_run, stored_thread
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


def test_roles_and_bits_are_the_same_in_two_forms():
    assert bits([]) == bits(["nonsense"]) == 0
    assert roles_in(0) == frozenset()
    assert len({bits([role]) for role in EVERY_ROLE}) == len(EVERY_ROLE)
    assert roles_in(bits(EVERY_ROLE)) == frozenset(EVERY_ROLE)


@pytest.mark.parametrize("by", ["requester", "role", "other", "two", "nobody"])
def test_a_list_offers_exactly_what_the_policy_allows(sqlite, by):
    world = World(sqlite)
    policy, roles = Policy(), [("user",), ("approver",), ("user", "approver"), ("admin",), ("auditor",), ()]
    people = [
        world.person(f"person-{n}", f"P{n}", *own) if own else Person("x", "X") for n, own in enumerate(roles)
    ]
    rules = AgentRules(decide=(Rule(by=by, roles=["approver"]),))
    for owner, raised in product(people[:3], [frozenset(), frozenset({"admin"}), frozenset({"approver"})]):
        with sqlite.transaction() as session:
            thread = stored_thread(session, owner=owner.id)
            run = stored_run(session, stored_exchange(session, thread), status="interrupted")
            asked = stored_question(session, run)
            record = InboxItemRecord(
                interrupt=asked.id,
                owner=owner.id,
                agent=thread.agent,
                by=by,
                roles=bits(["approver"]),
                rules="r",
                raised=bits(raised),
            )
            inbox.put(session, [record])
            line = inbox.line(session, asked.id)
            for person in people:
                looks = looker(policy, person)
                allowed = policy.may_decide(person, Ask(owner=owner.id, rules=rules, raised=raised))
                assert may_decide(line, looks) == allowed
                assert bool(inbox.alike(session, looks, [asked.id])) == allowed


def test_questions_of_nothing_are_placed_nowhere(sqlite):
    with sqlite.transaction() as session:
        place(session, [])
        place(session, [an_interrupt(thread="gone", run="gone")])
        assert judge_anew(session) == 0


def test_judging_again_keeps_who_has_it_in_hand(sqlite):
    world = World(sqlite)
    with sqlite.transaction() as session:
        thread = stored_thread(session, owner=world.ada.id)
        run = stored_run(session, stored_exchange(session, thread), status="interrupted")
        asked = stored_question(session, run)
        assert judge_anew(session) == 1
        now = world.clock()
        assert inbox.hold(session, asked.id, holder=world.bob.id, by=world.ada.id, at=now, was=None)
        assert not inbox.hold(session, asked.id, holder=world.ada.id, by=world.ada.id, at=now, was=None)
        place(session, [interrupts.get(session, asked.id)])
        lies = inbox.get(session, asked.id)
        assert (lies.holder, lies.by, lies.agent) == (world.bob.id, "requester", thread.agent)
        assert agents.get(session, thread.agent) is not None
