import pytest
from pwdlib.hashers.argon2 import Argon2Hasher

from chat_app.services.passwords import Passwords, fit
from chat_app.services.problems import WeakPassword

CHEAP = Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.mark.parametrize(
    "password", ["", "short one", "x" * 501, "aaaaaaaaaaaa", "ada@example.org", "ADA@example.org"]
)
def test_what_is_easy_to_guess_is_refused(password):
    with pytest.raises(WeakPassword):
        fit(password, name="ada@example.org")


def test_every_keyboard_types_the_same_password():
    assert fit("cafe\u0301 au lait", name="ada") == fit("caf\u00e9 au lait", name="ada")
    hashes = Passwords(CHEAP)
    assert hashes.matches("cafe\u0301 au lait", hashes.hash("caf\u00e9 au lait")) == (True, "")


def test_a_password_matches_its_hash_and_no_other():
    hashes = Passwords(CHEAP)
    kept = hashes.hash("correct horse")
    assert kept.startswith("$argon2id$")
    assert hashes.matches("correct horse", kept) == (True, "")
    assert hashes.matches("correct house", kept) == (False, "")


def test_nobodys_password_matches_nothing():
    assert Passwords(CHEAP).matches("a password that nobody has", None) == (False, "")


def test_a_hash_of_another_kind_matches_nothing():
    assert Passwords(CHEAP).matches("correct horse", "plain text") == (False, "")


def test_a_hash_that_cost_too_little_is_made_anew():
    kept = Passwords(CHEAP).hash("correct horse")
    dearer = Passwords(Argon2Hasher(time_cost=2, memory_cost=16, parallelism=1))
    fits, better = dearer.matches("correct horse", kept)
    assert fits
    assert dearer.matches("correct horse", better) == (True, "")
