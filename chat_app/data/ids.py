"""Ids of our own rows. Ids of the AG-UI wire are opaque strings, kept beside these, never mixed."""

import uuid_utils


def new_id() -> str:
    """Return a fresh UUIDv7 as 36 characters; ids made later sort later, which keeps index pages compact."""
    return str(uuid_utils.uuid7())
