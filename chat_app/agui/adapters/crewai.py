"""CrewAI's human feedback: an answer in words, sometimes one of a list.

A cancelled answer lets the flow go on with its default or first outcome, which may be the approval; so
it is never offered as a safe way out.
"""

from chat_app.agui.adapters.base import Shape

SHAPE = Shape(
    name="crewai",
    fits=lambda interrupt: interrupt.reason.startswith("crewai:"),
    cancel_is_safe=False,
)
