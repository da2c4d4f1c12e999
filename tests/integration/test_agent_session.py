"""Our client and our agent, who share no code but the protocol's models, in whole conversations."""

import asyncio
import logging

import pytest
from ag_ui.core import ResumeEntry

from chat_app.agent.gateway import AgentOptions, build_agent
from chat_app.agui import (
    CURRENT,
    Cancelled,
    Failed,
    InProcessTransport,
    Interrupted,
    Session,
    Success,
    UsageError,
)
from tests.support.agent_harness import TOKEN, Clock, counting_ids


@pytest.fixture
async def transport():
    agent = build_agent(TOKEN, now=Clock(), new_id=counting_ids("agent"), options=AgentOptions(pace=0))
    async with InProcessTransport(agent, headers={"authorization": f"Bearer {TOKEN}"}) as transport:
        yield transport


@pytest.fixture
def begun():
    """Set by the first event of any run."""
    return asyncio.Event()


@pytest.fixture
def session(transport, begun):
    complaints = []
    yield Session(
        transport,
        "thread-1",
        profile=CURRENT,
        on_event=lambda _event, _changes: begun.set(),
        on_diagnostic=complaints.append,
        now=Clock(),
        new_id=counting_ids("ours"),
    )
    assert not complaints


def answer(interrupt, **fields):
    return ResumeEntry(interrupt_id=interrupt.id, **({"status": "resolved"} | fields))


def last_text(session):
    return session.messages[-1].content


async def test_a_conversation_of_many_turns_succeeds(session):
    for line in ("Hello", "Where is order T-1077?", "Compare both orders", "Think about it", "Plan the day"):
        assert isinstance(await session.send(line), Success)
    assert session.raw_state["app"]["tasks"][-1]["done"] is True
    assert last_text(session).startswith("The workshop day is planned")


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"approved": True}, "Done: **184.5 EUR to Ines Marlow**"),
        ({"approved": False, "reason": "too much"}, "Nothing was paid. You said: “too much”."),
    ],
    ids=["approved", "rejected"],
)
async def test_an_approval_goes_round(session, payload, words):
    end = await session.send("Refund order T-1042")
    assert isinstance(end, Interrupted)
    assert isinstance(await session.resume([answer(end.interrupts[0], payload=payload)]), Success)
    assert words in last_text(session)
    assert isinstance(await session.send("Echo: and on"), Success)


async def test_two_approvals_are_decided_apart_and_an_edit_is_what_gets_paid(session):
    end = await session.send("Refund both orders")
    one, two = end.interrupts
    edited = {"order": "T-1042", "payee": "Ines Marlow", "amount": 90, "currency": "EUR", "reason": "half"}
    decided = answer(one, payload={"approved": True, "editedArgs": edited})
    assert isinstance(await session.resume([decided, answer(two, status="cancelled")]), Success)
    assert "Done: **90.0 EUR to Ines Marlow**" in last_text(session)
    assert "was cancelled" in last_text(session)


async def test_an_answer_that_does_not_fit_the_schema_never_leaves_the_client(session):
    end = await session.send("Refund order T-1042")
    partial = {"approved": True, "editedArgs": {"amount": 1}}
    with pytest.raises(UsageError, match="'order' is a required property"):
        await session.resume([answer(end.interrupts[0], payload=partial)])


async def test_failures_keep_what_was_said_and_the_next_line_works(session):
    for line, code in (("Fail in the middle", "UPSTREAM_FAILED"), ("Fail before you start", "UNAVAILABLE")):
        end = await session.send(line)
        assert (type(end), end.code) == (Failed, code)
    assert isinstance(await session.send("Give up"), Cancelled)
    assert isinstance(await session.send("Echo: fine"), Success)
    assert last_text(session) == "fine"


async def test_stopping_reaches_the_agent_and_the_next_line_works(session, begun, caplog):
    caplog.set_level(logging.INFO, "chat_app.agent")

    async def listen():
        await session.send("Say nothing")

    listening = asyncio.ensure_future(listen())
    await asyncio.wait_for(begun.wait(), 5)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert "was stopped" in caplog.text
    assert isinstance(await session.send("Echo: still here"), Success)
