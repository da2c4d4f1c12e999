"""What opens a door is not shown."""

import pytest

from chat_app.services.masking import MASK, masked


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "cookie",
        "password",
        "passwd",
        "client_secret",
        "apiKey",
        "X-API-Key",
        "token",
        "accessToken",
        "refresh_token",
        "encryptedValue",
        "privateKey",
    ],
)
def test_what_stands_under_the_name_of_a_secret_is_masked(name):
    assert masked({"a": [{name: "s3cret"}]}) == {"a": [{name: MASK}]}
    assert masked({name: {"deep": "s3cret"}}) == {name: MASK}


@pytest.mark.parametrize(
    "value", [None, "", 1, 1.5, True, "text", [], {}, {"inputTokens": 3, "delta": "secret"}]
)
def test_everything_else_stays_as_it_is(value):
    assert masked(value) == value


def test_a_secret_that_is_empty_is_no_secret():
    assert masked({"token": None, "password": ""}) == {"token": None, "password": ""}
