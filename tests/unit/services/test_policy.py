import pytest

from chat_app.services.policy import Action, Person, Policy, Refused, claimed

ROLES = [(), ("user",), ("approver",), ("auditor",), ("admin",), ("user", "approver", "auditor", "admin")]


OWNERS = [action for action in Action if action is not Action.READ_ANY_THREAD]


@pytest.mark.parametrize("action", OWNERS)
@pytest.mark.parametrize("roles", ROLES)
@pytest.mark.parametrize(("owner", "allowed"), [("ada", True), ("bob", False), ("", False), (None, False)])
def test_the_owner_may_and_nobody_else(action, roles, owner, allowed):
    policy, ada = Policy(), Person("ada", "Ada", roles)
    assert policy.may(ada, action, owner=owner) is allowed


@pytest.mark.parametrize("action", OWNERS)
def test_what_is_not_there_and_what_is_not_yours_are_refused_alike(action):
    policy, ada = Policy(), Person("ada", "Ada")
    policy.require(ada, action, owner="ada")
    with pytest.raises(Refused) as foreign:
        policy.require(ada, action, owner="bob")
    with pytest.raises(Refused) as unknown:
        policy.require(ada, action, owner=None)
    assert (foreign.type, foreign.value.args) == (unknown.type, unknown.value.args)


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
