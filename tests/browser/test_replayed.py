"""Streams of real servers and a hostile one, played to the real page: what flickers, what breaks, what gets through."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from tests.support.chromium import Tab
from tests.support.played import Stage, new_stage
from tests.support.recorded import FOLDER, recordings, request_of
from tests.support.replayed import ReplayingAgent, replaying_agent
from tests.support.shared import load, params

pytestmark = pytest.mark.asyncio(loop_scope="module")

CHOSEN = (
    "agent-framework/backend_tool",
    "agent-framework-1.0b/parallel_tools",
    "claude-agent-sdk/backend_tool",
    "crewai/backend_tool",
    "google-adk/messages_snapshot",
    "langgraph/backend_tool",
    "langgraph-0.0.22/backend_tool",
)
"""Streams in which a snapshot of the messages has other ids, fewer texts or other arguments than what was streamed."""

FOUND = {f"{entry['framework']}/{entry['scenario']}": entry for entry in recordings()}
STREAMS = [FOUND[name] for name in CHOSEN if name in FOUND]

# Keeps the words of every row that was taken away.
WATCH = """() => {
  window.__gone = [];
  const words = (nodes) => [...nodes].filter((node) => node.dataset?.row).map((node) => node.textContent);
  new MutationObserver((changes) => changes.forEach((change) => window.__gone.push(...words(change.removedNodes))))
    .observe(document.body, { subtree: true, childList: true });
}"""


@dataclass(frozen=True)
class Theatre:
    """One page on an agent that plays what a test hands it."""

    stage: Stage
    agent: ReplayingAgent


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Theatre]:
    async with (
        replaying_agent() as agent,
        new_stage(
            tmp_path_factory.mktemp("replayed"),
            PARLEY_AGENT_URL=agent.url,
            PARLEY_IMAGE_HOSTS="127.0.0.1:9",
            PARLEY_FORMULAS="true",
            PARLEY_DIAGRAMS="true",
        ) as stage,
    ):
        yield Theatre(stage, agent)


@pytest_asyncio.fixture(loop_scope="module")
async def tab(theatre: Theatre) -> AsyncIterator[Tab]:
    opened = await theatre.stage.new_tab()
    yield opened
    theatre.agent.go_on.set()
    assert not opened.complaints, opened.complaints
    context: BrowserContext = opened.page.context
    await context.close()


def spoken(request: dict) -> str:
    """Return the last line a person said in a request."""
    said = [message["content"] for message in request["messages"] if message["role"] == "user"]
    return said[-1] if isinstance(said[-1], str) else "Hello"


@pytest.mark.parametrize("entry", params(STREAMS, [f"{e['framework']}/{e['scenario']}" for e in STREAMS]))
async def test_a_recorded_stream_is_drawn_without_a_flicker_or_an_error(tab: Tab, theatre: Theatre, entry):
    request = request_of(entry)
    theatre.agent.body = (FOLDER / entry["file"]).read_bytes()
    theatre.agent.request = request
    theatre.agent.go_on.clear()  # what comes before the page hears of the thread can change nothing on it
    await tab.open()
    await tab.page.evaluate(WATCH)
    await tab.begin_here(spoken(request))
    await expect(tab.page.locator("article.turn-user")).not_to_have_count(0)
    theatre.agent.go_on.set()
    await expect(tab.stop).to_have_count(0)
    await expect(tab.page.locator("article.turn-agent")).not_to_have_count(0)
    await expect(tab.page.locator(".note-danger")).to_have_count(0)
    assert await tab.page.evaluate("window.__gone") == []
    shown = await tab.page.locator("[data-row]").all_inner_texts()
    await tab.page.reload()
    await expect(tab.page.locator("[data-row]")).to_have_count(len(shown))


HOSTILE = load("cases/o23.json")


@pytest.mark.skipif(HOSTILE is None, reason="no shared cases; set PARLEY_SHARED")
async def test_script_in_every_text_of_an_agent_stays_text_live_and_after_a_reload(
    tab: Tab, theatre: Theatre
):
    given = HOSTILE["input"]
    request = given["request"]
    theatre.agent.tell(given["events"], thread=request["threadId"], run=request["runId"])
    await tab.begin(request["messages"][0]["content"])
    for _ in range(2):
        await expect(tab.page.locator("article.turn-agent")).not_to_have_count(0)
        await expect(tab.page.locator(".ask").first).to_be_visible()
        for summary in await tab.page.locator("[role=log] summary").all():
            await summary.evaluate("summary => summary.parentElement.open || summary.click()")
        await expect(tab.log).to_contain_text("<script>window.__xss=1</script>")
        assert await tab.page.evaluate("typeof window.__xss") == "undefined"
        found = await tab.page.evaluate(
            """() => [...document.querySelectorAll("main *, aside *")].filter((node) =>
                /^(script|iframe|object|embed)$/i.test(node.tagName)
                || node.getAttributeNames().some((name) => name.startsWith("on"))
                || /^(javascript|data):/i.test(node.getAttribute("href") ?? "")).map((node) => node.outerHTML)"""
        )
        assert found == []
        await tab.page.reload()
    await expect(tab.page).to_have_title(re.compile(r"<script>|title test"))


ANSWER = """![shown](http://127.0.0.1:9/a.png) ![hidden](https://evil.example/b.png)

It costs $5 or $6, and $$x^2$$ grows.

```mermaid
flowchart LR
  A["<img src=x onerror=window.__xss=1>"] --> B
```

```mermaid
this is no diagram
```
"""


async def test_images_formulas_and_diagrams_are_shown_where_the_settings_allow(tab: Tab, theatre: Theatre):
    events = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": ANSWER},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
    ]
    theatre.agent.tell(events, thread="t", run="r")
    await tab.page.route("**/a.png", lambda route: route.fulfill(content_type="image/png", body=b""))
    await tab.begin("Show me")
    prose = tab.page.locator(".prose")
    await expect(prose.get_by_role("img", name="shown")).to_have_attribute("referrerpolicy", "no-referrer")
    await expect(prose.get_by_role("link", name="Image: hidden (evil.example)")).to_be_visible()
    await expect(prose).to_contain_text("It costs $5 or $6")
    await expect(prose.locator(".katex")).to_have_count(1)
    await expect(prose.get_by_role("img", name="Diagram")).to_have_attribute(
        "src", re.compile("^data:image/svg")
    )
    await expect(prose.locator(".codebox code")).to_have_text(["this is no diagram"])
    assert await tab.page.evaluate("typeof window.__xss") == "undefined"
