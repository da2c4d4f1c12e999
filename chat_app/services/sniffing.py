"""What a file is, by its first bytes and never by what it calls itself; and its name as a harmless label. Pure."""

import re
from typing import Final
from unicodedata import category

LONGEST_NAME = 120
NAMELESS = "file"
BINARY: Final = "application/octet-stream"
# signature, where it stands → media type
SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF87a", 0, "image/gif"),
    (b"GIF89a", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
    (b"%PDF-", 0, "application/pdf"),
    (b"WAVE", 8, "audio/wav"),
    (b"ID3", 0, "audio/mpeg"),
    (b"\xff\xfb", 0, "audio/mpeg"),
    (b"OggS", 0, "audio/ogg"),
    (b"fLaC", 0, "audio/flac"),
    (b"ftyp", 4, "video/mp4"),
    (b"\x1a\x45\xdf\xa3", 0, "video/webm"),
    (b"PK\x03\x04", 0, "application/zip"),
)
SHOWN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What a browser may draw in the page; everything else is a download."""


def media_type(content: bytes) -> str:
    """Return the media type of a content; text is text, whatever markup is in it.

    >>> media_type(b"GIF89a..."), media_type(b"<svg onload=x>"), media_type(bytes(1))
    ('image/gif', 'text/plain', 'application/octet-stream')
    """
    for signature, at, found in SIGNATURES:
        if content[at : at + len(signature)] == signature:
            return found
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return BINARY
    return BINARY if "\x00" in text else "text/plain"


def modality(found: str) -> str:
    """Return what an agent has to take for it: image, audio, video, pdf or file."""
    kind = found.partition("/")[0]
    if found == "application/pdf":
        return "pdf"
    return kind if kind in ("image", "audio", "video") else "file"


def label(name: str) -> str:
    """Return a name as a label: its last part, without what is not drawn or turns text round.

    >>> label("../../etc/passwd"), label("a.exe" + chr(0x202E)), label("..")
    ('passwd', 'a.exe', 'file')
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = "".join(each for each in last if category(each)[0] != "C").strip(". ")
    if len(plain) > LONGEST_NAME:
        plain = f"{plain[: LONGEST_NAME - 20]}…{plain[-19:]}"
    return plain or NAMELESS
