"""What stays when an agent declares the list of messages without it.

Activities and thoughts are often nobody's but the client's: a snapshot that carries none of their kind
says nothing about them. The rule is the same for the history and for the screen.
"""

from chat_app.agui.events import MessagesSnapshotEvent

CLIENT_KEY = "@ag-ui/client"
OWNED_ACTIVITIES = "authoritativeActivityTypes"
"""Metadata by which a snapshot says which activity types it owns: null for all, an empty list for none."""


class Keeper:
    """Knows which held messages stay although a snapshot leaves them out."""

    def __init__(self, event: MessagesSnapshotEvent) -> None:
        roles = {message.role for message in event.messages}
        self._keeps_reasoning = "reasoning" not in roles
        self._keeps_activities = "activity" not in roles
        self._owned = _owned_activities(event)

    def keeps(self, role: str, activity_type: str) -> bool:
        """Say whether a message of this role, for activities of this type, stays."""
        if role == "activity":
            return self._keeps_activities if self._owned is None else activity_type not in self._owned
        return role == "reasoning" and self._keeps_reasoning


class _Everything:
    """A set of activity types that holds them all."""

    def __contains__(self, item: object) -> bool:
        return True


def _owned_activities(event: MessagesSnapshotEvent) -> "frozenset[str] | _Everything | None":
    said = (event.metadata or {}).get(CLIENT_KEY)
    if not isinstance(said, dict) or OWNED_ACTIVITIES not in said:
        return None
    types = said[OWNED_ACTIVITIES]
    if types is None:
        return _Everything()
    return frozenset(map(str, types)) if isinstance(types, list) else None
