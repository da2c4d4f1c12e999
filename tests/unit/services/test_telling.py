from chat_app.services.telling import nobody


def test_nobody_is_told_anything():
    assert nobody(None, "asked", None, by="ada") is None
