from chat_app.cli.errors import Stop


def test_the_message_is_the_sentence():
    assert str(Stop("say it")) == "say it"
