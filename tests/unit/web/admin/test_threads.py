"""The threads of everybody, as a browser gets them."""

import re

from chat_app.services.accounts import Ways
from chat_app.services.oversight import PAGE
from tests.support.admin import served
from tests.support.world import World, answer, ask

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


async def test_titles_are_text_and_pages_follow_one_another(world, client):
    for number in range(PAGE + 1):
        world.thread(title=f"<script>{number}")
    first = (await client.get("/admin/threads?status=idle")).text
    assert "<script>50" not in first
    assert "&lt;script&gt;50" in first
    (older,) = re.findall(r'href="([^"]*after=[^"]*)"', first)
    second = (await client.get(older.replace("&amp;", "&"))).text
    assert "&lt;script&gt;0<" in second
    assert ">Newest<" in second
    assert "Nothing fits." in (await client.get("/admin/threads?words=nothing")).text


async def test_each_line_tells_what_is_in_its_thread_and_filters_stay_in_the_address(world, client):
    await world.said("Where is order 4711?", ask())
    page = (await client.get("/admin/threads?text=4711&tool=send_mail&since=2020-01-01")).text
    assert ">send_mail<" in page
    assert 'name="text" value="4711"' in page
    assert 'name="since" value="2020-01-01"' in page
    assert "Where is order 4711?" in page
    assert "Where is order" not in (await client.get("/admin/threads?text=oslo")).text


async def test_a_thread_is_opened_for_a_reason_whose_readers_are_told_first(world, client):
    thread = await world.said("Hello", answer("Hi"))
    page = (await client.get(f"/admin/threads/{thread}")).text
    assert page.index("Ada will see who opened it") < page.index("Open and record the reason")
    none = await client.post(f"/admin/threads/{thread}/open", data={"reason": " "})
    assert (none.status_code, "Write a reason" in none.text) == (422, True)
    opened = await client.post(f"/admin/threads/{thread}/open", data={"reason": "a complaint"})
    assert (opened.status_code, opened.headers["location"]) == (303, f"/t/{thread}")


async def test_where_openings_are_off_nothing_leads_to_one(sqlite):
    async with World(sqlite, ways=Ways(password=True), opens=False).running() as world:
        thread = await world.said("Hello there", answer("Hi"))
        async with served(world, "admin") as client:
            page = (await client.get("/admin/threads")).text
            assert "turned off here" in page
            about = (await client.get(f"/admin/threads/{thread}")).text
            assert "turned off here" in about
            assert "Open and record" not in about
            run = (await client.get(f"/admin/runs/{world.runs(thread)[0].id}")).text
            assert "texts and payloads are left out" in run
            assert "RUN_FINISHED" in run
            opened = await client.post(f"/admin/threads/{thread}/open", data={"reason": "a complaint"})
            assert opened.status_code == 404
            assert "Hello there" not in page + about + run


async def test_a_thread_that_was_opened_says_so_and_by_whom(world, client):
    thread = await world.said("Hello", answer("Hi"))
    await client.post(f"/admin/threads/{thread}/open", data={"reason": "a complaint"})
    page = (await client.get(f"/admin/threads/{thread}")).text
    assert f'href="/t/{thread}"' in page
    assert "a complaint" in page
    assert f'href="/admin/runs/{world.runs(thread)[0].id}"' in page
    assert "Open and record" not in page
