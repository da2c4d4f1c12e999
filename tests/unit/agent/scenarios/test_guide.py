from chat_app.agent.scenarios.guide import SCENARIO, TEXT
from tests.support.agent_harness import play, text_of


async def test_the_guide_arrives_whole():
    assert text_of(await play(SCENARIO.phrase)) == TEXT


def test_the_guide_holds_every_kind_of_block():
    lines = TEXT.splitlines()
    for start in ("# ", "## ", "- ", "1. ", "> ", "| ", "```python"):
        assert any(line.startswith(start) for line in lines), start
    assert "](https://" in TEXT
    assert 500 < len(TEXT.split()) < 750
