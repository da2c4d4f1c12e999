import pytest

from chat_app.services.vault import Vault


def test_a_content_is_kept_once_under_its_hash(tmp_path):
    vault = Vault(tmp_path / "files")
    assert vault.names() == []
    name = vault.put(b"abc")
    assert vault.put(b"abc") == name
    assert vault.names() == [name]
    assert vault.get(name) == b"abc"
    vault.drop(name)
    vault.drop(name)
    assert vault.get(name) is None


def test_nothing_but_a_hash_names_a_content(tmp_path):
    with pytest.raises(ValueError, match="not a hash"):
        Vault(tmp_path).get("../../etc/passwd")
