from typing import get_args

from chat_app.ui.gate import draw
from chat_app.web.doors import AccountPage, Device, Door, JoinPage, OverPage, SignInPage, Trouble

HOSTILE = '"><script>alert(1)</script>'
PAGES = (
    SignInPage(
        password=True,
        provider=HOSTILE,
        back='/t/a?b="c',
        name=HOSTILE,
        trouble=Trouble(kind="WrongPassword", left=2),
    ),
    SignInPage(password=False, provider="Acme", back="/", trouble=Trouble(kind="ProviderFailed")),
    JoinPage(kind="join", token=HOSTILE, typed=HOSTILE, trouble=Trouble(kind="TooFast", seconds=9)),
    JoinPage(kind="first_admin", token="t"),
    JoinPage(kind="reset", token="t", name=HOSTILE),
    OverPage(),
    AccountPage(
        name=HOSTILE,
        roles=("user",),
        single=False,
        has_password=True,
        devices=(
            Device(id="a", device=HOSTILE, last_seen="2030-05-01T12:00:00Z", mine=True),
            Device(id="b", device="", last_seen="2030-05-01T12:00:00Z", mine=False),
        ),
        trouble=Trouble(kind="WeakPassword"),
        done="changed",
    ),
    AccountPage(
        name="local",
        roles=(),
        single=True,
        has_password=False,
        devices=(),
        trouble=Trouble(kind="Refused"),
        done="ended",
    ),
)


def test_every_door_is_drawn_in_every_language_and_nothing_in_it_is_markup():
    assert {type(page) for page in PAGES} == set(get_args(Door))
    for page in PAGES:
        for language in ("en", "de", "ar"):
            drawn = draw(page, language)
            assert drawn.startswith(f'<!doctype html><html lang="{language}"')
            assert "alert(1)" not in drawn or "&lt;script&gt;alert(1)" in drawn
            assert "<script>alert" not in drawn
