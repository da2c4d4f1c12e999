"""A Parley with accounts that runs, and people with a session in it, for clients that bring no browser."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from pydantic import JsonValue
from sqlalchemy import select

from chat_app import wiring
from chat_app.data import users
from chat_app.data.db import Database
from chat_app.data.ids import new_id
from chat_app.data.records import UserRecord
from chat_app.data.tables import Agent, Base, table_of
from chat_app.services.policy import Person
from chat_app.services.sign_ins import SignIns, Visitor
from chat_app.services.vault import Vault
from chat_app.settings import Settings
from tests.support.parley import Parley, running_parley
from tests.support.things import Things, stored_things


@dataclass
class Site:
    """A running Parley and its database."""

    parley: Parley
    database: Database
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return self.parley.url

    @property
    def log(self) -> str:
        return self.parley.log.read_text()

    def person(self, name: str, *roles: str) -> Person:
        """Make a person who is signed in; `cookies` has their cookie by id."""
        record = UserRecord(
            id=new_id(), name=f"{name}-{new_id()}", display_name=name, roles=roles, created=wiring.now()
        )
        with self.database.transaction() as session:
            users.ensure(session, record)
        person = Person(record.id, name, roles)
        self.sign_in(person)
        return person

    def sign_in(self, person: Person) -> None:
        """Give a person a new session."""
        settings = Settings(port=self.parley.port, data_dir=self.parley.data)
        ins = SignIns(self.database, wiring.cookie(settings), now=wiring.now, new_id=new_id)
        with self.database.transaction() as session:
            user = users.get(session, person.id)
            assert user is not None
            cookie = ins.begin(session, user, way="password", visitor=Visitor()).decode()
        self.cookies[person.id] = cookie.partition(";")[0]

    def things(self, owner: Person, *, words: str) -> Things:
        """Give a person a thread in which `words` were said."""
        vault = Vault(self.parley.data / "files")
        with self.database.transaction() as session:
            user = users.get(session, owner.id)
            assert user is not None
            return stored_things(session, vault, user, words=words)

    def rule(self, policy: JsonValue) -> None:
        """Give every agent a policy."""
        with self.database.transaction() as session:
            session.execute(table_of(Agent).update().values(policy=policy))

    def rows_of(self, thread: str) -> Mapping[str, list[str]]:
        """Return what is stored of a thread, by table."""
        found = {}
        with self.database.reading() as session:
            for name, table in Base.metadata.tables.items():
                column = table.c.get("thread") if name != "thread" else table.c.id
                if column is not None:
                    rows = session.execute(select(table).where(column == thread)).all()
                    found[name] = sorted(map(repr, rows))
        return found

    @asynccontextmanager
    async def client(self, person: Person | None, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
        """Return an HTTP client that is signed in as somebody, or as nobody."""
        cookie = {"cookie": self.cookies[person.id]} if person is not None else {}
        sent = {"origin": self.url} | cookie | headers
        async with httpx.AsyncClient(base_url=self.url, headers=sent, timeout=30) as client:
            yield client


@asynccontextmanager
async def running_site(folder: Path, **environment: str) -> AsyncIterator[Site]:
    """Run Parley with accounts until the block ends."""
    async with running_parley(folder, PARLEY_SIGN_IN="password", **environment) as parley:
        database = Database(environment.get("PARLEY_DATABASE_URL", f"sqlite:///{folder / 'parley.db'}"))
        try:
            yield Site(parley, database)
        finally:
            database.dispose()
