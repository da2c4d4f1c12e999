"""The card of a question: open, held in a batch, or decided. It draws one record, wherever that is shown."""

from chat_app.ui.ask.card import ask_card
from chat_app.ui.ask.steer import steer_dialog

__all__ = ["ask_card", "steer_dialog"]
