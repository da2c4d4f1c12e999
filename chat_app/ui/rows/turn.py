"""One message of the agent's turn with its parts, in the order they came."""

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui.parts import part_view
from chat_app.ui.rows.acts import acts
from chat_app.ui.rows.frame import agent_article


def turn(row: rx.Var[Row], person: rx.Var[str], agent: rx.Var[str]) -> rx.Component:
    """Draw what the agent said and did."""
    del person
    parts = rx.foreach(row.parts, lambda part: rx.fragment(part_view(row, part), key=part.key))
    return agent_article(row, agent, rx.el.div(parts, class_name="parts"), acts(row), extra="is-turn")
