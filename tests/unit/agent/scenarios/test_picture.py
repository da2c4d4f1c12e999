import base64

import pytest

from chat_app.agent.scenarios.picture import NOTHING, SCENARIO
from tests.support.agent_harness import play, text_of

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")


def line(*parts):
    return {"id": "u1", "role": "user", "content": [{"type": "text", "text": SCENARIO.phrase}, *parts]}


def data(content, kind="image", mime="image/png"):
    value = content if isinstance(content, str) else base64.b64encode(content).decode()
    return {"type": kind, "source": {"type": "data", "value": value, "mimeType": mime}}


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (data(PNG), "**image** of type `image/png`, 24 bytes, 640 by 480 pixels"),
        (data(PNG[:20]), "20 bytes"),
        (data(b"abc", "document", "text/plain"), "**document** of type `text/plain`, 3 bytes"),
        (data("not base64!"), "whose bytes cannot be read"),
        ({"type": "audio", "source": {"type": "url", "value": "https://example.org/a.mp3"}}, "do not open"),
        ({"type": "video", "source": {"type": "file", "value": "f-1"}}, "only its provider can read"),
    ],
)
async def test_an_attachment_is_described_from_its_own_bytes(part, words):
    said = text_of(await play([line(part)]))
    assert said.startswith("You sent one attachment:")
    assert words in said


async def test_every_attachment_gets_a_line():
    said = text_of(await play([line(data(PNG), data(b"x"))]))
    assert said.count("\n- ") == 2
    assert said.startswith("You sent 2 attachments:")


async def test_a_line_without_any_is_told_so():
    assert text_of(await play(SCENARIO.phrase)) == NOTHING


async def test_an_attachment_alone_asks_for_its_description():
    alone = {**line(data(PNG)), "content": [data(PNG)]}
    assert "640 by 480" in text_of(await play([alone]))
