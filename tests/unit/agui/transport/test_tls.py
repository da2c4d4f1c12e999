import ssl

from chat_app.agui import trusted


def test_certificates_are_checked_and_read_only_once():
    assert trusted() is trusted()
    assert trusted().verify_mode is ssl.CERT_REQUIRED
    assert trusted().check_hostname
