"""What came beside the text: pictures, sounds, films and papers, described from their own bytes."""

import base64
import binascii
from typing import Final, assert_never

from ag_ui.core import DataSource, FileSource, UrlSource

from chat_app.agent.conversation import Attachment
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

_PNG: Final = b"\x89PNG\r\n\x1a\n"
NOTHING = (
    "You sent no picture. Attach one, or a sound, a film or a paper, and I tell you what I can see of it "
    "without a model to look through: its kind, its size, and of a PNG how large it is."
)


async def play(turn: Turn) -> None:
    """Describe each attachment in turn."""
    attachments = turn.conversation.attachments
    if not attachments:
        await turn.say(NOTHING)
        return
    lines = "\n".join(f"- {describe(one)}" for one in attachments)
    count = "one attachment" if len(attachments) == 1 else f"{len(attachments)} attachments"
    await turn.say(f"You sent {count}:\n\n{lines}")


def describe(part: Attachment) -> str:
    """Say what can be told of an attachment without fetching anything."""
    match part.source:
        case DataSource(value=value, mime_type=mime_type):
            return f"**{part.type}** of type `{mime_type}`, {_content(value)}"
        case UrlSource():
            return f"**{part.type}** at an address, which I do not open"
        case FileSource():
            return f"**{part.type}** by a handle that only its provider can read"
        case _ as never:
            assert_never(never)


def _content(value: str) -> str:
    try:
        data = base64.b64decode(value, validate=True)
    except binascii.Error:
        return "whose bytes cannot be read"
    return f"{len(data)} bytes{_dimensions(data)}"


def _dimensions(data: bytes) -> str:
    """Read width and height where a PNG keeps them."""
    if not data.startswith(_PNG) or len(data) < 24:
        return ""
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    return f", {width} by {height} pixels"


SCENARIO = Scenario(
    id="picture",
    title="What you attached",
    phrase="What is in this picture?",
    cue=cue(r"\bpicture\b|\bphoto\b|\battach"),
    play=play,
    shows="Messages in parts: text beside images, audio, video and documents",
    dojo="multimodal",
)
