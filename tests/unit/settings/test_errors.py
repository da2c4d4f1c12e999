from chat_app.settings import SettingsError


def test_the_message_is_the_sentence():
    assert str(SettingsError("say it")) == "say it"
