"""What no page of ours would send."""

import pytest

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


@pytest.mark.parametrize("body", [b"", b"\xff", b"act=odd", b"a=1&" * 99, b"act=" + b"x" * 70_000])
async def test_what_no_form_of_ours_sends_does_nothing(world, client, body):
    found = await client.post(f"/admin/people/{world.ada.id}/change", content=body)
    assert found.status_code == 404
