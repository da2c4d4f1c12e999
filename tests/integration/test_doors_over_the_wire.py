"""Who a running Parley does not let in: by headers of a proxy that is none, by guessed links, by forms of their own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from chat_app.data import users
from chat_app.data.db import Database
from tests.support.bare import closed_with
from tests.support.parley import Parley, running_parley
from tests.support.site import running_site

pytestmark = pytest.mark.live

SECRET = "only the proxy knows"
CLAIM = {
    "x-forwarded-user": "mira",
    "x-forwarded-groups": "bosses",
    "x-forwarded-for": "10.1.2.3",
    "x-parley-proxy-secret": SECRET,
}


@asynccontextmanager
async def behind(networks: str, folder: Path) -> AsyncIterator[Parley]:
    """Run Parley for a proxy that connects from `networks`."""
    settings = {
        "PARLEY_SIGN_IN": "proxy",
        "PARLEY_PROXY_ADDRESSES": networks,
        "PARLEY_PROXY_SECRET": SECRET,
        "PARLEY_ROLE_MAP": '{"*": "user", "bosses": "admin"}',
    }
    async with running_parley(folder, **settings) as parley:
        yield parley


def names(folder: Path) -> set[str]:
    database = Database(f"sqlite:///{folder / 'parley.db'}")
    with database.reading() as session:
        found = {one.name for one in users.every(session)}
    database.dispose()
    return found


async def opened(parley: Parley, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=parley.url, headers={"accept": "text/html"} | headers) as client:
        return await client.get("/account")


async def test_headers_from_an_address_that_is_no_proxy_of_ours_sign_nobody_in(tmp_path):
    async with behind("10.1.2.0/24", tmp_path) as parley:
        answer = await opened(parley, **CLAIM)
        assert (answer.status_code, "set-cookie" in answer.headers) == (303, False)
        assert answer.headers["location"].startswith("/sign-in")
        for path in ("/_event/?EIO=4&transport=websocket&token=t", "/api/live"):
            assert await closed_with(parley.url, path, origin=parley.url, **CLAIM) in (401, 403, 4401)
        assert "mira" not in names(tmp_path)


async def test_a_proxy_of_ours_without_the_secret_signs_nobody_in_and_with_it_it_does(tmp_path):
    async with behind("127.0.0.1/32,::1/128", tmp_path) as parley:
        for wrong in ({}, {"x-parley-proxy-secret": ""}, {"x-parley-proxy-secret": "a guess"}):
            claimed = {name: value for name, value in CLAIM.items() if name != "x-parley-proxy-secret"}
            answer = await opened(parley, **claimed | wrong)
            assert (answer.status_code, "set-cookie" in answer.headers) == (303, False)
        assert "mira" not in names(tmp_path)
        let_in = await opened(parley, **CLAIM)
        assert "set-cookie" in let_in.headers
        assert "mira" in names(tmp_path)


async def test_nobody_makes_an_account_without_a_link(tmp_path):
    async with running_site(tmp_path) as site, site.client(None, accept="text/html") as stranger:
        before = names(tmp_path)
        for token in ("", "guess", "x" * 43, "\x00"):
            form = {"token": token, "name": "mallory", "password": "correct horse"}
            answer = await stranger.post("/auth/join", data=form)
            assert (answer.status_code, "set-cookie" in answer.headers) == (410, False)
        for path in ("/sign-up", "/register", "/auth/sign-up", "/join/"):
            answer = await stranger.get(path)
            assert answer.headers.get("location", "").startswith("/sign-in") or answer.status_code == 404
        assert names(tmp_path) == before
