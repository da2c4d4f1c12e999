from chat_app.agent.scenarios.shorten import SCENARIO
from tests.support.agent_harness import after, person, play, text_of


async def test_everything_before_the_line_becomes_one_summary():
    history = [person("Where is order T-1077?"), person("x" * 80, key="u2")]
    history = after(history, await play(history))
    line = person(SCENARIO.phrase, key="u9")
    events = await play([*history, line], runId="run-2")
    (snapshot,) = [event["messages"] for event in events if event["type"] == "MESSAGES_SNAPSHOT"]
    assert [message["role"] for message in snapshot] == ["assistant", "user"]
    assert snapshot[0]["content"].endswith(f"- Where is order T-1077?\n- {'x' * 60}…")
    assert snapshot[1] == line
    notice = next(event for event in events if event["type"] == "CUSTOM")
    assert notice["value"] == {"text": f"{len(history)} messages became one."}


async def test_a_conversation_of_one_line_is_left_alone():
    events = await play(SCENARIO.phrase)
    assert "MESSAGES_SNAPSHOT" not in {event["type"] for event in events}
    assert "nothing before this line" in text_of(events)
