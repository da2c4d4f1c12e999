import pytest

from tests.support.agent_harness import play, text_of


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("Echo: naïve café 🚲", "naïve café 🚲"),
        ("echo  two  spaces\nand a line\t", " two  spaces\nand a line\t"),
        ("ECHO, <b>bold</b>", "<b>bold</b>"),
        ("echo", "…"),
        ("Echo: echo: twice", "echo: twice"),
        ("Echo: \u2028 \u200d👩\u200d🔬", "\u2028 \u200d👩\u200d🔬"),
    ],
)
async def test_every_character_comes_back(line, answer):
    assert text_of(await play(line)) == answer
