"""What each kind of peer is sent: the corpus cases that judge the request."""

import pytest

from chat_app.agui import CURRENT, LEGACY, ReplayTransport, Session, Success
from chat_app.agui.stored import parse_message
from tests.support.shared import files, load, params

FOUND = [load(file) for file in files("fixtures/protocol/*/*.json")]
CASES = [case for case in FOUND if isinstance(case, dict) and "request" in case.get("expect", {})]
OLD = {"0.0.39"}
"""Peers of the age that the profile 0.1 is for."""


def holds(found, expected):
    """Tell whether ``found`` says at least what is expected; lists have the same length."""
    if isinstance(expected, dict):
        return all(key in found and holds(found[key], value) for key, value in expected.items())
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(holds, found, expected))
    return found == expected


@pytest.mark.parametrize("case", params(CASES, [case["name"] for case in CASES]))
async def test_a_peer_is_sent_what_it_can_read(case):
    warnings = []
    old = case.get("client", {}).get("maxProtocolVersion") in OLD
    messages = [parse_message(one, warnings.append) for one in case.get("input", {}).get("messages", [])]
    transport = ReplayTransport(case["stream"])
    session = Session(
        transport,
        case["stream"][0]["threadId"],
        messages=messages,
        profile=LEGACY if old else CURRENT,
        on_diagnostic=warnings.append,
    )

    assert isinstance(await session.run(), Success)

    [request] = transport.requests
    assert holds(request.model_dump(mode="json", by_alias=True), case["expect"]["request"])
    if case["expect"].get("noWarnings"):
        assert [warning for warning in warnings if warning.code != "boundary-id"] == []
    if "warnings" in case["expect"]:
        assert any("without its image" in warning.message for warning in warnings)
