"""What is typed while the page is not ready for it: before it came alive, and while it goes to another address."""

import asyncio
import re

from playwright.async_api import BrowserContext, WebSocketRoute, expect

from tests.support.chromium import Tab, held_back, new_tab
from tests.support.parley import Parley


async def muted(tab: Tab) -> asyncio.Event:
    """Keep back what the server says to acts of the person from the first line sent, until the event is set."""
    speak, queue = asyncio.Event(), []

    def relay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sent = asyncio.Event()

        def to_server(message: str | bytes) -> None:
            if "chat.send" in str(message):
                sent.set()
            server.send(message)

        def to_page(message: str | bytes) -> None:
            if sent.is_set() and not speak.is_set():
                queue.append(lambda: socket.send(message))
            else:
                socket.send(message)

        socket.on_message(to_server)
        server.on_message(to_page)

    async def release() -> None:
        await speak.wait()
        for say in queue:
            say()

    releasing = asyncio.ensure_future(release())
    await tab.page.route_web_socket(re.compile("/_event"), relay)
    tab.page.once("close", lambda _: speak.set())
    tab.page.once("close", lambda _: releasing)  # the loop holds a task weakly: the page keeps it
    return speak


async def test_what_is_typed_before_the_page_comes_alive_stays(desktop: BrowserContext, parley: Parley):
    tab = await new_tab(desktop, parley.url)
    go = await held_back(tab.page)
    await tab.page.goto(parley.url, wait_until="commit")
    await tab.composer.fill("Echo: early")
    go.set()
    await expect(tab.send).to_be_enabled()
    await expect(tab.composer).to_have_value("Echo: early")
    await tab.page.reload()
    await expect(tab.composer).to_have_value("Echo: early")
    assert not tab.complaints


async def test_what_is_typed_early_stays_when_the_page_turns_to_another_language(
    desktop: BrowserContext, parley: Parley
):
    await desktop.add_cookies([{"name": "parley_language", "value": "de", "url": parley.url}])
    tab = await new_tab(desktop, parley.url)
    go = await held_back(tab.page)
    await tab.page.goto(parley.url, wait_until="commit")
    await tab.page.locator("#composer").fill("Echo: früh")
    go.set()
    await expect(tab.page.get_by_role("button", name=re.compile("^Senden"))).to_be_enabled()
    await expect(tab.page.locator("#composer")).to_have_value("Echo: früh")
    assert not tab.complaints


async def test_what_is_typed_early_stands_after_the_draft_that_was_kept(
    desktop: BrowserContext, parley: Parley
):
    tab = await new_tab(desktop, parley.url)
    await tab.open()
    await tab.composer.fill("a draft")
    await tab.page.reload(wait_until="commit")
    await expect(tab.composer).to_have_value("a draft")
    go = await held_back(tab.page)
    await tab.page.reload(wait_until="commit")
    await tab.composer.fill("and more")
    go.set()
    await expect(tab.composer).to_have_value("a draft\nand more")


async def test_what_is_typed_after_the_first_line_becomes_the_draft_of_its_thread(tab: Tab):
    speak = await muted(tab)
    await tab.open()
    await tab.composer.fill("Echo: first")
    await tab.composer.press("Enter")
    await expect(tab.button("Sending")).to_be_visible()
    await tab.page.keyboard.type(" and the next")
    speak.set()
    await tab.page.wait_for_url(re.compile("/t/"))
    await expect(tab.lines).to_have_text(["Echo: first"])
    await expect(tab.composer).to_have_value("and the next")
    await expect(tab.composer).to_be_focused()
    await tab.reload()
    await expect(tab.composer).to_have_value("and the next")
    await tab.page.get_by_role("link", name="New chat").first.click()
    await expect(tab.lines).to_have_count(0)
    await expect(tab.composer).to_have_value("")


async def test_no_letter_is_lost_while_the_page_goes_to_the_new_thread(tab: Tab):
    text = "and this goes on and on over the change of pages " * 4
    await tab.open()
    await tab.page.keyboard.type("Echo: first")
    await tab.page.keyboard.press("Enter")
    await tab.page.keyboard.type(text, delay=5)
    await tab.page.wait_for_url(re.compile("/t/"))
    await expect(tab.lines).to_have_text(["Echo: first"])
    await expect(tab.composer).to_have_value(text)


async def test_a_file_that_comes_after_the_first_line_goes_along(tab: Tab):
    speak = await muted(tab)
    await tab.open()
    await expect(tab.button("Attach a file")).to_be_visible()
    await tab.composer.fill("Echo: first")
    await tab.composer.press("Enter")
    await expect(tab.button("Sending")).to_be_visible()
    note = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"hello"}
    await tab.page.locator("#files").set_input_files([note])
    await expect(tab.page.locator(".chip")).to_contain_text("5 B")
    speak.set()
    await tab.page.wait_for_url(re.compile("/t/"))
    await expect(tab.lines).to_have_text(["Echo: first"])
    await expect(tab.page.locator(".chip")).to_contain_text("note.txt")
    await tab.page.get_by_role("link", name="New chat").first.click()
    await expect(tab.page.locator(".chip")).to_have_count(0)


async def test_what_is_typed_at_once_in_a_new_chat_is_its_draft_alone(tab: Tab):
    path = await tab.begin("Echo: one")
    await expect(tab.lines).to_have_count(1)
    await tab.page.get_by_role("link", name="New chat").first.click()
    await expect(tab.lines).to_have_count(0)  # until then the box is the one of the chat that is left
    await expect(tab.composer).to_be_focused()
    await tab.page.keyboard.type("for a new one")
    await expect(tab.composer).to_have_value("for a new one")
    await tab.page.reload()
    await expect(tab.composer).to_have_value("for a new one")
    await tab.open(path)
    await expect(tab.lines).to_have_count(1)
    await expect(tab.composer).to_have_value("")
