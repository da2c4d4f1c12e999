from chat_app.agui.adapters.langchain import SHAPE
from chat_app.agui.events import Interrupt


def question(*names, allowed=("approve", "edit", "reject")):
    raw = {
        "action_requests": [{"name": name, "args": {}} for name in names],
        "review_configs": [{"action_name": name, "allowed_decisions": list(allowed)} for name in names],
    }
    return Interrupt(id="i", reason="langgraph:interrupt", metadata={"langgraph": {"raw": raw}})


def test_each_action_gets_a_decision():
    asked = question("a", "b")
    assert SHAPE.fits(asked)
    assert SHAPE.approve(asked, None, "") == {"decisions": [{"type": "approve"}, {"type": "approve"}]}
    assert SHAPE.reject(asked, "") == {"decisions": [{"type": "reject"}, {"type": "reject"}]}
    assert SHAPE.reject(question("a"), "no") == {"decisions": [{"type": "reject", "message": "no"}]}


def test_one_action_can_be_edited_when_that_is_allowed():
    asked = question("delete_file")
    assert SHAPE.edit(asked)
    edited = {"type": "edit", "edited_action": {"name": "delete_file", "args": {"path": "b"}}}
    assert SHAPE.approve(asked, {"path": "b"}, "") == {"decisions": [edited]}
    assert not SHAPE.edit(question("a", "b"))
    assert not SHAPE.edit(question("a", allowed=["approve"]))


def test_other_questions_are_not_of_this_kind():
    assert not SHAPE.fits(Interrupt(id="i", reason="langgraph:interrupt"))
    bare = {"langgraph": {"raw": {"action_requests": [{"name": "a"}]}}}
    assert not SHAPE.edit(Interrupt(id="i", reason="x", metadata=bare))
