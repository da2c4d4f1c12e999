"""Forms made from JSON Schemas: what a person fills in to answer a question, or to change what a call would do.

    schema ──▶ Shape ──┬─ entries_of(value) ──▶ entries: the text of every input, by its key
                       └─ read(entries) ──▶ fields to draw, the value they make, what is wrong with them

Everything in between is text as typed, so that a number keeps its digits and a wrong one is not lost. All of it is
pure. A form that could not give back the value it was made from is not offered: the person edits the JSON instead.
"""

from chat_app.services.forms.acts import act_on
from chat_app.services.forms.fields import ABSENT, Absent, Choice, Draft, Field, Form
from chat_app.services.forms.filling import Asked, Filling, form_of

__all__ = ["ABSENT", "Absent", "Asked", "Choice", "Draft", "Field", "Filling", "Form", "act_on", "form_of"]
