"""A run, as a browser gets it."""

import re
from dataclasses import replace

from sqlalchemy import update

from chat_app.data import events, runs, threads
from chat_app.data.runs import run as run_table
from chat_app.services.timelines import PAGE
from tests.support.records import an_event
from tests.support.world import ask, question

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


async def test_a_reason_is_asked_for_first_and_leads_back_to_the_run(world, client):
    thread = await world.said("Do it", ask(question(message="May I <b>?")))
    run = world.runs(thread)[0].id
    gate = await client.get(f"/admin/runs/{run}")
    assert gate.headers["location"] == f"/admin/threads/{thread}?run={run}"
    asked = (await client.get(gate.headers["location"])).text
    assert f'name="run" value="{run}"' in asked
    sent = {"reason": "a complaint", "run": run}
    opened = await client.post(f"/admin/threads/{thread}/open", data=sent)
    page = (await client.get(opened.headers["location"])).text
    assert "TOOL_CALL_START" in page
    assert "May I &lt;b&gt;?" in page
    assert "&quot;delta&quot;" in page
    assert f'href="/admin/audit?thread={thread}"' in page
    wrong = await client.post(f"/admin/threads/{thread}/open", data={"reason": " ", "run": run})
    assert f'name="run" value="{run}"' in wrong.text


async def test_events_are_shown_a_page_at_a_time(world, client):
    thread = await world.said("Do it", ask())
    run = world.runs(thread)[0].id
    with world.database.transaction() as session:
        first = threads.reserve(session, thread, count=PAGE)
        more = [an_event(thread=thread, seq=first + one, run=run) for one in range(PAGE)]
        events.append(session, more)
    await client.post(f"/admin/threads/{thread}/open", data={"reason": "a complaint"})
    page = (await client.get(f"/admin/runs/{run}")).text
    (path,) = re.findall(r'href="([^"]*after=[^"]*)"', page)
    second = (await client.get(path)).text
    assert ">First events<" in second
    assert (await client.get(f"/admin/runs/{run}?after=x")).status_code == 404


async def test_tokens_and_findings_are_told_as_far_as_the_agent_gave_them(world, client):
    thread = await world.said("Do it", ask())
    run = world.runs(thread)[0].id
    with world.database.transaction() as session:
        used = [
            {"provider": "p", "model": "m", "inputTokens": 1234, "outputTokens": 5, "cachedInputTokens": 7},
            {"model": "silent"},
        ]
        odd = {"problem": None, "counts": {"out-of-order": 2, "odd": 1}}
        session.execute(update(run_table).values(usage=used, diagnostics=odd))
    await client.post(f"/admin/threads/{thread}/open", data={"reason": "a complaint"})
    page = (await client.get(f"/admin/runs/{run}")).text
    assert '<bdi class="mono">p m</bdi> 1\u202f234 / 5, 7 / ?' in page
    assert '<bdi class="mono">silent</bdi> </p>' in page
    assert "out-of-order</bdi> (2): <span>events came in an order that the protocol forbids" in page
    assert '(1): <bdi class="mono">odd</bdi>' in page


async def test_the_runs_of_one_exchange_lead_to_each_other(world, client):
    thread = await world.said("Do it", ask())
    (first,) = world.runs(thread)
    with world.database.transaction() as session:
        again = replace(first, id="again", wire_run_id="again", status="failed", error_code="TIMEOUT")
        runs.create(session, again)
    await client.post(f"/admin/threads/{thread}/open", data={"reason": "a complaint"})
    page = (await client.get(f"/admin/runs/{first.id}")).text
    assert re.search(rf'href="/admin/runs/{first.id}" class="[^"]+" aria-current="page"', page)
    assert 'href="/admin/runs/again"' in page


async def test_a_run_that_is_not_there_is_not_found(client):
    assert (await client.get("/admin/runs/unknown")).status_code == 404
