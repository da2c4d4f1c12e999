import pytest

from chat_app.services.policy import GRANTS, Action, Ask, Person, Policy, Refused, claimed
from chat_app.services.rules import AgentRules, Deciders, Rule, Use

POLICY = Policy()
NOBODY: frozenset[str] = frozenset()
ALL = frozenset({"user", "approver", "auditor", "admin"})
# what each role may do: to a thing of its own, to a thing of anybody
TABLE = {
    Action.READ_THREAD: (ALL, NOBODY),
    Action.WRITE_THREAD: ({"user"}, NOBODY),
    Action.DECIDE: ({"user"}, NOBODY),
    Action.OPEN_INBOX: (NOBODY, {"user", "approver", "admin"}),
    Action.KEEP_ACCOUNT: (ALL, NOBODY),
    Action.READ_ANY_THREAD: (NOBODY, {"auditor", "admin"}),
    Action.READ_AUDIT: (NOBODY, {"auditor", "admin"}),
    Action.SEE_USAGE: (NOBODY, {"auditor", "admin"}),
    Action.MANAGE_PEOPLE: (NOBODY, {"admin"}),
    Action.MANAGE_AGENTS: (NOBODY, {"admin"}),
    Action.MANAGE_NOTICES: (NOBODY, {"admin"}),
    Action.MANAGE_RETENTION: (NOBODY, {"admin"}),
    Action.SEE_SETTINGS: (NOBODY, {"admin"}),
}
ROLES = [(), ("user",), ("approver",), ("auditor",), ("admin",), ("user", "approver", "auditor", "admin")]


def test_every_action_has_its_line_here_and_there():
    assert set(TABLE) == set(GRANTS) == set(Action)


@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("roles", ROLES)
@pytest.mark.parametrize("owner", ["ada", "bob", "", None])
def test_role_action_and_owner_decide(action, roles, owner):
    own, everywhere = TABLE[action]
    expected = owner is not None and bool(
        (set(roles) & set(own) and owner == "ada") or set(roles) & set(everywhere)
    )
    assert POLICY.may(Person("ada", "Ada", roles), action, owner=owner) is expected


def test_a_person_without_an_id_owns_nothing_of_the_installation():
    assert not POLICY.may(Person("", "", ("user",)), Action.READ_THREAD, owner="")


@pytest.mark.parametrize(
    "action", [Action.READ_THREAD, Action.WRITE_THREAD, Action.DECIDE, Action.KEEP_ACCOUNT]
)
def test_what_is_not_there_and_what_is_not_yours_are_refused_alike(action):
    ada = Person("ada", "Ada", ("user",))
    POLICY.require(ada, action, owner="ada")
    with pytest.raises(Refused) as foreign:
        POLICY.require(ada, action, owner="bob")
    with pytest.raises(Refused) as unknown:
        POLICY.require(ada, action, owner=None)
    assert (foreign.type, foreign.value.args) == (unknown.type, unknown.value.args)


# ---------------------------------------------------------------- agents


@pytest.mark.parametrize(
    ("use", "roles", "may"),
    [
        (Use(), ("user",), True),
        (Use(), (), False),
        (Use(), ("admin", "auditor", "approver"), False),
        (Use(roles=["approver"]), ("user",), False),
        (Use(roles=["approver"]), ("user", "approver"), True),
        (Use(roles=[], people=["ada"]), ("user",), True),
        (Use(roles=[], people=["ada"]), ("approver",), False),
        (Use(roles=[], people=["bob"]), ("user",), False),
    ],
)
def test_who_may_use_an_agent(use, roles, may):
    ada, rules = Person("ada", "Ada", roles), AgentRules(use)
    assert POLICY.may_use(ada, rules) is may
    if may:
        POLICY.require_use(ada, rules)
    else:
        with pytest.raises(Refused):
            POLICY.require_use(ada, rules)


def ask_by(by: str, **more: object) -> Ask:
    return Ask(owner="ada", rules=AgentRules(decide=(Rule(by=by, roles=["approver"]),)), **more)


@pytest.mark.parametrize(
    ("by", "person", "roles", "may"),
    [
        ("requester", "ada", ("user",), True),
        ("requester", "ada", ("approver",), False),
        ("requester", "bob", ("user", "approver", "auditor", "admin"), False),
        ("role", "ada", ("user",), False),
        ("role", "ada", ("user", "approver"), True),
        ("role", "bob", ("approver",), True),
        ("role", "bob", ("user", "auditor", "admin"), False),
        ("other", "ada", ("user", "approver"), False),
        ("other", "bob", ("approver",), True),
        ("other", "bob", ("user",), False),
        ("two", "ada", ("user", "approver"), True),
        ("two", "bob", ("approver",), True),
        ("two", "bob", ("user",), False),
        ("nobody", "ada", ("user", "approver"), False),
        ("nobody", "bob", ("user", "approver", "auditor", "admin"), False),
    ],
)
def test_who_decides_a_question(by, person, roles, may):
    asker, ask = Person(person, person, roles), ask_by(by)
    assert POLICY.may_decide(asker, ask) is may
    if may:
        assert POLICY.require_decide(asker, ask).by == by
    else:
        with pytest.raises(Refused):
            POLICY.require_decide(asker, ask)


def test_without_a_rule_the_requester_decides():
    ask = Ask(owner="ada", rules=AgentRules())
    assert POLICY.deciders(ask) == Deciders("requester")


def test_other_arguments_fall_under_the_stricter_rule():
    small = {"at": "/amount", "is": "<", "value": 100}
    rules = AgentRules(decide=(Rule(where=[small], by="requester"), Rule(by="two")))
    asked = {"rules": rules, "owner": "ada", "tool": "refund"}
    assert POLICY.deciders(Ask(**asked, arguments={"amount": 5})).by == "requester"
    assert POLICY.deciders(Ask(**asked, arguments={"amount": 5}, edited={"amount": 5000})).by == "two"
    assert POLICY.deciders(Ask(**asked, arguments={"amount": 5000}, edited={"amount": 5})).by == "two"


# ---------------------------------------------------------------- ids


@pytest.mark.parametrize("key", ["", "\x00", "a\x00", "x" * 65, "é", "a\nb"])
def test_an_id_nothing_can_have_is_refused(key):
    with pytest.raises(Refused):
        claimed(key)


@pytest.mark.parametrize("key", ["a", "x" * 64, "019370e0-0000-7000-8000-000000000000"])
def test_an_id_that_something_may_have_is_taken(key):
    assert claimed(key) == key


@pytest.mark.parametrize("roles", ROLES)
@pytest.mark.parametrize("owner", ["ada", "bob", None])
def test_auditors_and_admins_may_read_what_is_there(roles, owner):
    allowed = owner is not None and not {"auditor", "admin"}.isdisjoint(roles)
    assert Policy().may(Person("ada", "Ada", roles), Action.READ_ANY_THREAD, owner=owner) is allowed
