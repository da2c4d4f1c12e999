import pytest

from chat_app.services.policy import Action, Person, Policy, Refused

ROLES = [(), ("user",), ("approver",), ("auditor",), ("admin",), ("user", "approver", "auditor", "admin")]


@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("roles", ROLES)
@pytest.mark.parametrize(("owner", "allowed"), [("ada", True), ("bob", False), ("", False), (None, False)])
def test_the_owner_may_and_nobody_else(action, roles, owner, allowed):
    policy, ada = Policy(), Person("ada", "Ada", roles)
    assert policy.may(ada, action, owner=owner) is allowed


@pytest.mark.parametrize("action", list(Action))
def test_what_is_not_there_and_what_is_not_yours_are_refused_alike(action):
    policy, ada = Policy(), Person("ada", "Ada")
    policy.require(ada, action, owner="ada")
    with pytest.raises(Refused) as foreign:
        policy.require(ada, action, owner="bob")
    with pytest.raises(Refused) as unknown:
        policy.require(ada, action, owner=None)
    assert (foreign.type, foreign.value.args) == (unknown.type, unknown.value.args)
