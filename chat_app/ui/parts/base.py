"""Small pieces everything is drawn with: icons, icon buttons, faces."""

import reflex as rx

SPRITE = "/icons.svg"


def icon(name: rx.Var[str] | str, *, small: bool = False, extra: rx.Var[str] | str = "") -> rx.Component:
    """Draw the symbol called `name`. It says nothing: a word stands next to it, or its button has a name."""
    size = "i i-sm " if small else "i "
    use = rx.el.svg.use(href=rx.Var.create(f"{SPRITE}#") + name)
    return rx.el.svg(use, class_name=rx.Var.create(size) + extra, aria_hidden="true")


def icon_button(name: rx.Var[str] | str, label: rx.Var[str] | str, **props: object) -> rx.Component:
    """Draw a button that is only an icon; `label` is its name and its tooltip."""
    extra = props.pop("class_name", "")
    return rx.el.button(
        icon(name),
        type="button",
        aria_label=label,
        title=label,
        class_name=f"btn btn-icon {extra}".strip(),
        **props,
    )


def agent_face() -> rx.Component:
    """Draw the mark of the agent."""
    return rx.el.span(icon("waypoints"), class_name="avatar avatar-agent", aria_hidden="true")
