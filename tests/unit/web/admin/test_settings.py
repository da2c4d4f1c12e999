"""The settings in force, as an admin's browser gets them."""

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


async def test_settings_are_shown_with_their_source(client):
    page = (await client.get("/admin/settings")).text
    assert "<td>" in page
    assert "environment" in page
    assert "s3cret" not in page
