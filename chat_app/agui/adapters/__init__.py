"""The ways today's frameworks ask a person, each in a file named for it.

``FINDERS`` and ``SHAPES`` are ordered: the first that fits is used.
"""

from chat_app.agui.adapters import adk, agno, confirm_changes, crewai, langchain, on_interrupt, schema
from chat_app.agui.adapters.base import (
    Delivery,
    Edits,
    Finder,
    RunRecord,
    SeenCall,
    Shape,
    asking_call,
    delivery_of,
    metadata_of,
)
from chat_app.agui.events import Interrupt

FINDERS: tuple[Finder, ...] = (on_interrupt.find, adk.find, confirm_changes.find, agno.find)

SHAPES: tuple[Shape, ...] = (
    langchain.SHAPE,
    adk.SHAPE,
    confirm_changes.SHAPE,
    agno.SHAPE,
    crewai.SHAPE,
    schema.KEYED,
    schema.BOOLEAN,
    schema.PLAIN,
    schema.OPEN,
)


def shape_of(interrupt: Interrupt) -> Shape:
    """Return what an answer to this question looks like."""
    return next(shape for shape in SHAPES if shape.fits(interrupt))


__all__ = [
    "FINDERS",
    "SHAPES",
    "Delivery",
    "Edits",
    "Finder",
    "RunRecord",
    "SeenCall",
    "Shape",
    "asking_call",
    "delivery_of",
    "metadata_of",
    "shape_of",
]
