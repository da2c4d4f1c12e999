"""An approval in the transcript: its card, hung on the agent's line."""

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui.ask import ask_card
from chat_app.ui.rows.frame import agent_article


def approval(row: rx.Var[Row], person: rx.Var[str], agent: rx.Var[str]) -> rx.Component:
    """Draw the open question, or what became of it."""
    del person
    return agent_article(row, agent, ask_card(row=row, agent=agent))
