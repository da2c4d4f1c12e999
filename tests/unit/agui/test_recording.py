import itertools
from contextlib import aclosing

import pytest
from ag_ui.core import RunAgentInput

from chat_app.agui.errors import ConfigError, TransportError
from chat_app.agui.recording import (
    RecordedFrame,
    RecordedTransport,
    Recorder,
    Recording,
    read_recordings,
    write_recordings,
)
from chat_app.agui.session import Session
from chat_app.agui.transport.replay import ReplayTransport
from tests.support.scripts import RUN_FINISHED, RUN_STARTED, run, text

REQUEST = RunAgentInput(thread_id="t", run_id="r", messages=[])


def recorder(*scripts):
    kept, seconds = [], itertools.count()
    return Recorder(ReplayTransport(*scripts), kept.append, clock=lambda: float(next(seconds))), kept


async def test_a_recording_holds_the_request_and_each_frame_with_its_time():
    transport, kept = recorder([RUN_STARTED, RUN_FINISHED])
    assert [frame async for frame in transport.run(REQUEST)] == [RUN_STARTED, RUN_FINISHED]
    frames = (RecordedFrame(1, RUN_STARTED), RecordedFrame(2, RUN_FINISHED))
    assert kept == [Recording({"threadId": "t", "runId": "r", "messages": []}, frames)]


async def test_a_run_that_breaks_or_is_stopped_is_kept_too():
    transport, kept = recorder([RUN_STARTED, EOFError()], [RUN_STARTED, RUN_FINISHED])
    with pytest.raises(EOFError):
        _ = [frame async for frame in transport.run(REQUEST)]
    async with aclosing(transport.run(REQUEST)) as frames:
        await anext(frames)
    assert [(len(one.frames), one.error) for one in kept] == [(1, "EOFError"), (1, None)]


async def test_a_replayed_recording_gives_the_same_transcript(tmp_path):
    transport, kept = recorder(run(text("a", "Hel", "lo")))
    live = Session(transport, "t")
    await live.send("hi")
    write_recordings(tmp_path / "run.json", kept)

    again = Session(RecordedTransport(*read_recordings(tmp_path / "run.json")), "t")
    await again.send("hi")

    assert again.transcript == live.transcript
    assert (await again.run()).message == "No recording is left for this run."


async def test_a_replay_can_keep_the_pace():
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    recording = Recording({}, (RecordedFrame(1, RUN_STARTED), RecordedFrame(4, RUN_FINISHED)), "it broke")
    frames = RecordedTransport(recording, sleep=sleep, speed=2).run(REQUEST)
    assert [await anext(frames), await anext(frames)] == [RUN_STARTED, RUN_FINISHED]
    with pytest.raises(TransportError, match="it broke"):
        await anext(frames)
    assert slept == [0.5, 1.5]


def test_a_pace_of_nothing_is_refused():
    with pytest.raises(ConfigError):
        RecordedTransport(speed=0)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("{}", "is no recording"), ('{"format": "other/1", "runs": []}', "'other/1'")],
)
def test_a_file_of_another_kind_is_refused(tmp_path, content, complaint):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(ConfigError, match=complaint):
        read_recordings(tmp_path / "x.json")
