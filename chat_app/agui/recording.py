"""Recording runs with their timing, and playing them back through the same client.

A recording holds what was sent and what came back, frame by frame, so that a replay is judged and
folded by every stage again. It also holds how the run broke, if it did.

>>> import asyncio, itertools, tempfile
>>> from chat_app.agui import ReplayTransport, Session
>>> agent = ReplayTransport([{"type": "RUN_ERROR", "message": "closed"}])
>>> kept: list[Recording] = []
>>> recorder = Recorder(agent, kept.append, clock=itertools.count().__next__)
>>> async def talk(transport):
...     return await Session(transport, "t").send("Hello?")
>>> live = asyncio.run(talk(recorder))
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder) / "run.json"
...     write_recordings(path, kept)
...     again = RecordedTransport(*read_recordings(path))
>>> asyncio.run(talk(again)) == live
True
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ag_ui.core import RunAgentInput
from pydantic import JsonValue, TypeAdapter, ValidationError

from chat_app.agui.errors import ConfigError, TransportError
from chat_app.agui.transport.base import Frame, Transport, closing

FORMAT = "agui-recording/1"


@dataclass(frozen=True, slots=True)
class RecordedFrame:
    """One frame and when it came, in seconds after the request was sent."""

    at: float
    frame: Frame


@dataclass(frozen=True, slots=True)
class Recording:
    """One run as it went over the wire; ``error`` is what broke it, None when the stream ended by itself."""

    request: dict[str, JsonValue]
    frames: tuple[RecordedFrame, ...]
    error: str | None = None


class Recorder:
    """A transport that writes down what passes through another one.

    ``keep`` is given each recording when its stream is over, however it ended. ``clock`` counts seconds.
    """

    def __init__(
        self, transport: Transport, keep: Callable[[Recording], None], *, clock: Callable[[], float]
    ) -> None:
        self._transport = transport
        self._keep = keep
        self._clock = clock

    async def run(self, run_input: RunAgentInput, /) -> AsyncGenerator[Frame, None]:
        """Run the agent and pass its frames on."""
        begin, error = self._clock(), None
        frames: list[RecordedFrame] = []
        try:
            async with closing(self._transport.run(run_input)) as stream:
                async for frame in stream:
                    frames.append(RecordedFrame(self._clock() - begin, frame))
                    yield frame
        except Exception as trouble:
            error = str(trouble) or type(trouble).__name__
            raise
        finally:
            request = run_input.model_dump(mode="json", by_alias=True)
            self._keep(Recording(request, tuple(frames), error))


class RecordedTransport:
    """Plays recordings back, one per run.

    Without ``sleep`` the frames come at once; with it, ``asyncio.sleep`` for one, they keep the pace they
    came at, ``speed`` times as fast.
    """

    def __init__(
        self,
        *recordings: Recording,
        sleep: Callable[[float], Awaitable[None]] | None = None,
        speed: float = 1.0,
    ) -> None:
        if speed <= 0:
            raise ConfigError(f"speed must be more than 0, not {speed:g}.")
        self._waiting = list(recordings)
        self._sleep = sleep
        self._speed = speed

    async def run(self, _run_input: RunAgentInput, /) -> AsyncIterator[Frame]:
        """Yield the frames of the next recording.

        Raises:
            TransportError: No recording is left, or the recorded run broke here.
        """
        if not self._waiting:
            raise TransportError("No recording is left for this run.")
        recording, passed = self._waiting.pop(0), 0.0
        for recorded in recording.frames:
            if self._sleep is not None:
                await self._sleep(max(0.0, recorded.at - passed) / self._speed)
            passed = recorded.at
            yield recorded.frame
        if recording.error is not None:
            raise TransportError(recording.error)


@dataclass(frozen=True, slots=True)
class _File:
    format: str
    runs: tuple[Recording, ...]


_FILE = TypeAdapter(_File)


def write_recordings(path: Path, recordings: Sequence[Recording]) -> None:
    """Write recordings to a JSON file."""
    document = _FILE.dump_python(_File(FORMAT, tuple(recordings)), mode="json")
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_recordings(path: Path) -> tuple[Recording, ...]:
    """Return the recordings of a file.

    Raises:
        ConfigError: The file is none of this package's recordings.
    """
    try:
        found = _FILE.validate_json(path.read_bytes())
    except ValidationError as error:
        raise ConfigError(f"{path.name} is no recording: {error.error_count()} places do not fit.") from error
    if found.format != FORMAT:
        raise ConfigError(f"{path.name} has the format {found.format!r}; this version reads {FORMAT!r}.")
    return found.runs
