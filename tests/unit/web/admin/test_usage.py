"""What was used, as a browser gets it."""

import re

from tests.support.world import answer

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


async def test_charts_say_what_they_show_and_the_table_has_every_value(world, client):
    await world.said("Hello", answer("Hi"))
    page = (await client.get("/admin/usage")).text
    (title, desc) = re.findall(r'role="img" aria-labelledby="(runs-title) (runs-desc)"', page)[0]
    assert f'id="{title}"' in page
    assert re.search(rf'id="{desc}">From [-\d]+ to [-\d]+: 1 in all, 1 on the busiest day', page)
    assert page.count("<rect") > 0
    today = world.clock().date().isoformat()
    assert re.search(rf'<td><bdi>{today}</bdi></td><td class="num">1</td>', page)
    assert re.search(r'<td><bdi>Ada</bdi></td><td class="num">1</td>', page)


async def test_days_can_be_chosen_and_stay_in_the_links(client):
    page = (await client.get("/admin/usage?since=2026-01-01&until=2026-01-31")).text
    assert 'value="2026-01-01"' in page
    assert "since=2026-01-01&amp;until=2026-01-31" in page
    assert "Nothing was used in these days." in page
    assert "These are no days" in (await client.get("/admin/usage?since=soon")).text


async def test_a_table_is_taken_out_as_csv(world, client):
    await world.said("Hello", answer("Hi"))
    for group in ("day", "agent", "person"):
        file = await client.get(f"/admin/usage/{group}")
        assert file.headers["content-type"] == "text/csv; charset=utf-8"
        assert f'filename="usage-by-{group}.csv"' in file.headers["content-disposition"]
        assert f'"{group}","name","runs"' in file.text
    assert (await client.get("/admin/usage/odd")).status_code == 404
