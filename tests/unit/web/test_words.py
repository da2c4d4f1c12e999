import httpx
import pytest
from starlette.applications import Starlette

from chat_app.web.words import language_of, route

SCRIPTS = {"en": b"english", "de": b"deutsch", "ar": b"arabi"}
KNOWN = frozenset(SCRIPTS)


@pytest.mark.parametrize(
    ("chosen", "setting", "accepted", "spoken"),
    [
        ("ar", "de", "en", "ar"),
        ("", "de", "ar", "de"),
        ("", "", "fr-FR, de;q=0.4, ar-EG;q=0.8", "ar"),
        ("", "", "de;q=0, ar;q=0.1", "ar"),
        ("", "", "de;q=nonsense", "de"),
        ("", "", "fr, *", "en"),
        ("klingon", "", "", "en"),
    ],
)
def test_the_choice_comes_before_the_setting_before_the_browser_before_english(
    chosen, setting, accepted, spoken
):
    assert language_of(chosen=chosen, setting=setting, accepted=accepted, known=KNOWN) == spoken


@pytest.fixture
async def client():
    transport = httpx.ASGITransport(Starlette(routes=[route(SCRIPTS, setting="")]))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def test_the_script_of_the_language_is_served_and_no_cache_mixes_people_up(client):
    answer = await client.get("/words.js", headers={"accept-language": "de-AT"})
    assert answer.content == b"deutsch"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["vary"] == "Cookie, Accept-Language"
    assert "private" in answer.headers["cache-control"]


async def test_what_the_browser_has_is_not_sent_again(client):
    first = await client.get("/words.js", headers={"cookie": "parley_language=ar"})
    again = await client.get(
        "/words.js", headers={"cookie": "parley_language=ar", "if-none-match": first.headers["etag"]}
    )
    other = await client.get("/words.js", headers={"if-none-match": first.headers["etag"]})
    assert (first.content, again.status_code, other.content) == (b"arabi", 304, b"english")
