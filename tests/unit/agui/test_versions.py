import pytest

from chat_app.agui.versions import PROTOCOL_VERSION, parse_version, version_concern


def test_this_client_speaks_one_point_zero() -> None:
    assert parse_version(PROTOCOL_VERSION) == (1, 0)


@pytest.mark.parametrize("text", ["1", "1.0.0", "v1.0", "1.", "one", "", "1.0\n", "\u0661.\u0660"])
def test_other_spellings_are_no_version(text: str) -> None:
    assert parse_version(text) is None


def test_versions_are_compared_number_by_number() -> None:
    assert parse_version("1.10") > parse_version("1.9")  # type: ignore[operator]


@pytest.mark.parametrize("declared", ["0.9", "1.0"])
def test_an_older_or_equal_version_is_no_concern(declared: str) -> None:
    assert version_concern(declared) is None


def test_a_newer_or_unreadable_version_is_said() -> None:
    assert "2.0" in str(version_concern("2.0"))
    assert "cannot interpret" in str(version_concern("latest"))
