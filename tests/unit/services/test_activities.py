import json
from functools import reduce

import pytest

from chat_app.services.activities import DEEPEST, consent, known


def read(name: str, content: object):
    found = known(name, json.dumps(content))
    return found and (found[0], json.loads(found[1]))


@pytest.mark.parametrize("name", ["plan", "PLAN", "run-plan", "todos"])
def test_a_plan_is_a_list_of_steps_whatever_it_is_called(name):
    content = {
        "steps": [{"description": "Read", "status": "completed"}, {"title": "Book", "done": True}, "Set"]
    }
    assert read(name, content) == (
        "plan",
        {
            "steps": [
                {"title": "Read", "status": "done"},
                {"title": "Book", "status": "done"},
                {"title": "Set", "status": "todo"},
            ]
        },
    )


@pytest.mark.parametrize(
    ("step", "status"),
    [
        ({"title": "a", "status": "In progress"}, "doing"),
        ({"title": "a", "state": "failed"}, "failed"),
        ({"title": "a", "status": "odd"}, "todo"),
        ({"title": "a"}, "todo"),
    ],
)
def test_a_step_says_how_it_stands(step, status):
    assert read("plan", {"items": [step]}) == ("plan", {"steps": [{"title": "a", "status": status}]})


@pytest.mark.parametrize("content", [{}, {"steps": []}, {"steps": [{"no": "title"}]}, {"steps": [1]}, [1]])
def test_a_plan_nobody_can_read_stays_what_it_is(content):
    assert read("plan", content) is None


def test_a_surface_is_drawn_from_its_description():
    content = {
        "operations": [
            {"updateComponents": {"components": [{"id": "root", "component": "Text", "text": "Hi"}]}}
        ]
    }
    assert read("a2ui-surface", content) == ("surface", {"kind": "text", "text": "Hi"})
    assert read("a2ui-surface", {"operations": []}) is None


def test_any_other_activity_stays_what_it_is():
    assert read("weather", {"steps": ["a"]}) is None


def test_text_that_is_no_json_stays_what_it_is():
    assert known("plan", "{") is None


def test_a_request_for_consent_names_its_address_and_host():
    assert read(
        "oauth", {"provider": "Calendar", "auth_url": "https://login.test/a?b", "scopes": ["read", 1]}
    ) == (
        "consent",
        {"url": "https://login.test/a?b", "host": "login.test", "title": "Calendar", "scopes": ["read"]},
    )


def test_an_address_is_found_where_a_tool_puts_it():
    asked = consent(
        json.dumps({"authConfig": {"credential": {"oauth2": {"authUri": "https://login.test/"}}}})
    )
    assert asked is not None
    assert json.loads(asked)["host"] == "login.test"


@pytest.mark.parametrize(
    "url",
    [
        "http://login.test/",
        "javascript:alert(1)",
        "https://good.test@evil.test/",
        "https://login.test\\@evil.test/",
        "https://lögin.test/",
        "https://[",
        "",
    ],
)
def test_consent_is_asked_for_at_plain_https_addresses_only(url):
    assert read("oauth", {"url": url}) is None
    assert consent(json.dumps({"url": url})) is None


def test_arguments_that_are_still_arriving_ask_for_nothing():
    assert consent('{"url": "https://login') is None


def test_an_address_that_stands_too_deep_is_not_looked_for():
    def below(depth: int) -> str:
        held: object = "https://login.test/"
        return json.dumps(reduce(lambda inner, _: {"held": inner}, range(depth), {"url": held}))

    assert consent(below(DEEPEST - 1)) is not None
    assert consent(below(DEEPEST)) is None
