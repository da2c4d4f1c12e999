"""Field failures of other products, driven through the real page: questions, tools, texts, files, long arguments."""

import asyncio
import copy
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from tests.support.case_agent import CaseAgent, case_agent, said
from tests.support.chromium import Tab, new_tab
from tests.support.played import Stage, new_stage
from tests.support.shared import load, params

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True)
class Theatre:
    """One page on an agent that plays the case of a test."""

    stage: Stage
    agent: CaseAgent


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Theatre]:
    async with (
        case_agent() as agent,
        new_stage(
            tmp_path_factory.mktemp("cases"),
            PARLEY_AGENT_URL=agent.url,
            PARLEY_AGENT_ACCEPTS="image,audio,video,pdf,file",
        ) as stage,
    ):
        yield Theatre(stage, agent)


@pytest.fixture
def agent(theatre: Theatre) -> CaseAgent:
    return theatre.agent


@pytest_asyncio.fixture(loop_scope="module")
async def tab(theatre: Theatre) -> AsyncIterator[Tab]:
    opened = await theatre.stage.new_tab()
    yield opened
    assert not opened.complaints, opened.complaints
    await opened.page.context.close()


def case(name: str) -> pytest.MarkDecorator:
    found = load(f"cases/{name}.json")
    return pytest.mark.parametrize("case", params([found] if found else [], [name]))


def card(tab: Tab) -> Locator:
    return tab.page.locator(".ask")


def step(tab: Tab, title: str) -> Locator:
    return tab.page.locator("details.step", has=tab.page.locator(".name", has_text=title))


async def until_asked(agent: CaseAgent, count: int) -> dict:
    """Return request number `count`, waiting for it."""
    async with asyncio.timeout(10):
        return await agent.request(count)


def entries(request: dict) -> list[dict]:
    return [
        {name: value for name, value in entry.items() if name != "metadata"} for entry in request["resume"]
    ]


# ---------------------------------------------------------------- questions


@case("o08")
async def test_o08_an_open_approval_is_answered_once_after_a_reload(tab: Tab, agent: CaseAgent, case):
    agent.play(case["input"]["runs"][0]["events"])
    path = await tab.begin("Go")
    await expect(tab.button("Approve")).to_be_enabled()
    await tab.page.reload()
    other = await new_tab(tab.page.context, tab.base)
    await other.open(path)
    await expect(other.button("Approve")).to_be_enabled()
    assert len(agent.requests) == 1
    await tab.button("Approve").click()
    for seen in (tab, other):
        await expect(card(seen)).to_contain_text("Approved")
        await expect(seen.stop).to_have_count(0)
    (entry,) = entries(await until_asked(agent, 2))
    assert (entry["status"], entry["payload"]) == ("resolved", {"approved": True})
    await tab.page.reload()
    await expect(card(tab)).to_contain_text("Approved")
    assert len(agent.requests) == 2


@case("o09")
async def test_o09_two_questions_go_out_in_one_answer(tab: Tab, agent: CaseAgent, case):
    first, second = case["input"]["runs"]
    agent.play(first["events"], second.get("events") or said("ok"))
    await tab.begin("Go")
    await expect(card(tab)).to_have_count(2)
    await expect(tab.button("Send 2 decisions")).to_be_disabled()
    for _ in range(2):  # the first opens the note
        await card(tab).first.get_by_role("button", name=re.compile("^Reject")).click()
    await expect(card(tab).last).to_contain_text("1 of 2 answered")
    assert len(agent.requests) == 1
    await card(tab).last.get_by_label("Centre").select_option("4200")
    await card(tab).last.get_by_role("button", name=re.compile("^Answer")).click()
    await tab.button("Send 2 decisions").click()
    assert entries(await until_asked(agent, 2)) == second["expected_request"]["resume"]


@case("o10")
async def test_o10_an_edit_is_refused_on_the_spot_or_sent_whole_with_its_types(
    tab: Tab, agent: CaseAgent, case
):
    first, second = case["input"]["runs"]
    agent.play(first["events"], second["events"])
    await tab.begin("Send it")
    await tab.button("Edit first").click()
    copies = tab.page.get_by_label("Copies")
    await copies.fill("abc")
    await expect(copies).to_have_attribute("aria-invalid", "true")
    await expect(tab.button("Approve")).to_have_attribute("aria-disabled", "true")
    await tab.button("Approve").click(force=True)
    assert len(agent.requests) == 1
    await copies.fill("5")
    await tab.button("Approve with 1 change").click()
    (entry,) = (await until_asked(agent, 2))["resume"]
    (wanted,) = second["expected_request"]["resume"]
    assert entry == wanted
    assert type(entry["payload"]["editedArgs"]["copies"]) is int
    await expect(card(tab).locator(".diff del")).to_contain_text(
        "3"
    )  # what was proposed stands beside the edit
    await expect(card(tab).locator(".diff ins")).to_contain_text("5")
    await expect(step(tab, "Send report").locator(".st")).to_have_text("Done")  # a live one opens by itself
    await step(tab, "Send report").locator("summary").click()
    await expect(step(tab, "Send report")).to_contain_text("sent 5")


@case("o10")
async def test_o10_without_a_place_for_edits_none_is_offered_and_a_plain_yes_is_only_that(
    tab: Tab, agent: CaseAgent, case
):
    events = copy.deepcopy(case["input"]["runs"][0]["events"])
    del events[-1]["outcome"]["interrupts"][0]["responseSchema"]["properties"]["editedArgs"]
    agent.play(events)
    await tab.begin("Send it")
    await expect(tab.button("Approve")).to_be_enabled()
    await expect(tab.button("Edit first")).to_have_count(0)
    await tab.button("Approve").click()
    (entry,) = entries(await until_asked(agent, 2))
    assert entry["payload"] == {"approved": True}


@case("o11")
async def test_o11_a_line_over_an_open_approval_asks_first_and_then_cancels_it(
    tab: Tab, agent: CaseAgent, case
):
    agent.play(case["input"]["runs"][0]["events"])
    await tab.begin("Deploy")
    await expect(tab.button("Approve")).to_be_enabled()
    await tab.say("wait, use staging")
    dialog = tab.page.get_by_role("dialog", name="A decision is open")
    await expect(dialog).to_be_visible()
    assert len(agent.requests) == 1
    await dialog.get_by_role("button", name="Cancel it and send").click()
    request = await until_asked(agent, 2)
    assert entries(request) == [{"interruptId": "int-1", "status": "cancelled"}]
    assert request["messages"][-1]["content"] == "wait, use staging"
    await expect(card(tab)).to_contain_text("Cancelled")
    await expect(tab.answers.last).to_have_text("ok")


ANSWERABLE = ("far-future-offset", "absent", "not-a-date", "epoch-millis-string")
CLOSED = ("past", "expires-while-open")


@pytest.mark.parametrize("name", ANSWERABLE + CLOSED)
@case("o12")
async def test_o12_no_expiry_locks_the_thread_and_none_is_passed(tab: Tab, agent: CaseAgent, case, name: str):
    (variant,) = [one for one in case["input"]["variants"] if one["name"] == name]
    events = copy.deepcopy(variant["events"])
    (asked,) = events[-1]["outcome"]["interrupts"]
    if str(asked.get("expiresAt", "")).startswith("<"):
        asked["expiresAt"] = (datetime.now(UTC) + timedelta(seconds=2)).isoformat()
    agent.play(events)
    await tab.begin("Go")
    await expect(card(tab)).to_have_count(1)
    if name in ANSWERABLE:
        await expect(card(tab)).not_to_contain_text("NaN")
        await tab.button("Approve").click()
        await expect(card(tab)).to_contain_text("Approved")
        assert entries(await until_asked(agent, 2))[0]["status"] == "resolved"
        return
    await expect(card(tab)).to_contain_text("Expired")
    for act in ("Approve", "Reject"):
        await expect(tab.button(act)).to_have_count(0)
    await card(tab).get_by_role("button", name=re.compile("Cancel")).click()
    assert entries(await until_asked(agent, 2)) == [{"interruptId": "int-1", "status": "cancelled"}]
    await expect(tab.stop).to_have_count(0)
    await tab.say("Next")
    await expect(tab.answers.last).to_have_text("ok")


def paying(call: str, euros: int, tool: str = "pay") -> list[dict]:
    return [
        {"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": tool},
        {"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": json.dumps({"eur": euros})},
        {"type": "TOOL_CALL_END", "toolCallId": call},
    ]


def payment(call: str, euros: int, **more: str) -> dict:
    yes_or_no = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}
    asked = {"id": f"int-{call}", "reason": "tool_call", "message": f"Pay {euros} EUR?", "toolCallId": call}
    return {**asked, "responseSchema": yes_or_no, **more}


VERBS = [
    ("Refund 10 EUR?", "issue_refund", "Approve refund"),
    ("Überweisen von 10 EUR?", "betragÜberweisen", "Approve überweisen"),
    ("استرداد 10 يورو؟", "تنفيذ_استرداد", "Approve استرداد"),
    ("Shall I pay 10 EUR?", "pay", "Approve"),
]


@pytest.mark.parametrize(("message", "tool", "word"), VERBS)
async def test_the_button_repeats_the_verb_of_the_question_in_any_script(
    tab: Tab, agent: CaseAgent, message: str, tool: str, word: str
):
    question = payment("c1", 10) | {"message": message}
    end = {
        "type": "RUN_FINISHED",
        "threadId": "",
        "runId": "",
        "outcome": {"type": "interrupt", "interrupts": [question]},
    }
    agent.play([{"type": "RUN_STARTED", "threadId": "", "runId": ""}, *paying("c1", 10, tool), end])
    await tab.begin("Pay")
    await expect(card(tab).locator("[data-act=approve]")).to_have_accessible_name(word)


async def test_what_was_answered_is_sent_under_a_question_that_expired_meanwhile(tab: Tab, agent: CaseAgent):
    soon = (datetime.now(UTC) + timedelta(seconds=6)).isoformat()
    questions = [payment("c1", 10), payment("c2", 20, expiresAt=soon)]
    end = {
        "type": "RUN_FINISHED",
        "threadId": "",
        "runId": "",
        "outcome": {"type": "interrupt", "interrupts": questions},
    }
    agent.play(
        [{"type": "RUN_STARTED", "threadId": "", "runId": ""}, *paying("c1", 10), *paying("c2", 20), end]
    )
    await tab.begin("Pay both")
    await card(tab).first.get_by_role("button", name=re.compile("^Approve")).click()
    await expect(card(tab).first).to_contain_text("Change")
    await expect(card(tab).last).to_contain_text("Expired", timeout=20_000)
    await expect(card(tab).last).to_contain_text("Nobody decided")
    assert len(agent.requests) == 1
    await expect(tab.button("Send 2 decisions")).to_be_enabled(timeout=20_000)
    await tab.button("Send 2 decisions").click()
    sent = entries(await until_asked(agent, 2))
    assert [(entry["interruptId"], entry["status"]) for entry in sent] == [
        ("int-c1", "resolved"),
        ("int-c2", "cancelled"),
    ]
    await expect(card(tab).first).to_contain_text("Approved")
    await expect(card(tab).last).to_contain_text("Expired")
    await expect(tab.button("Send 2 decisions")).to_have_count(0)


# ---------------------------------------------------------------- tools


@case("o13")
async def test_o13_a_call_that_nobody_here_can_run_leaves_no_thread_waiting(tab: Tab, agent: CaseAgent, case):
    agent.play(case["input"]["runs"][0]["events"])
    await tab.begin("What time is it here?")
    for _ in range(2):
        await expect(tab.answers).to_have_text(["Let me look."])
        await expect(tab.stop).to_have_count(0)
        await expect(tab.page.locator(".working")).to_have_count(0)
        await expect(step(tab, "Local time").locator(".st")).not_to_have_text("Running")
        await tab.page.reload()
    assert len(agent.requests) == 1
    await tab.say("Never mind")
    await expect(tab.answers.last).to_have_text("ok")
    assert [message["role"] for message in (await agent.request(2))["messages"]] == [
        "user",
        "assistant",
        "tool",
        "user",
    ]


@case("o15")
async def test_o15_parts_json_text_and_an_empty_result_are_drawn_as_what_they_are(
    tab: Tab, agent: CaseAgent, case
):
    agent.play(case["input"]["events"])
    strangers: list[str] = []
    tab.page.on("request", lambda asked: strangers.append(asked.url) if "example.com" in asked.url else None)
    await tab.begin("Chart?")
    for _ in range(2):  # as it came, and after a reload
        await expect(tab.answers.last).to_have_text("Here.")
        for title in ("Chart", "Rows", "Noop"):
            await expect(step(tab, title).locator(".st")).to_have_text("Done")
            await step(tab, title).locator("summary").click()
        await expect(step(tab, "Chart")).to_contain_text("Chart for May")
        await expect(step(tab, "Chart").locator("img")).to_have_js_property("naturalWidth", 1)
        link = step(tab, "Chart").get_by_role("link")
        await expect(link).to_have_attribute("href", "https://files.example.com/may.pdf")
        await expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
        await expect(step(tab, "Rows").locator(".kv dt")).to_contain_text(["rows", "ok", "items"])
        await expect(tab.log).not_to_contain_text("[object Object]")
        await tab.page.reload()
    assert strangers == []
    await tab.say("More")
    by_call = {
        one["toolCallId"]: one["content"]
        for one in (await until_asked(agent, 2))["messages"]
        if one["role"] == "tool"
    }
    came = {
        one["toolCallId"]: one["content"]
        for one in case["input"]["events"]
        if one["type"] == "TOOL_CALL_RESULT"
    }
    assert by_call == came


# ---------------------------------------------------------------- typing, files, long arguments


@case("o22")
async def test_o22_a_composed_word_is_sent_once_and_whole(tab: Tab, agent: CaseAgent, case):
    agent.play()
    await tab.open()
    keyboard = await tab.page.context.new_cdp_session(tab.page)
    await tab.composer.focus()
    await keyboard.send(
        "Input.imeSetComposition", {"text": "あたらしい", "selectionStart": 5, "selectionEnd": 5}
    )
    await tab.composer.dispatch_event("keydown", {"key": "Enter", "keyCode": 229, "isComposing": True})
    await keyboard.send("Input.insertText", {"text": "新しい"})
    await tab.composer.dispatch_event("keydown", {"key": "Enter", "keyCode": 229, "isComposing": False})
    await expect(tab.composer).to_have_value("新しい")
    assert agent.requests == []
    await tab.composer.press("Enter")
    request = await until_asked(agent, 1)
    assert [message["content"] for message in request["messages"]] == case["expect"]["value"]["messages_sent"]
    await expect(tab.lines).to_have_text(["新しい"])


DROP = """(box, names) => {
  const data = new DataTransfer();
  names.forEach((name) => data.items.add(new File(["0123456789"], name, { type: "" })));
  box.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
}"""


@case("o24")
async def test_o24_a_file_with_any_name_is_taken_or_refused_and_its_name_is_only_a_label(
    tab: Tab, agent: CaseAgent, case
):
    agent.play()
    answers: list[int] = []
    tab.page.on("response", lambda got: answers.append(got.status) if "/api/files" in got.url else None)
    names = case["input"]["filenames"]
    for at in range(0, len(names), 5):
        few = names[at : at + 5]
        await tab.open()
        await expect(tab.button("Attach a file")).to_be_visible()
        await tab.composer.evaluate(DROP, few)
        await expect(tab.page.locator(".chip")).to_have_count(len(few))
        await expect(tab.page.locator(".chip progress, .chip [role=progressbar]")).to_have_count(0)
        for button in await tab.page.locator(".chip-bad").get_by_role("button").all():
            await button.click()
        if await tab.page.locator(".chip").count():
            await tab.begin_here("Look")
            await expect(tab.answers.last).to_have_text("ok")
    assert len(answers) == len(names)
    assert {status // 100 for status in answers} <= {2, 4}
    assert await tab.page.evaluate("typeof window.__xss") == "undefined"
    tab.complaints[:] = [one for one in tab.complaints if "422" not in one]  # a refusal is told by the chip


@pytest.mark.parametrize("count", [200_000])
@case("o27")
async def test_o27_a_huge_argument_in_tiny_pieces_arrives_whole_and_leaves_the_page_alive(
    tab: Tab, agent: CaseAgent, case, count: int
):
    text = json.dumps({"path": "a.txt", "content": "x" * count})
    pieces = [
        {"type": "TOOL_CALL_ARGS", "toolCallId": "c1", "delta": text[at : at + 16]}
        for at in range(0, len(text), 16)
    ]
    go = asyncio.Event()
    half = len(pieces) // 2
    agent.play(
        [
            {"type": "RUN_STARTED", "threadId": "", "runId": ""},
            {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "write_file"},
            *pieces[:half],
            go,
            *pieces[half:],
            {"type": "TOOL_CALL_END", "toolCallId": "c1"},
            {"type": "TOOL_CALL_RESULT", "messageId": "t1", "toolCallId": "c1", "content": "ok"},
            {"type": "RUN_FINISHED", "threadId": "", "runId": ""},
        ]
    )
    await tab.begin(case["input"]["request"]["messages"][0]["content"])
    await expect(step(tab, "Write file").get_by_role("button", name="Show all")).to_be_visible()
    await tab.composer.press_sequentially("a draft meanwhile")
    go.set()
    await expect(step(tab, "Write file").locator(".st")).to_have_text("Done", timeout=30_000)
    await expect(tab.composer).to_have_value("a draft meanwhile")
    assert await tab.page.evaluate("window.__parley.bytes") <= 20 * len(text)
    await step(tab, "Write file").locator("summary").click()
    await step(tab, "Write file").get_by_role("button", name="Show all (200.0 kB)").click()
    shown = await step(tab, "Write file").locator(".kv dd").last.inner_text()
    assert shown.count("x") == count


@case("o27")
async def test_o27_a_stream_of_tiny_pieces_can_be_stopped(tab: Tab, agent: CaseAgent, case):
    never = asyncio.Event()
    pieces = [{"type": "TOOL_CALL_ARGS", "toolCallId": "c1", "delta": "x" * 16} for _ in range(3_000)]
    start = {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "write_file"}
    agent.play([{"type": "RUN_STARTED", "threadId": "", "runId": ""}, start, *pieces, never])
    await tab.begin(case["input"]["request"]["messages"][0]["content"])
    await expect(step(tab, "Write file")).to_be_visible()
    await tab.stop.click()
    await expect(tab.notes).to_contain_text("Stopped")
    await expect(step(tab, "Write file").locator(".st")).to_have_text("Cancelled")
    never.set()
