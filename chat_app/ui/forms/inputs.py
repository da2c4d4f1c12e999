"""One input per kind of field. Uncontrolled: what is in them is read when it is needed (`js/form.jsx`)."""

from collections.abc import Callable, Mapping
from typing import Final

import reflex as rx

from chat_app.services.forms import Choice, Field
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.words import t

InputView = Callable[[rx.Var[Field], rx.Var[str]], rx.Component]


_NO_MORE: Final[Mapping[str, str]] = {}


def _described(
    field: rx.Var[Field], key: rx.Var[str], more: Mapping[str, str] = _NO_MORE
) -> dict[str, object]:
    attrs = {"data-field": field.key, "aria-invalid": field.code != "", "aria-describedby": f"{key}-why"}
    return {"id": key, "custom_attrs": {**attrs, **more}}


def _text(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    return rx.el.input(
        type="text", default_value=field.text, dir="auto", class_name="input", **_described(field, key)
    )


def _long(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    return rx.el.textarea(
        default_value=field.text, rows=3, dir="auto", class_name="input", **_described(field, key)
    )


def _json(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    return rx.el.textarea(
        default_value=field.text, rows=3, dir="ltr", class_name="input mono", **_described(field, key)
    )


def _number(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    # text, not number: the browser would round what it reads
    return rx.el.input(
        type="text",
        input_mode="decimal",
        default_value=field.text,
        dir="ltr",
        class_name="input input-num",
        **_described(field, key),
    )


def _date(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    return rx.el.input(type="date", default_value=field.text, class_name="input", **_described(field, key))


def _boolean(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    described = _described(field, key, {"data-on": "true", "data-off": "false"})
    switch = rx.el.input(
        type="checkbox",
        role="switch",
        default_checked=field.text == "true",
        class_name="switch",
        **described,
    )
    return rx.el.div(switch, class_name="row switch-row")


def _maybe(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    return rx.el.select(
        rx.el.option(t("form.choose"), value=""),
        rx.el.option(t("form.yes"), value="true"),
        rx.el.option(t("form.no"), value="false"),
        default_value=field.text,
        class_name="input",
        **_described(field, key),
    )


def _choice(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    def option(choice: rx.Var[Choice]) -> rx.Component:
        return rx.el.option(choice.label, value=choice.value, key=choice.value)

    return rx.el.select(
        rx.el.option(t("form.choose"), value=""),
        rx.foreach(field.choices, option),
        default_value=field.text,
        class_name="input",
        **_described(field, key),
    )


def _hidden(field: rx.Var[Field]) -> rx.Component:
    return rx.el.input(type="hidden", default_value=field.text, custom_attrs={"data-field": field.key})


def _list(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    add = rx.el.button(
        icon("plus", small=True),
        t("form.add"),
        type="button",
        id=f"{key}-add",
        class_name="btn btn-quiet btn-sm",
        aria_labelledby=f"{key}-add {key}-label",
        aria_describedby=f"{key}-why",
        custom_attrs={"data-does": "add", "data-key": field.key},
    )
    return rx.el.div(_hidden(field), add)


def _group(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    described = _described(field, key, {"data-draws": "", "data-on": "1", "data-off": ""})
    toggle = rx.el.div(
        rx.el.input(
            type="checkbox",
            role="switch",
            default_checked=field.text == "1",
            class_name="switch",
            **described,
        ),
        rx.el.span(t("form.include"), class_name="muted", aria_hidden="true"),
        class_name="row switch-row",
    )
    return rx.cond(field.required | field.item, _hidden(field), toggle)


def _variants(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    def tab(choice: rx.Var[Choice]) -> rx.Component:
        return rx.el.button(
            choice.label,
            type="button",
            aria_pressed=field.text == choice.value,
            key=choice.value,
            custom_attrs={"data-does": "pick", "data-key": field.key, "data-value": choice.value},
        )

    tabs = rx.el.div(
        rx.foreach(field.choices, tab),
        role="group",
        aria_labelledby=f"{key}-label",
        class_name="seg",
    )
    return rx.el.div(_hidden(field), tabs)


INPUTS: Final[Mapping[str, InputView]] = {
    "text": _text,
    "long": _long,
    "json": _json,
    "number": _number,
    "date": _date,
    "boolean": _boolean,
    "maybe": _maybe,
    "choice": _choice,
    "list": _list,
    "group": _group,
    "variants": _variants,
}


def input_view(field: rx.Var[Field], key: rx.Var[str]) -> rx.Component:
    """Draw the input of a field under the id `key`."""
    drawn = [(kind, view(field, key)) for kind, view in INPUTS.items()]
    return rx.match(field.kind, *drawn, _text(field, key))


def remove_button(field: rx.Var[Field]) -> rx.Component:
    """Draw the button that takes an item out of its list."""
    button = icon_button(
        "x",
        t("form.remove", name=field.name),
        custom_attrs={"data-does": "remove", "data-key": field.key},
    )
    return rx.cond(field.item, button)
