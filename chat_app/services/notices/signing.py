"""Signs what is posted, by the conventions of Standard Webhooks, so that receivers need no code of ours to verify it.

A secret is `whsec_` and base64. The signature is HMAC-SHA256 over `<id>.<timestamp>.<body>`: a receiver that compares
it, and the time with its own clock, knows that the notice is ours, whole, and no repetition of an old one.
"""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret(random: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """Return a secret that nobody can guess."""
    return PREFIX + b64encode(random(SECRET_BYTES)).decode()


def signed(body: bytes, *, key: str, at: int, known_by: Iterable[str]) -> Mapping[str, str]:
    """Return the headers of a post: its id `key`, the time `at` (seconds), a signature for each of the secrets."""
    marks = (signature(body, key=key, at=at, secret=secret) for secret in known_by)
    return {"webhook-id": key, "webhook-timestamp": str(at), "webhook-signature": " ".join(marks)}


def signature(body: bytes, *, key: str, at: int, secret: str) -> str:
    """Return the signature of a body under one secret, with its version."""
    content = f"{key}.{at}.".encode() + body
    digest = hmac.digest(b64decode(secret.removeprefix(PREFIX)), content, "sha256")
    return f"v1,{b64encode(digest).decode()}"
