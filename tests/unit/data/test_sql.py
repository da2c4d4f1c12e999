import pytest
from sqlalchemy import insert, select, update

from chat_app.data import sql
from chat_app.data.records import ThreadLine, UserRecord
from chat_app.data.tables import Thread, User, table_of
from tests.support.records import a_user

pytest_plugins = ("tests.support.databases",)

user = table_of(User)
ALL = select(*sql.columns_of(UserRecord, user))


def test_a_record_becomes_the_values_of_a_row_without_copying_them():
    record = a_user(roles=("admin",))

    values = sql.values_of(record)

    assert values["roles"] is record.roles
    assert UserRecord(**values) == record


def test_a_smaller_record_selects_fewer_columns():
    names = [column.name for column in sql.columns_of(ThreadLine, table_of(Thread))]

    assert names == list(sql.names_of(ThreadLine))
    assert "state" not in names


def test_rows_come_back_as_the_records_that_went_in(database):
    people = [a_user(roles=("admin", "approver")), a_user(active=False)]
    with database.transaction() as session:
        sql.add(session, user, people)
    with database.reading() as session:
        found = sql.many(session, UserRecord, ALL.order_by(user.c.id))

    assert sorted(found, key=lambda person: person.id) == sorted(people, key=lambda person: person.id)


def test_nothing_is_added_for_no_records(database):
    with database.transaction() as session:
        sql.add(session, user, [])
        sql.add_or_change(session, user, [], by=("name",), keep=("id",))

        assert sql.many(session, UserRecord, ALL) == ()


def test_no_row_is_none(database):
    with database.reading() as session:
        assert sql.one(session, UserRecord, ALL.where(user.c.id == "nobody")) is None


def test_a_row_in_the_way_keeps_another_out_and_says_so(database):
    first, twin = a_user(name="ada"), a_user(name="ada")
    with database.transaction() as session:
        added = [sql.add_unless(session, user, record) for record in (first, twin)]

        assert added == [True, False]
        assert sql.many(session, UserRecord, ALL) == (first,)


def test_a_known_row_is_changed_but_for_what_is_kept(database):
    first, changed, new = a_user(name="ada"), a_user(name="ada", roles=("admin",)), a_user(name="bob")
    with database.transaction() as session:
        sql.add(session, user, [first])
        sql.add_or_change(session, user, [changed, new], by=("name",), keep=("id", "created"))
        found = sql.many(session, UserRecord, ALL.order_by(user.c.name))

    assert [(person.id, person.roles, person.display_name) for person in found] == [
        (first.id, ("admin",), changed.display_name),
        (new.id, (), new.display_name),
    ]


@pytest.mark.parametrize(("name", "touched"), [("ada", 1), ("nobody", 0)])
def test_a_statement_says_how_many_rows_it_touched(database, name, touched):
    with database.transaction() as session:
        assert sql.changed(session, insert(user).values(sql.values_of(a_user(name="ada")))) == 1
        assert sql.changed(session, update(user).where(user.c.name == name).values(active=False)) == touched
