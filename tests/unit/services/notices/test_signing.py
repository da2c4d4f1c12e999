"""Signatures, by the published example of the convention and by a receiver of one's own."""

from chat_app.services.notices.signing import new_secret, signature, signed

EXAMPLE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_the_example_of_standard_webhooks_is_signed_alike():
    mark = signature(
        b'{"test": 2432232314}', key="msg_p5jXN8AQM9LWM0D4loKWxJek", at=1614265330, secret=EXAMPLE
    )
    assert mark == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_every_secret_signs():
    one, other = new_secret(), new_secret()
    headers = signed(b"{}", key="n-1", at=7, known_by=[one, other])
    assert headers["webhook-id"] == "n-1"
    assert headers["webhook-timestamp"] == "7"
    assert headers["webhook-signature"].split(" ") == [
        signature(b"{}", key="n-1", at=7, secret=secret) for secret in (one, other)
    ]


def test_nothing_of_what_is_signed_can_be_changed():
    secret = new_secret()
    mark = signature(b"{}", key="n-1", at=7, secret=secret)
    assert (
        len(
            {
                mark,
                signature(b"[]", key="n-1", at=7, secret=secret),
                signature(b"{}", key="n-2", at=7, secret=secret),
                signature(b"{}", key="n-1", at=8, secret=secret),
                signature(b"{}", key="n-1", at=7, secret=new_secret()),
            }
        )
        == 5
    )


def test_a_secret_is_made_of_what_is_drawn():
    assert new_secret(lambda number: b"\x00" * number) == "whsec_" + "A" * 43 + "="
