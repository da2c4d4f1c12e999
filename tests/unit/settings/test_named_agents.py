import pytest
from pydantic import ValidationError

from chat_app.settings import NamedAgent, Settings

ORDERS = {"url": "https://orders.example/agent", "headers": {"Authorization": "Bearer s3cret"}}


def test_agents_are_read_from_json_and_from_tables_alike():
    text = (
        '{"Orders": {"url": "https://orders.example/agent", "headers": {"Authorization": "Bearer s3cret"}}}'
    )
    assert Settings(agents=text).agents == Settings(agents={"Orders": ORDERS}).agents
    found = Settings(agents=text).agents["Orders"]
    assert found.headers["Authorization"].get_secret_value() == "Bearer s3cret"
    assert (found.profile, found.accepts, found.idle_limit, found.suggestions) == ("tolerant", None, None, ())


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("orders", "must be a JSON object"),
        ({"a": {}}, "Field required"),
        ({"a": {"url": "file:///etc"}}, "must start with http"),
        ({"": ORDERS}, "at least 1 character"),
        ({"a": {**ORDERS, "accepts": ["books"]}}, "'image'"),
        ({"a": {**ORDERS, "idle_limit": 0}}, "greater than 0"),
        ({"a": {**ORDERS, "suggestions": ["1", "2", "3", "4", "5"]}}, "at most 4"),
        ({"a": {**ORDERS, "rules": {}}}, "Extra inputs"),
        ({"Parley": ORDERS}, "agents names Parley again"),
    ],
)
def test_what_is_no_agent_is_refused_with_a_reason(value, reason):
    with pytest.raises(ValidationError, match=reason):
        Settings(agents=value)


def test_an_agent_is_shown_without_what_may_be_secret():
    one = NamedAgent(url="https://user:s3cret@orders.example/agent?key=s3cret", headers={"X": "s3cret"})
    assert (str(one), "s3cret" in repr(one.headers)) == ("https://orders.example", False)
