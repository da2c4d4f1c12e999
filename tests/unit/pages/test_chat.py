"""What the empty page offers is something the embedded agent has an answer for."""

import pytest

from chat_app.agent import scenarios
from chat_app.pages.chat import SUGGESTIONS


@pytest.mark.parametrize("suggestion", SUGGESTIONS, ids=lambda each: each.title)
def test_the_embedded_agent_knows_the_line(suggestion):
    assert suggestion.line in {known.phrase for known in scenarios.SUGGESTIONS}
