from chat_app.cli import main


def test_the_front_door_returns_the_exit_code(capsys):
    assert main(["config", "--json"]) == 0
    assert main(["no-such-command"]) == 2
    assert "no-such-command" in capsys.readouterr().err
