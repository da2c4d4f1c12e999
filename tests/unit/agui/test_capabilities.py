import pytest

from chat_app.agui.capabilities import read_capabilities


def test_what_is_not_declared_stays_unknown():
    found = read_capabilities({"tools": {"supported": False}})
    assert (found.tools.supported, found.tools.client_provided, found.reasoning) == (False, None, None)
    assert read_capabilities({}).tools is None


@pytest.mark.parametrize(
    "broken", [[], "x", None, {"tools": {"supported": "yes"}}, {"execution": {"maxIterations": -1}}]
)
def test_a_broken_declaration_is_not_used_and_raises_nothing(broken):
    found = []
    assert read_capabilities(broken, found.append) is None
    assert [diagnostic.code for diagnostic in found] == ["capabilities"]


def test_unknown_members_are_left_out_and_the_rest_is_used():
    found = []
    declared = read_capabilities({"fancy": 1, "state": {"deltas": True, "odd": 2}}, found.append)
    assert declared.state.deltas is True
    assert sorted(diagnostic.path for diagnostic in found) == ["/fancy", "/state/odd"]


def test_custom_material_is_kept():
    declared = read_capabilities({"custom": {"a": None}, "identity": {"metadata": {"b": [1]}}})
    assert (declared.custom, declared.identity.metadata) == ({"a": None}, {"b": [1]})
