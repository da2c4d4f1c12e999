"""Every case of ``fixtures/seeds/session.json``, read with the overrides."""

import pytest

from tests.conformance.overrides import adjusted
from tests.conformance.session_script import SessionScript
from tests.support.shared import seed_cases


@pytest.mark.parametrize("case", seed_cases("session"))
async def test_a_session_does_what_the_case_says(case):
    await SessionScript(adjusted("session", case)).play()
