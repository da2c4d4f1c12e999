from itertools import count

import pytest

from chat_app.agui import TOLERANT, ConnectFailed, HttpStatus
from chat_app.services.agent_probe import Probe, Trial
from tests.support.world import Gate, PlayedAgent, answer, ask, called, finished, started

TRIAL = Trial(limit=0.2)


async def found(agent: PlayedAgent, trial: Trial = TRIAL, **more) -> list[tuple[str, str]]:
    numbers = count()
    probe = Probe(agent, TOLERANT, new_id=lambda: f"id-{next(numbers)}", elapsed=lambda: 0.0, **more)
    return [(one.check, one.state) for one in await probe.look(trial)]


def failing(error: Exception):
    return lambda _run: [error]


async def test_a_good_agent_passes_every_look():
    async def declared():
        return {"tools": {"supported": True}}

    agent = PlayedAgent(answer("Hi"), answer("Hi"), ask(), answer("ok"))
    assert await found(agent, Trial(asking="pay", limit=1), declared=declared) == [
        ("reached", "ok"),
        ("signed_in", "ok"),
        ("declared", "ok"),
        ("run", "ok"),
        ("stop", "ok"),
        ("asks", "ok"),
    ]
    assert agent.requests[3].resume[0].status == "cancelled"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ConnectFailed("Nobody."), [("reached", "bad")]),
        (HttpStatus(401, "no"), [("reached", "ok"), ("signed_in", "bad")]),
        (HttpStatus(500, "no"), [("reached", "ok"), ("run", "bad")]),
    ],
)
async def test_what_cannot_be_reached_is_looked_at_no_further(error, expected):
    assert await found(PlayedAgent(failing(error))) == expected


async def test_what_says_nothing_or_does_not_end_is_given_up():
    gate = Gate()

    def silent(run):
        return [gate]

    def open_end(run):
        return [started(run), gate]

    assert await found(PlayedAgent(silent)) == [("reached", "bad")]
    checks = await found(PlayedAgent(open_end, open_end))
    assert ("run", "bad") in checks
    assert ("stop", "ok") in checks


async def test_what_is_odd_or_was_not_declared_is_noted():
    async def declared():
        return {"tools": None}

    def odd(run):
        return [started(run), *called("c1"), {"type": "FANCY"}, finished(run)]

    checks = await found(PlayedAgent(odd, answer("x")), declared=declared)
    assert ("declared", "note") in checks
    assert ("protocol", "note") in checks
    assert ("asks", "skipped") in checks


async def test_an_agent_that_does_not_ask_or_fails_after_the_answer_is_told():
    def broken(run):
        return [started(run), {"type": "RUN_ERROR", "message": "no"}]

    quiet = PlayedAgent(answer("Hi"), answer("Hi"), answer("paid"))
    assert ("asks", "note") in await found(quiet, Trial(asking="pay", limit=1))
    bad = PlayedAgent(answer("Hi"), answer("Hi"), ask(), broken)
    assert ("asks", "bad") in await found(bad, Trial(asking="pay", limit=1))
    assert await found(PlayedAgent(broken)) == [
        ("reached", "ok"),
        ("signed_in", "ok"),
        ("declared", "skipped"),
        ("run", "bad"),
    ]
