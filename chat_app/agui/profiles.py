"""Peer profiles: how strict an agent is read, and what it can be sent.

A profile is a bundle chosen per agent. ``CURRENT`` holds a peer to the protocol as it stands.
``TOLERANT`` reads the mistakes real servers make and is where a new agent starts. ``LEGACY`` adds what a
server of the 0.1 age needs left out of its requests.
"""

from dataclasses import dataclass

from chat_app.agui import pipeline
from chat_app.agui.errors import ConfigError, HttpStatus
from chat_app.agui.pipeline import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How one peer is treated.

    ``reading`` says how strictly its streams are judged. ``old`` says that requests go to a server of the
    0.1 age: no version, plain text for parts, no reasoning, no metadata.

    >>> [profile.name for profile in PROFILES] == [CURRENT.name, TOLERANT.name, LEGACY.name]
    True
    >>> Profile(name="lax", reading=TOLERANT.reading, old=True) == LEGACY
    False
    """

    name: str
    reading: Reading
    old: bool = False


CURRENT = Profile(name="current", reading=pipeline.STRICT)
TOLERANT = Profile(name="tolerant", reading=pipeline.TOLERANT)
LEGACY = Profile(name="0.1", reading=pipeline.TOLERANT, old=True)

PROFILES = (CURRENT, TOLERANT, LEGACY)
"""Every profile that can be named in a setting."""


def profile_named(name: str) -> Profile:
    """Return the profile a setting names.

    >>> profile_named("0.1").old
    True

    Raises:
        ConfigError: No profile has this name.
    """
    for profile in PROFILES:
        if profile.name == name:
            return profile
    known = ", ".join(profile.name for profile in PROFILES)
    raise ConfigError(f"There is no peer profile {name!r}; the profiles are {known}.")


_FIELDS_OF_TODAY = (
    "protocolVersion",
    "protocol_version",
    "resume",
    "parameters",
    "reasoning",
    "metadata",
    "encryptedValue",
    "content",
    "image",
    "audio",
    "video",
    "document",
)
"""What a server of the 0.1 age complains about when it is sent a request of today."""


def hint(error: HttpStatus, profile: Profile) -> str:
    """Return the advice to try the old profile, when a refused request looks like an old server's doing."""
    if error.status != 422 or profile.old:
        return ""
    named = next((field for field in _FIELDS_OF_TODAY if field in error.excerpt), None)
    if named is None:
        return ""
    return f"It complains about {named!r}; an agent older than AG-UI 1.0 needs the profile {LEGACY.name!r}."
