"""The history: protocol messages and state, folded from the log; what the next request carries."""

from chat_app.agui.history.applier import HANDLERS, IGNORED, Applier
from chat_app.agui.history.outgoing import HistoryCall

__all__ = ["HANDLERS", "IGNORED", "Applier", "HistoryCall"]
