"""The inbox: lists of open decisions, and the one that is open with what is needed to decide it."""

from chat_app.ui.inbox.page import inbox

__all__ = ["inbox"]
