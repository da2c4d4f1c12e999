"""Events of a thread ``t``, written short, and what a log of them can tell."""

from dataclasses import replace

from chat_app.agui import Failed

RUN_STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "r1"}
RUN_FINISHED = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r1"}


def started(run_id="r1", **more):
    return {"type": "RUN_STARTED", "threadId": "t", "runId": run_id, **more}


def finished(run_id="r1", **more):
    return {"type": "RUN_FINISHED", "threadId": "t", "runId": run_id, **more}


def interrupted(*interrupts, run_id="r1"):
    return finished(run_id, outcome={"type": "interrupt", "interrupts": list(interrupts)})


def failed(message="boom", code=None):
    return {"type": "RUN_ERROR", "message": message, **({"code": code} if code else {})}


def text(message_id, *deltas):
    """Return a whole text message."""
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant"},
        *({"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": delta} for delta in deltas),
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    ]


def call(call_id, name, arguments="{}", **more):
    """Return a whole tool call."""
    return [
        {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name, **more},
        {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": arguments},
        {"type": "TOOL_CALL_END", "toolCallId": call_id},
    ]


def result(call_id, content, message_id=None):
    return {
        "type": "TOOL_CALL_RESULT",
        "messageId": message_id or f"result-{call_id}",
        "toolCallId": call_id,
        "content": content,
    }


def run(*events, run_id="r1"):
    """Return a run that says ``events`` (single ones or lists) and succeeds."""
    flat = [one for event in events for one in (event if isinstance(event, list) else [event])]
    return [started(run_id), *flat, finished(run_id)]


def as_logged(transcript):
    """Return a transcript as its log folds: which run failed before it started is in no event."""
    end = transcript.run
    return replace(transcript, run=replace(end, run_id="")) if isinstance(end, Failed) else transcript
