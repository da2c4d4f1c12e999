"""What went wrong at a provider, in words for the person and a code for programs. Needs the extra ``models``."""

from typing import Final

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
)

from chat_app.agent.models.interface import ModelFault

_Words = tuple[type[ModelAPIError], str, str, bool]

# The first row that fits speaks, so a narrow kind stands before a wide one. The last column: does it pass?
TROUBLES: Final[tuple[_Words, ...]] = (
    (ModelQuotaExceededError, "MODEL_QUOTA", "The account of the model {model} has no quota left.", False),
    (ModelRateLimitError, "MODEL_RATE_LIMIT", "The model {model} takes no more requests for now.", True),
    (ModelUnavailableError, "MODEL_UNAVAILABLE", "The model {model} is not available for now.", True),
    (ModelServerError, "MODEL_FAILED", "The model {model} failed on its own side.", True),
    (ModelTimeoutError, "MODEL_TIMEOUT", "The model {model} did not answer in time.", True),
    (ModelConnectionError, "MODEL_UNREACHABLE", "The model {model} cannot be reached.", True),
    (
        ModelContextWindowExceededError,
        "MODEL_CONTEXT",
        "This conversation is too long for the model {model}.",
        False,
    ),
    (ModelAuthenticationError, "MODEL_KEY", "The model {model} does not accept the configured key.", False),
    (ModelNotFoundError, "MODEL_UNKNOWN", "There is no model {model} at this provider.", False),
    (ModelAPIError, "MODEL_REJECTED", "The model {model} rejected the request.", False),
)
BROKEN: Final = "MODEL_BROKEN"


def fault_of(error: ModelAPIError, model: str) -> ModelFault:
    """Give a provider's error in our words. What it said itself may quote keys or prompts and stays out."""
    code, sentence, passing = next(
        (code, sentence, passing) for kind, code, sentence, passing in TROUBLES if isinstance(error, kind)
    )
    told = [sentence.format(model=model)]
    if isinstance(error, ModelHTTPError) and code == "MODEL_REJECTED":
        told.append(f"It answered with HTTP status {error.status_code}.")
    if error.retry_after is not None:
        told.append(f"It asks to wait {error.retry_after:g} s.")
    return ModelFault(" ".join(told), code=code, retry_after=error.retry_after, passing=passing)


def broken(model: str) -> ModelFault:
    """Word an answer that makes no sense."""
    return ModelFault(f"The answer of the model {model} cannot be read.", code=BROKEN)
