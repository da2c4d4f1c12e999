import pytest
from pydantic import ValidationError

from chat_app.ui.panels.plan import Plan, PlanView, StepView, plan_view


def drawn(*steps: dict) -> PlanView:
    return plan_view(Plan.model_validate({"steps": list(steps)}))


def test_steps_stand_in_order_with_how_many_are_done():
    view = drawn(
        {"title": "Read", "status": "done"},
        {"description": "Book", "status": "in_progress", "detail": "the stand"},
        {"name": "Set"},
    )
    assert view == PlanView(
        1,
        3,
        [
            StepView("step-0", "Read", "done", ""),
            StepView("step-1", "Book", "doing", "the stand"),
            StepView("step-2", "Set", "todo", ""),
        ],
    )


@pytest.mark.parametrize(
    "state", [{}, {"steps": [{"status": "done"}]}, {"steps": [{"title": "a", "status": "odd"}]}]
)
def test_what_is_no_plan_is_refused(state):
    with pytest.raises(ValidationError):
        Plan.model_validate(state)


def test_a_plan_without_steps_is_a_plan():
    assert drawn() == PlanView(0, 0, [])
