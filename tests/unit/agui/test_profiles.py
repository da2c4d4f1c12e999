import pytest

from chat_app.agui.errors import ConfigError, HttpStatus
from chat_app.agui.order import Mode
from chat_app.agui.profiles import CURRENT, LEGACY, PROFILES, TOLERANT, hint, profile_named


def test_each_profile_is_found_by_its_name():
    assert [profile_named(profile.name) for profile in PROFILES] == [CURRENT, TOLERANT, LEGACY]


def test_an_unknown_profile_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match="current, tolerant, 0"):
        profile_named("lenient")


def test_current_is_strict_and_the_others_are_lenient():
    assert (CURRENT.reading.mode, CURRENT.reading.lenient_shapes) == (Mode.STRICT, False)
    assert TOLERANT.reading == LEGACY.reading
    assert [profile.old for profile in PROFILES] == [False, False, True]


def test_a_refusal_that_names_a_field_of_today_suggests_the_old_profile():
    refused = HttpStatus(422, '{"detail": [{"loc": ["body", "protocolVersion"], "msg": "Extra"}]}')
    assert "'0.1'" in hint(refused, TOLERANT)
    assert hint(refused, LEGACY) == ""


@pytest.mark.parametrize("refused", [HttpStatus(422, '{"detail": "no"}'), HttpStatus(500, "resume")])
def test_other_refusals_suggest_nothing(refused):
    assert hint(refused, TOLERANT) == ""
