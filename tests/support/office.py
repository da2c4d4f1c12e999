"""An installation in which people with accounts work beside each other, each in a browser of their own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser
from pydantic import JsonValue, SecretStr

from chat_app import wiring
from chat_app.data import users
from chat_app.data.db import Database
from chat_app.data.ids import new_id
from chat_app.data.records import UserRecord
from chat_app.data.tables import Agent, table_of
from chat_app.services.sign_ins import SignIns, Visitor
from chat_app.settings import Settings
from tests.support.chromium import DESKTOP, Tab, chromium, new_tab
from tests.support.parley import Parley, running_parley


@dataclass
class Office:
    """Parley with accounts, its database, and a browser."""

    parley: Parley
    browser: Browser
    database: Database

    def rule(self, policy: JsonValue) -> None:
        """Give every agent a policy."""
        with self.database.transaction() as session:
            session.execute(table_of(Agent).update().values(policy=policy))

    async def enter(self, name: str, *roles: str, size: dict[str, int] = DESKTOP, **context: object) -> Tab:
        """Make a person, and open a browser in which they are signed in."""
        settings = Settings(
            port=self.parley.port,
            data_dir=self.parley.data,
            database_url=SecretStr(f"sqlite:///{self.parley.data / 'parley.db'}"),
        )
        ins = SignIns(self.database, wiring.cookie(settings), now=wiring.now, new_id=new_id)
        person = UserRecord(
            id=new_id(), name=f"{name}-{new_id()}", display_name=name, roles=roles, created=wiring.now()
        )
        with self.database.transaction() as session:
            user = users.ensure(session, person)
            cookie = ins.begin(session, user, way="password", visitor=Visitor()).decode()
        key, _, value = cookie.partition(";")[0].partition("=")
        opened = await self.browser.new_context(viewport=size, **context)
        await opened.add_cookies([{"name": key, "value": value, "url": self.parley.url}])
        return await new_tab(opened, self.parley.url)


@asynccontextmanager
async def open_office(folder: Path, **environment: str) -> AsyncIterator[Office]:
    """Run Parley with accounts until the block ends."""
    settings = {"PARLEY_SIGN_IN": "password", **environment}
    async with running_parley(folder, **settings) as parley, chromium() as browser:
        yield Office(parley, browser, Database(f"sqlite:///{folder / 'parley.db'}"))
