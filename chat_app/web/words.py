"""`/words.js`: the words of the page in the language of whoever opens it, before anything is drawn.

The language chosen on the page (a cookie) comes first, then the one this installation is set to, then the first of
the browser's that there is, then English.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

COOKIE: Final = "parley_language"
ENGLISH: Final = "en"


def language_of(*, chosen: str, setting: str, accepted: str, known: frozenset[str]) -> str:
    """Return the code of the language to speak; `accepted` is the header Accept-Language."""
    wanted = (chosen, setting, *_by_weight(accepted))
    return next((code for code in wanted if code in known), ENGLISH)


def _by_weight(accepted: str) -> list[str]:
    """Return the primary subtags of an Accept-Language, the most wanted first (RFC 9110 §12.5.4)."""
    weighed = [_weighed(each) for each in accepted.split(",") if each.strip()]
    return [code for weight, code in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0]


def _weighed(wanted: str) -> tuple[float, str]:
    tag, _, parameter = wanted.partition(";")
    number = parameter.strip().removeprefix("q=")
    weight = float(number) if number.replace(".", "", 1).isdecimal() else 1.0
    return weight, tag.strip().partition("-")[0].lower()


def route(scripts: Mapping[str, bytes], *, setting: str) -> Route:
    """Return the route that serves `scripts` (by language); `setting` is the installation's language, or empty."""
    known = frozenset(scripts)
    tags = {code: f'"{sha256(script).hexdigest()[:16]}"' for code, script in scripts.items()}

    async def words(request: Request) -> Response:
        code = language_of(
            chosen=request.cookies.get(COOKIE, ""),
            setting=setting,
            accepted=request.headers.get("accept-language", ""),
            known=known,
        )
        headers = {
            "etag": tags[code],
            "cache-control": "private, no-cache",
            "vary": "Cookie, Accept-Language",
            "content-language": code,
        }
        if request.headers.get("if-none-match") == tags[code]:
            return Response(status_code=304, headers=headers)
        return Response(scripts[code], media_type="text/javascript", headers=headers)

    return Route("/words.js", words)
