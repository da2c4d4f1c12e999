"""A form: its inputs or the JSON, and what it would change."""

import reflex as rx

from chat_app.services.forms import Field, Form
from chat_app.services.rows import Change
from chat_app.ui import browser
from chat_app.ui.forms.inputs import input_view, remove_button
from chat_app.ui.forms.problems import why
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t


def answer_form(form: rx.Var[Form], name: rx.Var[str]) -> rx.Component:
    """Draw a form; `name` tells its inputs from those of others on the page."""
    return rx.fragment(
        _tabs(form),
        rx.cond(form.raw, _written(form, name), _inputs(form, name)),
        rx.cond(form.complaint != "", _complaint(form)),
        rx.cond(form.changes.length() > 0, _changes(form)),
    )


def diff(changes: rx.Var[list[Change]]) -> rx.Component:
    """Draw what differs between the proposal and what is approved, as lines that went and lines that came."""
    return rx.el.dl(rx.foreach(changes, _change), class_name="diff")


def _tab(word: str, does: str, *, on: rx.Var[bool]) -> rx.Component:
    return rx.el.button(t(word), type="button", aria_pressed=on, custom_attrs={"data-does": does})


def _tabs(form: rx.Var[Form]) -> rx.Component:
    tabs = rx.el.div(
        _tab("form.form", "form", on=~form.raw),
        _tab("form.json", "json", on=form.raw),
        role="group",
        aria_label=t("form.input"),
        class_name="seg",
    )
    count = t("form.values", count=form.count, needed=form.needed)
    line = rx.el.div(
        tabs, rx.cond(form.raw, rx.fragment(), rx.el.span(count, class_name="hint")), class_name="row"
    )
    return rx.cond(form.only_json, rx.el.p(t("form.only_json"), class_name="hint"), line)


def _inputs(form: rx.Var[Form], name: rx.Var[str]) -> rx.Component:
    def row(field: rx.Var[Field], index: rx.Var[int]) -> rx.Component:
        return _row(field, name + "-" + index.to(str), form.revision)

    return rx.el.div(rx.foreach(form.fields, row), class_name="facts form-rows")


def _row(field: rx.Var[Field], key: rx.Var[str], revision: rx.Var[int]) -> rx.Component:
    called = rx.cond(
        field.item,
        t("form.item", name=field.name),
        rx.cond(field.title != "", field.title, browser.title(field.name)),
    )
    label = rx.el.label(
        browser.Visible.create(text=called),
        rx.cond(
            ~field.item & (field.name != ""),
            rx.el.bdi(browser.Visible.create(text=field.name), class_name="raw"),
        ),
        html_for=key,
        id=f"{key}-label",
    )
    hint = rx.cond(field.hint != "", rx.el.p(browser.Visible.create(text=field.hint), class_name="hint"))
    return rx.el.div(
        label,
        rx.el.div(
            rx.el.div(
                rx.el.div(input_view(field, key), class_name="grow"), remove_button(field), class_name="row"
            ),
            hint,
            why(key, field.code, field.limit),
            class_name="field",
        ),
        class_name="form-row",
        key=f"{revision}:{field.key}",
        custom_attrs={"data-depth": field.depth},
    )


def _written(form: rx.Var[Form], name: rx.Var[str]) -> rx.Component:
    key = name + "-json"
    box = rx.el.textarea(
        default_value=form.json,
        rows=8,
        dir="ltr",
        spell_check=False,
        class_name="input mono",
        id=key,
        key=f"{form.revision}:json",
        custom_attrs={"data-json": "", "aria-invalid": form.code != "", "aria-describedby": f"{key}-why"},
    )
    return rx.el.div(
        rx.el.label(t("form.json"), html_for=key), box, why(key, form.code, form.limit), class_name="field"
    )


def _complaint(form: rx.Var[Form]) -> rx.Component:
    return rx.el.p(
        icon("circle-alert", small=True),
        rx.el.span(t("form.problem"), " ", browser.Visible.create(text=form.complaint)),
        class_name="err",
        role="status",
    )


def _changes(form: rx.Var[Form]) -> rx.Component:
    return rx.el.div(rx.el.h4(t("ask.changes"), class_name="sect-h"), diff(form.changes))


def _change(change: rx.Var[Change]) -> rx.Component:
    before = rx.el.del_(
        rx.el.span(t("ask.before"), " ", class_name="sr"), browser.Visible.create(text=change.before)
    )
    after = rx.el.ins(
        rx.el.span(t("ask.after"), " ", class_name="sr"), browser.Visible.create(text=change.after)
    )
    return rx.el.div(
        rx.el.dt(browser.Visible.create(text=rx.cond(change.name != "", browser.title(change.name), "JSON"))),
        rx.el.dd(rx.cond(change.was, before), rx.cond(change.now, after)),
        key=change.name,
    )
