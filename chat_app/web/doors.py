"""What the pages before and beside a session show, as plain records; `ui/gate.py` draws them."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """What did not work: the name of the error, and how many tries are left or seconds to wait, when that is known."""

    kind: str
    left: int | None = None
    seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPage:
    """The form for name and password, and the way to the provider; `back` is where the person wanted to go."""

    password: bool
    provider: str
    back: str
    name: str = ""
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPage:
    """What a link that works once offers: `kind` first_admin, join or reset; with `name` it is given."""

    kind: str
    token: str
    name: str = ""
    typed: str = ""
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class OverPage:
    """A link that does not work any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A sign-in of the person: what the browser calls itself, when it was used last (ISO time, UTC)."""

    id: str
    device: str
    last_seen: str
    mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPage:
    """A person's own account; notices go to `mail` where that is known, when they are wanted.

    `provider` is set for who may connect who they are there, and `connected` when they have.
    """

    name: str
    roles: tuple[str, ...]
    single: bool
    has_password: bool
    devices: tuple[Device, ...]
    mail: str = ""
    mail_wanted: bool = False
    sends_mail: bool = False
    provider: str = ""
    connected: bool = False
    trouble: Trouble | None = None
    done: str = ""


Door = SignInPage | JoinPage | OverPage | AccountPage
Draw = Callable[[Door, str], str]
"""Draws a page in a language, as a whole HTML document."""
