import pytest

from chat_app.agui import errors


def test_an_error_without_a_message_says_the_sentence_of_its_class() -> None:
    assert errors.ConnectFailed().message == "The agent could not be reached."


def test_an_error_says_what_it_was_told() -> None:
    assert str(errors.ThreadInterrupted("Answer first")) == "Answer first"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (errors.ConfigError, "config"),
        (errors.NotInterrupted, "usage"),
        (errors.StreamCut, "transport"),
        (errors.BadFrame, "decode"),
        (errors.Truncated, "protocol"),
        (errors.StateMismatch, "state"),
    ],
)
def test_each_branch_of_the_tree_has_its_word(error: type[errors.AguiError], kind: str) -> None:
    assert error.kind == kind


def test_a_malformed_event_names_its_place() -> None:
    error = errors.BadEvent("RUN_ERROR", "/message", "it is required")
    assert error.message == "RUN_ERROR is malformed at /message: it is required"
    assert errors.BadEvent("X", "", "no").message == "X is malformed at /: no"


def test_an_http_error_says_what_the_agent_said_and_what_to_try() -> None:
    error = errors.HttpStatus(422, "no such field", retry_after="3", hint="Try profile 0.1.")
    assert error.message == "The agent answered with HTTP status 422: no such field Try profile 0.1."
    assert (error.status, error.excerpt, error.retry_after) == (422, "no such field", "3")
    assert errors.HttpStatus(500).message == "The agent answered with HTTP status 500"


def test_a_failed_patch_names_the_operation() -> None:
    error = errors.PatchFailed("nothing there", index=2, op="remove", pointer="/a")
    assert error.message == "The patch does not apply at operation 2 (remove /a): nothing there"


def test_the_rest_of_the_tree_keeps_what_a_caller_needs() -> None:
    assert errors.UncoveredInterrupts("two left", missing=("i1", "i2")).missing == ("i1", "i2")
    assert errors.OutOfOrder("PV1", "CUSTOM", "too early").rule == "PV1"
    assert errors.AgentRunError("down", "E1").code == "E1"
