import pytest

from chat_app.agent.dispatch import read_arguments


@pytest.mark.parametrize(
    ("text", "arguments"), [("", {}), ('{"a": 1}', {"a": 1}), ("{", None), ("[]", None), ("7", None)]
)
def test_arguments_are_an_object_or_nothing(text, arguments):
    assert read_arguments(text) == arguments
