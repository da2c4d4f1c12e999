import subprocess
import sys
from pathlib import Path

import pytest

from chat_app.agent.task_board.__main__ import main

ROOT = Path(__file__).parents[4]


def test_a_store_must_be_named(capsys):
    with pytest.raises(SystemExit):
        main([])
    assert "store" in capsys.readouterr().err


def test_the_program_serves_until_its_input_ends(tmp_path):
    store = f"sqlite:///{tmp_path / 'tasks.db'}"
    command = [sys.executable, "-m", "chat_app.agent.task_board", store, "--pause", "0"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, timeout=20, check=False)
    assert done.returncode == 0
    assert (tmp_path / "tasks.db").exists()
