"""People who come in by a link, as the page lets them."""

import re

from playwright.async_api import Page, expect

from tests.fakes import until
from tests.support.parley import Parley

PASSWORD = "correct horse"


async def first_link(parley: Parley) -> str:
    """Return the link that makes the first admin; it is printed a moment after the server answers."""
    links: list[str] = []
    await until(lambda: links.extend(re.findall(r"http://\S+/join/\S+", parley.log.read_text())) or links)
    return links[0]


async def join(page: Page, link: str, name: str) -> None:
    """Make the account `name` by a link."""
    await page.goto(link)
    await page.get_by_label("Name or e-mail").fill(name)
    await page.get_by_label("New password").fill(PASSWORD)
    await page.get_by_role("button", name="Make account").click()
    await expect(page.get_by_role("textbox", name=re.compile("message", re.IGNORECASE))).to_be_editable()
