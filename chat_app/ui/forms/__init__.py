"""Draws forms: the inputs of a `Form` record, with what is wrong next to each."""

from chat_app.ui.forms.form import answer_form

__all__ = ["answer_form"]
