"""Recorded answers of real servers, played back byte by byte."""

import json
from dataclasses import dataclass
from functools import cache

from ag_ui.core import Message
from pydantic import TypeAdapter

from chat_app.agui import RunParams, Session, StreamCut
from chat_app.agui.sse import frames
from tests.support.shared import SHARED, load

FOLDER = SHARED / "fixtures/recordings"
_PIECE = 1000
_MESSAGES = TypeAdapter(list[Message])


@dataclass
class RecordedTransport:
    """Answers with a recorded body, which a server may have cut."""

    body: bytes
    cut: bool

    async def run(self, _run_input):
        async for frame in frames(self._pieces()):
            yield frame

    async def _pieces(self):
        for start in range(0, len(self.body), _PIECE):
            yield self.body[start : start + _PIECE]
        if self.cut:
            raise StreamCut


@cache
def recordings():
    """Return the entries of the manifest that hold a stream."""
    manifest = load("fixtures/recordings/manifest.json")
    entries = manifest["recordings"] if manifest else []
    return [entry for entry in entries if entry["file"].endswith(".sse")]


def refusals():
    """Return the entries of the manifest that hold an HTTP error."""
    manifest = load("fixtures/recordings/manifest.json")
    entries = manifest["recordings"] if manifest else []
    return [entry for entry in entries if not entry["file"].endswith(".sse")]


def predecessor(entry):
    """Return the recording whose run a request follows, None when it follows none."""
    earlier = (one for one in recordings() if one["framework"] == entry["framework"])
    return next((one for one in earlier if one["scenario"] == entry["follows"]), None)


def request_of(entry):
    return json.loads((FOLDER / entry["request"]).read_text(encoding="utf-8"))


def reference_of(entry):
    return json.loads((FOLDER / entry["reference"]).read_text(encoding="utf-8"))


def session_of(entry, **options):
    """Return a session that stands where the recorded request stood, with the answer ahead of it."""
    request = request_of(entry)
    transport = RecordedTransport(
        (FOLDER / entry["file"]).read_bytes(), "cut by the server" in entry["transport"]
    )
    messages = _MESSAGES.validate_python(request.get("messages", []))
    state = request.get("state")
    session = Session(transport, request["threadId"], messages=messages, state=state, **options)
    return session, RunParams(run_id=request["runId"])


def last_word(entry):
    """Return the last terminal event of a recording, None when there is none."""
    found = None
    for line in (FOLDER / entry["file"]).read_bytes().replace(b"\r\n", b"\n").split(b"\n"):
        if line.startswith(b"data:") and b'"type":"RUN_' in line.replace(b" ", b""):
            event = json.loads(line[5:])
            if event["type"] in {"RUN_FINISHED", "RUN_ERROR"}:
                found = found if found and found["type"] == "RUN_ERROR" else event
    return found
