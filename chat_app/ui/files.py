"""Files: the chips over the message box, the way to attach one, and a file in a line that was sent."""

import reflex as rx

from chat_app.services.rows import Part
from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.words import t


def attach() -> rx.Component:
    """Draw the button that attaches files, for an agent that takes any."""
    button = icon_button("paperclip", t("box.attach"), on_click=browser.pick_files())
    return rx.cond(Chat.accepts.length() > 0, button)


def chips() -> rx.Component:
    """Draw the files of the line that is being written."""
    shown = rx.el.div(
        rx.foreach(browser.files, _chip), class_name="chips", role="group", aria_label=t("box.files")
    )
    return rx.cond(browser.files.length() > 0, shown)


def _chip(file: rx.Var[browser.Attached]) -> rx.Component:
    is_bad = file.state == "bad"
    symbol = rx.match(
        file.state,
        ("bad", icon("circle-alert")),
        ("coming", icon("loader-circle")),
        rx.cond(file.kind == "image", icon("image"), icon("file-text")),
    )
    percent = file.done.to_string() + " %"
    facts = rx.cond(is_bad, file.reason, rx.cond(file.state == "coming", percent, browser.size(file.size)))
    as_text = rx.el.button(
        t("file.as_text"),
        type="button",
        class_name="btn btn-quiet btn-sm",
        on_click=browser.file_as_text(file.key),
    )
    return rx.el.span(
        symbol,
        rx.el.bdi(file.name, class_name="cut"),
        rx.el.small(facts, role=rx.cond(is_bad, "alert", "note")),
        rx.cond(file.pasted, as_text),
        icon_button("x", t("file.remove", name=file.name), on_click=browser.remove_file(file.key)),
        class_name=rx.cond(is_bad, "chip chip-bad", "chip"),
        key=file.key,
    )


def file_part(part: rx.Var[Part]) -> rx.Component:
    """Draw a file of a line: a picture as itself, anything else by its name; both open it."""
    picture = rx.el.img(src=part.result, alt=part.name, class_name="sent-picture", loading="lazy")
    named = rx.el.span(icon("file-text"), rx.el.bdi(part.name, class_name="cut"), class_name="chip")
    link = rx.el.a(
        rx.cond(part.status == "image", picture, named),
        href=part.result,
        target="_blank",
        rel="noopener",
        aria_label=t("file.open", name=part.name),
        class_name="sent-file",
    )
    return rx.cond(part.result != "", link, named)
