"""The inbox of open decisions: what it shows, who has what in hand, and what time does to questions that wait."""

from chat_app.services.inbox.desk import Inbox
from chat_app.services.inbox.shapes import Choice, Item, Opened, Page, Query, Said

__all__ = ["Choice", "Inbox", "Item", "Opened", "Page", "Query", "Said"]
