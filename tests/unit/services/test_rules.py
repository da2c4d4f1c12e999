import pytest

from chat_app.services.rules import SHUT, Deciders, RulesBroken, read_rules, rules_of, stricter

BIG = {"at": "/amount", "is": ">", "value": 1000}


def by(policy: dict, tool: str, arguments: object) -> str:
    return read_rules(policy).deciders(tool, arguments).by


def test_without_a_policy_users_may_use_the_agent_and_decide_what_they_asked():
    for policy in (None, {}, {"idle_limit": 30}):
        rules = read_rules(policy)
        assert (rules.use.roles, rules.decide, rules.deciders("x", {}).by) == (["user"], (), "requester")


def test_the_first_rule_that_fits_decides():
    policy = {"decide": [{"tool": "refund", "by": "other"}, {"tool": "*", "by": "two"}]}
    assert by(policy, "refund", {}) == "other"
    assert by(policy, "transfer", {}) == "two"


@pytest.mark.parametrize(
    ("tool", "expected"), [("delete_all", "two"), ("Delete_all", "requester"), ("undelete_x", "requester")]
)
def test_tools_are_named_by_a_pattern(tool, expected):
    assert by({"decide": [{"tool": "delete_*", "by": "two"}]}, tool, {}) == expected


@pytest.mark.parametrize(
    ("condition", "arguments", "expected"),
    [
        (BIG, {"amount": 1001}, "two"),
        (BIG, {"amount": 1000}, "requester"),
        (BIG, {"amount": 1000.5}, "two"),
        ({"at": "/amount", "is": ">=", "value": 3}, {"amount": 3}, "two"),
        ({"at": "/amount", "is": "<", "value": 3}, {"amount": 3}, "requester"),
        ({"at": "/amount", "is": "<=", "value": 3}, {"amount": 3}, "two"),
        ({"at": "/to", "is": "=", "value": "me"}, {"to": "me"}, "two"),
        ({"at": "/to", "is": "!=", "value": "me"}, {"to": "me"}, "requester"),
        ({"at": "/to", "is": "!=", "value": "me"}, {"to": "you"}, "two"),
        ({"at": "/force", "is": "=", "value": True}, {"force": 1}, "requester"),
        ({"at": "/to", "is": "in", "value": ["a", "b"]}, {"to": "b"}, "two"),
        ({"at": "/to", "is": "in", "value": ["a", "b"]}, {"to": "c"}, "requester"),
        ({"at": "/to", "is": "like", "value": "*@example.org"}, {"to": "a@example.org"}, "two"),
        ({"at": "/to", "is": "like", "value": "*@example.org"}, {"to": "a@b.c"}, "requester"),
        ({"at": "/items/1/price", "is": "=", "value": 2}, {"items": [{"price": 1}, {"price": 2}]}, "two"),
        ({"at": "/a~1b/m~0n", "is": "=", "value": 1}, {"a/b": {"m~n": 1}}, "two"),
        ({"at": "", "is": "=", "value": [1]}, [1], "two"),
    ],
)
def test_conditions_look_at_the_arguments(condition, arguments, expected):
    assert by({"decide": [{"where": [condition], "by": "two"}]}, "refund", arguments) == expected


@pytest.mark.parametrize(
    ("condition", "arguments"),
    [
        (BIG, {}),
        (BIG, None),
        (BIG, {"amount": None}),
        (BIG, {"amount": "1001"}),
        (BIG, {"amount": True}),
        (BIG, {"amount": float("nan")}),
        (BIG, [1001]),
        ({"at": "/to/5", "is": "=", "value": 1}, {"to": [1]}),
        ({"at": "/to/-1", "is": "=", "value": 1}, {"to": [1]}),
        ({"at": "/to", "is": "in", "value": "abc"}, {"to": "a"}),
        ({"at": "/to", "is": "like", "value": "*"}, {"to": 3}),
    ],
)
@pytest.mark.parametrize("strict_first", [True, False])
def test_what_cannot_be_judged_falls_under_the_strictest_rule_that_may_fit(
    condition, arguments, strict_first
):
    unsure = {"where": [condition], "by": "two" if strict_first else "requester"}
    rest = {"by": "requester" if strict_first else "two"}
    assert by({"decide": [unsure, rest]}, "refund", arguments) == "two"


def test_one_condition_that_does_not_hold_settles_a_rule():
    conditions = [BIG, {"at": "/to", "is": "=", "value": "me"}]
    assert by({"decide": [{"where": conditions, "by": "two"}]}, "refund", {"to": "you"}) == "requester"


@pytest.mark.parametrize(
    "policy",
    [
        [],
        "all",
        {"use": {"roles": ["boss"]}},
        {"use": {"role": ["user"]}},
        {"decide": [{"tool": "x"}]},
        {"decide": [{"by": "anyone"}]},
        {"decide": [{"by": "two", "where": [{"at": "amount", "is": ">", "value": 1}]}]},
        {"decide": [{"by": "two", "where": [{"at": "/amount", "is": "~", "value": 1}]}]},
        {"decide": {"by": "two"}},
    ],
)
def test_a_policy_that_cannot_be_read_shuts_the_agent(policy):
    if policy:
        with pytest.raises(RulesBroken):
            read_rules(policy)
        assert rules_of(policy) is SHUT
    assert SHUT.deciders("any", {}).by == "nobody"
    assert (SHUT.use.roles, SHUT.use.people) == ([], [])


def test_what_is_wrong_is_said():
    with pytest.raises(RulesBroken, match="decide/0/by"):
        read_rules({"decide": [{"tool": "x"}]})


def test_of_two_the_stricter_holds():
    role, two = Deciders("role", frozenset({"approver", "admin"})), Deciders("two", frozenset({"admin"}))
    assert stricter(role, two) == stricter(two, role) == two
    assert stricter(role, Deciders("role", frozenset({"admin"}))) == Deciders("role", frozenset({"admin"}))
