from tests.support.agent_harness import play, said, text_of


async def test_a_failure_in_mid_answer_keeps_the_text_and_closes_it():
    events = await play("Fail in the middle of an answer")
    assert text_of(events).endswith("the wheel is ")
    assert [event["type"] for event in said(events)[-2:]] == ["TEXT_MESSAGE_END", "RUN_ERROR"]
    assert (events[-1]["code"], events[-1]["message"]) == (
        "UPSTREAM_FAILED",
        "The stock system stopped answering.",
    )


async def test_a_crash_in_mid_call_closes_the_call_and_hides_the_bug(caplog):
    events = await play("Crash")
    assert [event["type"] for event in said(events)[-2:]] == ["TOOL_CALL_END", "RUN_ERROR"]
    assert events[-1]["code"] == "AGENT_ERROR"
    assert "on purpose" not in events[-1]["message"]
    assert "on purpose" in caplog.text


async def test_a_failure_before_the_start_is_the_only_event():
    (error,) = await play("Fail before you start")
    assert (error["type"], error["code"]) == ("RUN_ERROR", "UNAVAILABLE")
