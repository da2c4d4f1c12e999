import pytest
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError, ModelRateLimitError, ModelTimeoutError

from chat_app.agent.models.troubles import TROUBLES, broken, fault_of


def test_the_narrow_kinds_stand_before_the_wide_ones():
    kinds = [kind for kind, *_ in TROUBLES]
    assert not [
        (early, late) for at, early in enumerate(kinds) for late in kinds[at + 1 :] if issubclass(late, early)
    ]
    assert kinds[-1] is ModelAPIError


@pytest.mark.parametrize(
    ("error", "code", "passing"),
    [
        (ModelRateLimitError("m", "slow"), "MODEL_RATE_LIMIT", True),
        (ModelTimeoutError("m", "late"), "MODEL_TIMEOUT", True),
        (ModelHTTPError(418, "m"), "MODEL_REJECTED", False),
        (ModelAPIError("m", "odd"), "MODEL_REJECTED", False),
    ],
)
def test_errors_are_told_by_kind(error, code, passing):
    fault = fault_of(error, "m")
    assert (fault.code, fault.passing) == (code, passing)
    assert ("418" in fault.message) is (getattr(error, "status_code", 0) == 418)


def test_an_unreadable_answer_names_its_model():
    assert "model m" in broken("m").message
