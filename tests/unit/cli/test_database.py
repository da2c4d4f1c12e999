from pathlib import Path

import pytest

from chat_app.cli.database import bring_up_to_date
from chat_app.data.errors import DataError
from chat_app.settings import Settings


def test_old_tables_are_updated_once_and_that_is_said(tmp_path: Path):
    said = []
    settings = Settings(data_dir=tmp_path)
    assert bring_up_to_date(settings, said.append)
    assert not bring_up_to_date(settings, said.append)
    assert said == ["Bringing the database up to date ..."]


def test_trouble_comes_as_the_databases_own_sentence(tmp_path: Path):
    (tmp_path / "parley.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(DataError):
        bring_up_to_date(Settings(data_dir=tmp_path), print)
