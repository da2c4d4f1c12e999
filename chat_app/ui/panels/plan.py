"""The run plan: the steps an agent means to take, and how far it is."""

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

import reflex as rx
from pydantic import AliasChoices, BaseModel, BeforeValidator, Field

from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.panels.base import Panel
from chat_app.ui.parts.base import icon
from chat_app.ui.words import match, t

Status = Literal["todo", "doing", "done", "failed"]

STATUSES: Final = ("todo", "doing", "done", "failed")
SAID: Final = {
    **dict.fromkeys(("todo", "pending", "planned", "enabled", "not_started", "queued"), "todo"),
    **dict.fromkeys(("doing", "in_progress", "running", "active", "executing"), "doing"),
    **dict.fromkeys(("done", "completed", "complete", "finished", "executed", "success"), "done"),
    **dict.fromkeys(("failed", "error", "skipped", "cancelled", "disabled"), "failed"),
}
"""How agents call the four, in small letters with underscores."""

# status → class of the item, icon
LOOKS: Final = {
    "todo": ("", "circle-dashed"),
    "doing": ("now", "circle-dot"),
    "done": ("ok", "circle-check"),
    "failed": ("", "circle-slash"),
}


def _status(said: object) -> object:
    return (
        SAID.get(said.strip().lower().replace(" ", "_").replace("-", "_")) if isinstance(said, str) else said
    )


class Step(BaseModel):
    """One step; agents call its text title, description or name."""

    title: str = Field(validation_alias=AliasChoices("title", "description", "name", "step"))
    status: Annotated[Status, BeforeValidator(_status)] = "todo"
    detail: str | None = None


class Plan(BaseModel):
    """A plan in the shared state."""

    steps: list[Step] = Field(max_length=500)


@dataclass(frozen=True, slots=True)
class StepView:
    """A step as it is drawn."""

    key: str
    title: str
    status: str
    detail: str


@dataclass(frozen=True, slots=True)
class PlanView:
    """The steps in order, and how many are done."""

    done: int
    total: int
    steps: list[StepView] = field(default_factory=list)


def plan_view(plan: Plan) -> PlanView:
    """Return the plan as it is drawn."""
    steps = [
        StepView(f"step-{at}", step.title, step.status, step.detail or "")
        for at, step in enumerate(plan.steps)
    ]
    return PlanView(sum(step.status == "done" for step in steps), len(steps), steps)


# ------------------------------------------------------------ drawing


def plan(view: rx.Var[PlanView], editable: rx.Var[bool]) -> rx.Component:
    """Draw the plan; a person does not change it."""
    del editable
    return rx.fragment(
        rx.el.p(t("plan.sum", done=view.done.to(str), total=view.total.to(str)), class_name="sums"),
        rx.cond(view.total == 0, rx.el.p(t("plan.empty"), class_name="muted")),
        rx.el.ol(rx.foreach(view.steps, _step)),
    )


def _step(step: rx.Var[StepView]) -> rx.Component:
    symbol = icon(choose(step.status, {code: look[1] for code, look in LOOKS.items()}, "circle-dashed"))
    return browser.Item.create(
        rx.el.span(symbol, rx.el.span(match(step.status, "task", STATUSES, "task.todo"), class_name="sr")),
        rx.el.span(step.title, class_name="ttl", dir="auto"),
        rx.cond(step.detail != "", rx.el.span(step.detail, class_name="sub", dir="auto")),
        panel="plan",
        name=step.key,
        pointer="",
        class_name="task " + choose(step.status, {code: look[0] for code, look in LOOKS.items()}, ""),
        key=step.key,
    )


PANEL = Panel(
    id="plan",
    title=t("panel.plan"),
    component=plan,
    pointer="/app",
    model=Plan,
    view=plan_view,
    shape=PlanView,
)
