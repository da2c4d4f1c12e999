"""Secrets are planted wherever Parley takes one, and everything it says to anybody is searched for them.

Settings that hold a secret and columns that hold one are found by their types and names, so that a new one is planted
and searched for without a word here.
"""

import asyncio
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import select

from chat_app.data import runs
from chat_app.data.db import Database
from chat_app.data.tables import Base
from chat_app.services.exports import KINDS
from chat_app.services.policy import Person
from chat_app.settings import Settings
from tests.support.askings import answer, arguments, asked
from tests.support.bare import live, page
from tests.support.inventory import Inventory, inventory
from tests.support.processes import ROOT
from tests.support.rights import HANDLERS, OPEN, PROGRAMS, ROUTES, TOPICS
from tests.support.site import Site, running_site
from tests.support.things import Things

pytest_plugins = ("tests.support.postgres",)
pytestmark = pytest.mark.live

AN_ADDRESS = {"database_url", "redis_url"}
"""Settings that hold a secret within an address; the one of the database is planted, no other service is asked here."""
WORDS = "what everything that looks at a thread must show"
HEADER = "canary-of-agent-headers"
TYPED = {"right": "canary-that-is-right", "wrong": "canary-that-is-wrong", "new": "canary-that-is-new"}
KEPT = re.compile(r"token|secret|encrypted|(^|_)hash$|password")
NO_SECRETS = {("audit", "hash")}
"""Columns that only sound like one: the audit's chain is made to be shown."""


def planted() -> dict[str, str]:
    """Return a canary for each setting that is a secret, as its variable."""
    secret = [name for name, one in Settings.model_fields.items() if one.annotation is SecretStr]
    assert set(secret) > AN_ADDRESS
    return {f"PARLEY_{name.upper()}": f"canary-of-{name}" for name in secret if name not in AN_ADDRESS}


def kept(database: Database) -> Iterator[str]:
    """Yield what the database keeps of secrets: hashes, and what is encrypted."""
    with database.reading() as session:
        for table in Base.metadata.sorted_tables:
            for column in table.c:
                if KEPT.search(column.name) and (table.name, column.name) not in NO_SECRETS:
                    found = session.scalars(select(column).where(column.is_not(None))).all()
                    yield from map(str, found)


async def joined(site: Site, admin: httpx.AsyncClient) -> tuple[dict[str, str], list[str]]:
    """Let a person join by a link, mistype, sign in and change their password; return what was said, and secrets."""
    invited = await admin.post("/admin/people/invite", data={"name": "cat", "role": "user"})
    link = re.search(r"/join/([\w-]+)", invited.text)
    assert link is not None
    said, token = {}, link[1]
    async with httpx.AsyncClient(base_url=site.url, headers={"origin": site.url}) as browser:
        used = await browser.post("/auth/join", data={"token": token, "password": TYPED["right"]})
        assert used.status_code == 303
        sessions = [*browser.cookies.values()]
        over = await browser.get(f"/join/{token}")
        wrong = await browser.post("/auth/sign-in", data={"name": "cat", "password": TYPED["wrong"]})
        said["mistyped"] = wrong.text
        await browser.post("/auth/sign-in", data={"name": "cat", "password": TYPED["right"]})
        changed = {"old": TYPED["right"], "password": TYPED["new"]}
        assert (await browser.post("/auth/password", data=changed)).status_code == 303
        said["account"] = (await browser.get("/account", headers={"accept": "text/html"})).text
        sessions += browser.cookies.values()
    assert over.status_code == 410
    assert len(set(sessions)) == 2
    return said, [token, *sessions]


async def pages(admin: httpx.AsyncClient, things: Things) -> dict[str, str]:
    """Return everything that any route answers to an admin."""
    said = {}
    for method, path in [*ROUTES, *OPEN, *PROGRAMS]:
        if method in ("GET", "POST") and path not in ENDING:
            found = await asked(admin, method, path, things)
            said[f"{method} {path}"] = f"{found.headers.multi_items()} {found.text}"
    return said


ENDING = {"/auth/sign-out", "/admin/people/invite"}
"""What would end the looking, and what shows a new link, once, to whom it is for."""


async def frames(site: Site, found: Inventory, person: Person) -> dict[str, str]:
    """Return every frame of both sockets; each handler and topic has things of its own."""
    said, cookie = {}, site.cookies[person.id]
    for name in HANDLERS:
        handler, things = found.handlers[name], site.things(person, words=WORDS)
        async with page(site.url, cookie, f"/t/{things.thread}") as opened:
            said[name] = str(await opened.call(handler.event, arguments(handler.takes, things)))
    for topic in TOPICS:
        async with live(site.url, cookie) as opened:
            await answer(opened, topic, site.things(person, words=WORDS))
            said[topic] = str(opened.frames)
    return said


async def chat(site: Site, found: Inventory, person: Person, admin: httpx.AsyncClient) -> dict[str, str]:
    """Let a person talk with the embedded agent; return what came on the live channel, and every export."""
    async with page(site.url, site.cookies[person.id]) as opened:
        updates = await opened.call(found.handlers["chat.send"].event, {"form": {"text": WORDS}})
    (place,) = [event["payload"]["path"] for update in updates for event in update.get("events", ())]
    thread = place.removeprefix("/t/")
    async with live(site.url, site.cookies[person.id]) as opened:
        await opened.say({"sub": thread})
        while not ended(site, thread):
            await opened.until("t", "hb")
    said = {"chat": str(opened.frames)}
    for kind in KINDS:
        said[kind] = (await admin.get(f"/api/threads/{thread}/export/{kind}")).text
    return said


def ended(site: Site, thread: str) -> bool:
    with site.database.reading() as session:
        return all(run.ended is not None for run in runs.of_thread(session, thread))


async def printed(site: Site, *command: str) -> str:
    """Return what a command prints."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "chat_app", *command),
        cwd=ROOT,
        env={**os.environ, "PARLEY_DATA_DIR": str(site.parley.data), **site.parley.environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    return (await process.communicate())[0].decode()


async def commands(site: Site, folder: Path) -> dict[str, str]:
    """Return what the commands print, and what is in the files they write."""
    said = {
        name: await printed(site, *name.split())
        for name in ("config", "config --json", "doctor --json", "user list", "audit verify")
    }
    await printed(site, "audit", "export", str(folder / "audit.jsonl"))
    await printed(site, "user", "export", "cat", str(folder / "cat.jsonl"))
    return said | written(folder, "audit.jsonl", "cat.jsonl")


def written(folder: Path, *names: str) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in names}


async def test_no_secret_is_in_any_frame_page_log_export_or_print(postgres, tmp_path):
    canaries, name = planted(), postgres.new()
    address = postgres.url(name).replace("parley@", "parley:canary-of-database@")
    found = await inventory(tmp_path / "inventory", PARLEY_SIGN_IN="password")
    settings = canaries | {
        "PARLEY_DATABASE_URL": address,
        "PARLEY_LOG_LEVEL": "debug",
        "PARLEY_PRIVATE_AGENTS": "true",
    }
    async with running_site(tmp_path / "data", **settings) as site:
        person = site.person("Who", "user", "approver", "auditor", "admin")
        things = site.things(person, words=WORDS)
        async with site.client(person) as admin:
            said, secrets = await joined(site, admin)
            header = f"Authorization: Bearer {HEADER}"
            added = {"name": "other", "url": site.url, "headers": header, "profile": "tolerant"}
            assert (await admin.post("/admin/agents/add", data=added)).status_code == 303
            said |= await pages(admin, things)
            said |= await frames(site, found, person)
            said |= await chat(site, found, person, admin)
            said |= await commands(site, tmp_path)
            secrets += [*canaries.values(), *TYPED.values(), HEADER, "canary-of-database", "$argon2"]
            secrets += [site.cookies[person.id].partition("=")[2], *kept(site.database)]
            site.database.dispose()
            postgres.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            postgres.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
            said["without a database"] = (await admin.get("/account")).text
        said["log"] = site.log + "".join(file.read_text() for file in site.parley.data.glob("logs/*"))
    assert len(secrets) > len(canaries) + 10
    assert {where for where, told in said.items() if WORDS in told} > {"chat", "sub", "past", *KINDS}
    leaks = {
        f"{secret[:30]} in {where}" for where, told in said.items() for secret in secrets if secret in told
    }
    assert leaks == set()
