"""Lets an agent that knows no questions of its own ask the person it talks to."""

from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, Field

from chat_app.agui import AskTool


class Question(BaseModel):
    """What is asked."""

    question: str = Field(description="One question, in the person's language.")


def ask_person(now: Callable[[], datetime]) -> AskTool:
    """Return the tool; the person writes the answer, and the run waits for it."""
    del now
    return AskTool(
        name="ask_person",
        description="Ask the person a question and wait for their answer, when you cannot go on without it.",
        arguments=Question,
    )
