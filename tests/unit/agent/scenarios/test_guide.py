from chat_app.agent.scenarios.guide import SCENARIO, TEXT
from tests.support.agent_harness import play, text_of


async def test_the_guide_arrives_whole_in_word_sized_deltas():
    events = await play(SCENARIO.phrase)
    assert text_of(events) == TEXT
    assert len([event for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]) > 500


def test_the_guide_holds_every_kind_of_block():
    lines = TEXT.splitlines()
    for start in ("# ", "## ", "- ", "1. ", "> ", "| ", "```python"):
        assert any(line.startswith(start) for line in lines), start
    assert "](https://" in TEXT
    assert 500 < len(TEXT.split()) < 750
