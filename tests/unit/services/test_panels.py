import json
from dataclasses import asdict, dataclass

import jsonpatch
import pytest
from pydantic import BaseModel

from chat_app.services.panels import (
    PATCHED_UP_TO,
    Fit,
    Held,
    Misfit,
    Panels,
    PanelSpec,
    Shared,
    changed_paths,
    project,
    views_of,
)


class Counter(BaseModel):
    count: int


@dataclass(frozen=True, slots=True)
class CounterView:
    shown: str


COUNTER = PanelSpec("counter", "/app", Counter, lambda counter: CounterView(f"No. {counter.count}"))
WHOLE = PanelSpec("state")
AT = "2026-11-30T14:02:10+00:00"


def held(state, **shared) -> Held:
    return Held((state,), Shared(seen=True, **shared))


def followed(panels: Panels, views: dict) -> dict:
    """Do to `views` what a browser does with the ops."""
    for op in panels.ops():
        if op[0] == "panel":
            views[op[1]] = op[2]
        elif op[0] == "patch":
            views[op[1]] = jsonpatch.apply_patch(views[op[1]], op[2])
    return views


def test_a_panel_projects_its_place_of_the_state():
    assert project(COUNTER, {"app": {"count": 3}}) == Fit({"shown": "No. 3"})


def test_a_panel_without_a_model_shows_the_value_as_it_is():
    assert project(WHOLE, {"anything": [1]}) == Fit({"anything": [1]})


@pytest.mark.parametrize(
    ("state", "where"),
    [({}, "/app"), ({"app": {}}, "count"), ({"app": {"count": "many"}}, "count"), ([], "/app")],
)
def test_what_does_not_fit_says_where(state, where):
    assert project(COUNTER, state) == Misfit(where)


def test_a_place_in_a_list_is_named_as_people_write_it():
    class Many(BaseModel):
        tasks: list[Counter]

    spec = PanelSpec("many", "", Many, lambda many: CounterView(str(many)))
    assert project(spec, {"tasks": [{"count": 1}, {"count": "x"}]}) == Misfit("tasks[1].count")


def test_without_a_state_there_is_no_panel():
    panels = Panels([COUNTER, WHOLE])
    assert panels.snapshot() == {"shared": asdict(Shared()), "views": {}}
    assert panels.ops() == []


def test_an_empty_state_is_a_state():
    assert Panels([WHOLE], held({})).snapshot()["views"]["state"]["view"] == {}


def test_a_panel_that_never_fitted_is_not_shown():
    assert list(Panels([COUNTER, WHOLE], held({"usage": 1})).snapshot()["views"]) == ["state"]


def test_a_state_that_no_longer_fits_keeps_the_last_good_view_and_says_where():
    panels = Panels([COUNTER], held({"app": {"count": 1}}, at=AT))
    panels.hold(held({"app": {"count": "?"}}, at="later"))
    views = followed(panels, dict(panels.snapshot()["views"]))
    assert views["counter"] == {"status": "stale", "at": AT, "where": "count", "view": {"shown": "No. 1"}}


def test_the_next_state_that_fits_is_fresh_again():
    panels = Panels([COUNTER], held({"app": {"count": 1}}))
    for count in ("?", 2):
        panels.hold(held({"app": {"count": count}}))
        panels.ops()
    assert panels.snapshot()["views"]["counter"] == {
        "status": "fresh",
        "at": "",
        "where": "",
        "view": {"shown": "No. 2"},
    }


def test_a_thread_opened_again_recalls_the_last_view_that_fitted():
    panels = Panels([COUNTER, WHOLE], held({"app": None}))
    assert panels.unread
    panels.recall([({"app": 0}, "newer"), ({"app": {"count": 5}}, AT), ({"app": {"count": 4}}, "older")])
    assert panels.snapshot()["views"]["counter"] == {
        "status": "stale",
        "at": AT,
        "where": "",
        "view": {"shown": "No. 5"},
    }
    assert not panels.unread


def test_followers_end_up_with_what_a_snapshot_holds():
    panels = Panels([COUNTER, WHOLE], held({"app": {"count": 0}, "text": "x" * 500}))
    views = json.loads(json.dumps(panels.snapshot()["views"]))
    for state in ({"app": {"count": 1}, "text": "x" * 500}, {"app": {}}, {"app": {"count": 2}}, [1]):
        panels.hold(held(state))
        assert followed(panels, views) == panels.snapshot()["views"]


def test_a_small_change_of_a_big_state_is_sent_small():
    text = "x" * 20_000
    panels = Panels([WHOLE], held({"text": text, "n": 1}))
    panels.hold(held({"text": text, "n": 2}))
    [op] = panels.ops()
    assert op == ["patch", "state", [{"op": "replace", "path": "/view/n", "value": 2}]]


def test_what_is_too_big_to_compare_is_sent_whole():
    panels = Panels([WHOLE], held({"text": "x" * PATCHED_UP_TO}))
    panels.hold(held({"text": "y" * PATCHED_UP_TO}))
    assert [op[0] for op in panels.ops()] == ["panel"]


def test_a_number_that_only_changed_its_kind_is_still_what_followers_get():
    panels = Panels([WHOLE], held({"n": 1}))
    views = json.loads(json.dumps(panels.snapshot()["views"]))
    panels.hold(held({"n": True}))
    assert json.dumps(followed(panels, views)) == json.dumps(panels.snapshot()["views"])


def test_the_same_state_again_is_no_change():
    panels = Panels([WHOLE], held({"n": 1}))
    panels.hold(held({"n": 1}))
    assert not panels.dirty
    assert panels.ops() == []


def test_what_a_person_changed_is_theirs_until_the_agent_speaks_of_the_state():
    panels = Panels([WHOLE], held({"n": 2}, yours=["/n"], by="Ada", count=2, mine=[2]))
    panels.hear({"n": 2}, AT)
    assert panels.ops() == [["shared", asdict(Shared(seen=True, count=2, mine=[2]))]]
    assert panels.writing


@pytest.mark.parametrize(
    ("pointer", "allowed"),
    [
        ("/app/tasks/0/done", True),
        ("/app/tasks/0/title", False),
        ("/app/tasks/0", False),
        ("/app/tasks/0/done/x", False),
        ("/notes", True),
        ("/notes/a/b", True),
        ("/note", False),
        ("", False),
    ],
)
def test_a_panel_says_what_may_be_changed(pointer, allowed):
    assert PanelSpec("p", edits=("/app/tasks/*/done", "/notes/**")).allows(pointer) is allowed


def test_an_earlier_state_is_shown_by_the_panels_it_fits():
    assert list(views_of([COUNTER, WHOLE], {"app": {"count": 1}})) == ["counter", "state"]
    assert list(views_of([COUNTER, WHOLE], {})) == ["state"]


def test_where_two_states_differ_is_said_by_pointers():
    assert changed_paths({"a": 1, "b": [1]}, {"a": 2, "b": [1]}) == ["/a"]
