import json

import pytest

from chat_app.services.activities import known


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
