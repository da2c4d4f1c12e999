import pytest
import reflex as rx
from reflex.event import Event
from reflex.state import State, StateUpdate
from structlog.testing import capture_logs

from chat_app.state.chat import Chat
from chat_app.state.gate import Gate, allowed, public

ROOT = State.get_full_name()
CHAT = Chat.get_full_name()
INNER = f"{ROOT}.reflex___state____on_load_internal_state"


class Unmarked(rx.State):
    """A state somebody wrote without thinking of browsers."""

    secret: str = ""

    def wipe(self) -> None:
        """Callable from any socket, were it not for the gate."""

    @public
    def look(self) -> None:
        """Meant for the page."""


@pytest.mark.parametrize(
    "handler",
    ["load", "send", "stop", "retry", "dismiss_problem"],
)
def test_handlers_of_the_page_may_be_called(handler):
    assert allowed(f"{CHAT}.{handler}")


def test_a_handler_says_itself_that_it_is_public():
    assert allowed(f"{Unmarked.get_full_name()}.look")
    assert not allowed(f"{Unmarked.get_full_name()}.wipe")


@pytest.mark.parametrize(
    "name",
    [
        f"{CHAT}.setvar",
        f"{ROOT}.setvar",
        f"{INNER}.setvar",
        f"{CHAT}.set_problem",
        f"{CHAT}._person",
        f"{CHAT}._try",
        f"{CHAT}.unknown",
        f"{CHAT}.send.__globals__",
        "a.b.c",
    ],
)
def test_everything_else_is_refused(name):
    assert not allowed(name)


@pytest.mark.parametrize(
    "name", [f"{ROOT}.hydrate", f"{INNER}.on_load_internal", f"{ROOT}.reflex___state____x.y"]
)
def test_the_framework_may_do_its_work(name):
    assert allowed(name)


async def test_the_gate_lets_a_public_event_through():
    assert await Gate().preprocess(None, None, Event(name=f"{CHAT}.stop")) is None


async def test_the_gate_answers_the_others_with_nothing_and_notes_them():
    name = f"{CHAT}.setvar"
    with capture_logs() as logs:
        assert await Gate().preprocess(None, None, Event(name=name)) == StateUpdate()
    assert [(entry["event"], entry["handler"]) for entry in logs] == [("event_refused", name)]


async def test_a_refused_name_is_noted_short():
    with capture_logs() as logs:
        await Gate().preprocess(None, None, Event(name="a.b." + "x" * 10_000))
    assert len(logs[0]["handler"]) == 200
