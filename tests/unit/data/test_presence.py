from chat_app.data.presence import Commits, Presence


def test_the_first_has_no_company_until_another_comes(tmp_path):
    first, second = Presence(tmp_path / "parley.db"), Presence(tmp_path / "parley.db")
    assert first.come()
    assert not first.has_company()
    assert not second.come()
    assert first.has_company()
    assert second.has_company()
    second.go()
    assert not first.has_company()
    first.go()


def test_who_comes_while_a_later_one_is_still_there_is_not_alone(tmp_path):
    first, second, third = (Presence(tmp_path / "parley.db") for _ in range(3))
    first.come()
    second.come()
    first.go()
    assert not third.come()
    second.go()
    assert not third.has_company()
    third.go()


def test_only_commits_of_others_happen(sqlite):
    commits = Commits(sqlite.file)
    assert not commits.happened()
    with sqlite.transaction() as session:
        session.connection().exec_driver_sql("CREATE TABLE odd (x)")
    assert commits.happened()
    assert not commits.happened()
    commits.close()


pytest_plugins = ("tests.support.databases",)
