"""People come in and go: the first admin, invitations, passwords, the provider, and tabs that hear when it is over."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.support.axe import no_barriers
from tests.support.chromium import DESKTOP, PHONE, Tab, new_tab
from tests.support.comers import PASSWORD, first_link, join
from tests.support.parley import Parley, running_parley
from tests.support.processes import free_port
from tests.support.provider import running_provider

MIRA = "mira@example.org"


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[Parley]:
    """Parley with accounts, and nobody in it yet."""
    async with running_parley(tmp_path / "data", PARLEY_SIGN_IN="password") as running:
        yield running


async def sign_in(page: Page, password: str = PASSWORD) -> None:
    await page.get_by_label("Name or e-mail").fill(MIRA)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in").click()


async def test_the_first_start_makes_its_admin_by_a_link_that_works_once(
    desktop: BrowserContext, guarded: Parley
):
    page = await desktop.new_page()
    await page.goto(f"{guarded.url}/t/somewhere")
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await no_barriers(Tab(page, guarded.url))
    await join(page, await first_link(guarded), MIRA)
    await page.goto(await first_link(guarded))
    await expect(page.get_by_role("heading", name="This link does not work any more")).to_be_visible()


async def test_signing_out_in_one_tab_reaches_every_tab_at_once(desktop: BrowserContext, guarded: Parley):
    await join(await desktop.new_page(), await first_link(guarded), MIRA)
    one, two = await new_tab(desktop, guarded.url), await new_tab(desktop, guarded.url)
    path = await one.begin("Hello")
    await two.open(path)
    await one.page.goto(f"{guarded.url}/account")
    await no_barriers(one)
    await one.page.get_by_role("button", name="Sign out This browser").click()
    await two.page.wait_for_url(re.compile(r"/sign-in\?back="))
    await sign_in(two.page, "wrong horse")
    await expect(two.page.get_by_role("alert")).to_contain_text("Name and password do not match.")
    await sign_in(two.page)
    await expect(two.lines).to_have_text(["Hello"])
    assert two.path == path


async def test_a_revoked_browser_is_out(browser: Browser, desktop: BrowserContext, guarded: Parley):
    await join(await desktop.new_page(), await first_link(guarded), MIRA)
    other = await browser.new_context(viewport=PHONE)
    phone = await new_tab(other, guarded.url)
    await phone.page.goto(guarded.url)
    await sign_in(phone.page)
    await expect(phone.composer).to_be_editable()
    account = await desktop.new_page()
    await account.goto(f"{guarded.url}/account")
    await account.get_by_role("button", name="Sign out everywhere else").click()
    await expect(account.get_by_role("status")).to_contain_text("signed out")
    await phone.page.wait_for_url(re.compile(r"/sign-in\?back="))


async def test_the_sign_in_is_drawn_in_both_themes_and_sizes(browser: Browser, guarded: Parley):
    for size in (DESKTOP, PHONE):
        for scheme in ("light", "dark"):
            context = await browser.new_context(viewport=size, color_scheme=scheme)
            page = await context.new_page()
            await page.goto(f"{guarded.url}/sign-in")
            await no_barriers(Tab(page, guarded.url))
            wide = await page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size["width"]
            await context.close()


async def test_a_person_comes_in_by_their_organisation(desktop: BrowserContext, tmp_path: Path):
    port = free_port()
    async with running_provider(f"http://localhost:{port}/auth/provider/back") as provider:
        provider.person |= {"name": "Zo\u00eb Ito", "groups": ["bosses"]}
        settings = {
            "PARLEY_SIGN_IN": "oidc",
            "PARLEY_OIDC_NAME": "Acme",
            "PARLEY_OIDC_ISSUER": provider.issuer,
            "PARLEY_OIDC_CLIENT_ID": provider.client,
            "PARLEY_OIDC_CLIENT_SECRET": provider.secret,
            "PARLEY_ROLE_MAP": '{"*": "user", "bosses": "admin"}',
        }
        async with running_parley(tmp_path / "data", port=port, **settings) as parley:
            tab = await new_tab(desktop, parley.url)
            await tab.page.goto(parley.url)
            await tab.page.get_by_role("link", name="Continue with Acme").click()
            await expect(tab.composer).to_be_editable()
            await tab.page.goto(f"{parley.url}/account")
            await expect(tab.page.get_by_text("Roles: user, admin.")).to_be_visible()
            provider.refuses = True
            await tab.page.get_by_role("button", name="Sign out This browser").click()
            await tab.page.get_by_role("link", name="Continue with Acme").click()
            await expect(tab.page.get_by_role("alert")).to_contain_text("You were not signed in.")
            assert provider.secret not in parley.log.read_text()


async def test_a_person_with_a_password_connects_their_organisation_and_comes_in_by_it(
    desktop: BrowserContext, tmp_path: Path
):
    port = free_port()
    async with running_provider(f"http://localhost:{port}/auth/provider/back") as provider:
        provider.person |= {"email": "mira@example.org"}
        settings = {
            "PARLEY_SIGN_IN": "password,oidc",
            "PARLEY_OIDC_NAME": "Acme",
            "PARLEY_OIDC_ISSUER": provider.issuer,
            "PARLEY_OIDC_CLIENT_ID": provider.client,
            "PARLEY_OIDC_CLIENT_SECRET": provider.secret,
        }
        async with running_parley(tmp_path / "data", port=port, **settings) as parley:
            tab = await new_tab(desktop, parley.url)
            await join(tab.page, await first_link(parley), MIRA)
            # the address alone, verified or not, makes nobody the one who is here
            await tab.page.goto(f"{parley.url}/account")
            await tab.page.get_by_role("button", name="Sign out This browser").click()
            await tab.page.get_by_role("link", name="Continue with Acme").click()
            await expect(tab.page.get_by_role("alert")).to_contain_text("You were not signed in.")
            await sign_in(tab.page)
            await expect(tab.composer).to_be_editable()
            await tab.page.goto(f"{parley.url}/account")
            await no_barriers(tab)
            await tab.page.get_by_role("button", name="Connect with Acme").click()
            await expect(tab.page.get_by_text("You are connected")).to_be_visible()
            await no_barriers(tab)
            await tab.page.get_by_role("button", name="Sign out This browser").click()
            await tab.page.get_by_role("link", name="Continue with Acme").click()
            await expect(tab.composer).to_be_editable()
            await tab.page.goto(f"{parley.url}/account")
            await expect(tab.page.get_by_text("Roles: user, approver, auditor, admin.")).to_be_visible()
