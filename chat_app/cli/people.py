"""`parley user …`: let people in and keep them out from the terminal, and the link that makes the first admin."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from chat_app.cli.errors import Stop
from chat_app.cli.upkeep import opened
from chat_app.data.ids import new_id
from chat_app.services.people import TERMINAL, People
from chat_app.services.policy import Policy, Refused
from chat_app.services.problems import ChatError
from chat_app.settings import Settings
from chat_app.wiring import now

T = TypeVar("T")


class Role(StrEnum):
    """What a person may be."""

    user = "user"
    approver = "approver"
    auditor = "auditor"
    admin = "admin"


def first_admin_link(settings: Settings) -> str:
    """Return the link that makes the first admin; empty when there is one, or nobody has a password."""
    if "password" not in settings.sign_in:
        return ""
    token = _done(settings, lambda people: people.first_admin())
    return _link(settings, token) if token else ""


def listed(settings: Settings) -> list[str]:
    """Return a line for each person: name, roles, and whether they are kept out."""
    found = _done(settings, lambda people: people.every(TERMINAL))
    return [
        f"{one.name:32} {', '.join(one.roles) or '-'}{'' if one.active else ' (kept out)'}" for one in found
    ]


def invite(settings: Settings, name: str, roles: Sequence[Role]) -> str:
    """Return a link that makes one account.

    Raises:
        Stop: the name is taken or cannot be used, or nobody has a password.
    """
    _need_passwords(settings)
    return _link(settings, _done(settings, lambda people: people.invite(TERMINAL, roles, name=name)))


def add(settings: Settings, name: str, roles: Sequence[Role], password: str) -> None:
    """Make an account.

    Raises:
        Stop: the name is taken or cannot be used, or the password is too easy to guess.
    """
    _done(settings, lambda people: people.add(TERMINAL, name, roles, password=password))


def reset(settings: Settings, name: str) -> str:
    """Return a link by which a person sets a new password.

    Raises:
        Stop: nobody signs in by that name, or nobody has a password.
    """
    _need_passwords(settings)

    async def made(people: People) -> str:
        return await people.reset(TERMINAL, await people.id_of(name))

    return _link(settings, _done(settings, made, name))


def set_roles(settings: Settings, name: str, roles: Sequence[Role]) -> None:
    """Give a person exactly these roles.

    Raises:
        Stop: nobody signs in by that name, or nobody would be left who manages people.
    """

    async def given(people: People) -> None:
        await people.set_roles(TERMINAL, await people.id_of(name), roles)

    _done(settings, given, name)


def set_active(settings: Settings, name: str, *, active: bool) -> None:
    """Let a person in, or keep them out.

    Raises:
        Stop: nobody signs in by that name, or nobody would be left who manages people.
    """

    async def told(people: People) -> None:
        await people.set_active(TERMINAL, await people.id_of(name), active=active)

    _done(settings, told, name)


def _done(settings: Settings, work: Callable[[People], Coroutine[Any, Any, T]], name: str = "") -> T:
    with opened(settings.database_url.get_secret_value()) as database:
        people = People(database, Policy(), now=now, new_id=new_id)
        try:
            return asyncio.run(work(people))
        except Refused as error:
            raise Stop(f"Nobody signs in as {name}.") from error
        except ChatError as error:
            raise Stop(f"{error.problem.title}. {error.problem.told}") from error


def _need_passwords(settings: Settings) -> None:
    if "password" not in settings.sign_in:
        raise Stop("Links make passwords, and nobody signs in by one; set PARLEY_SIGN_IN=password first.")


def _link(settings: Settings, token: str) -> str:
    return f"{settings.page_url}/join/{token}"
