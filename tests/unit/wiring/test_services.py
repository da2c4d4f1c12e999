from chat_app import wiring
from chat_app.data.db import Database
from chat_app.data.migrate import upgrade
from chat_app.services.bus import EVERYTHING, PollingBus, PostgresBus, Wake
from chat_app.settings import Settings


def settings(**fields) -> Settings:
    return Settings.model_validate({"agent_token": "a-token", **fields})


async def test_the_services_are_built_ready_to_start(tmp_path):
    url = f"sqlite:///{tmp_path / 'parley.db'}"
    database = Database(url)
    upgrade(database)
    services = wiring.build(settings(database_url=url, agent_name="Ada's agent"))
    await services.start()
    assert services.agents.default_name == "Ada's agent"
    assert await services.health.trouble() == ""
    cookie = (await services.accounts.sign_in_local()).decode()
    person = await services.accounts.person_of(cookie.partition(";")[0])
    frames = services.threads.follow_list(person)
    assert await anext(frames) == '{"threads":[],"more":false}'
    await frames.aclose()
    await services.stop()
    database.dispose()


def test_building_contacts_nobody(tmp_path):
    file = tmp_path / "parley.db"
    wiring.build(settings(database_url=f"sqlite:///{file}"))
    assert not file.exists()


async def test_a_thread_nobody_knows_is_read_as_an_empty_view(tmp_path):
    url = f"sqlite:///{tmp_path / 'parley.db'}"
    database = Database(url)
    upgrade(database)
    services = wiring.build(settings(database_url=url))
    async with services.supervisor._hub.use("unknown") as channel:
        assert channel.live.rows() == []
    database.dispose()


def test_each_process_is_a_worker_of_its_own(tmp_path):
    one, other = (wiring.build(settings(database_url=f"sqlite:///{tmp_path / 'p.db'}")) for _ in range(2))
    assert one.supervisor._ledger.worker != other.supervisor._ledger.worker


async def test_earlier_states_of_a_thread_nobody_knows_are_none(tmp_path):
    url = f"sqlite:///{tmp_path / 'parley.db'}"
    database = Database(url)
    upgrade(database)
    services = wiring.build(settings(database_url=url))
    assert services.supervisor._hub._recall("unknown") == []
    database.dispose()


def test_processes_on_one_file_wake_each_other_by_their_commits(tmp_path):
    assert isinstance(
        wiring.build(settings(database_url=f"sqlite:///{tmp_path / 'parley.db'}")).bus, PollingBus
    )


def test_processes_on_one_server_are_woken_thread_by_thread_when_something_is_committed():
    services = wiring.build(settings(database_url="postgresql+psycopg://parley@db.invalid/parley"))
    assert isinstance(services.bus, PostgresBus)
    services.supervisor._journal._told(frozenset({"a", "b"}))
    assert set(services.bus._waiting) == {Wake("a"), Wake("b")}


def test_every_table_comes_after_those_it_points_at():
    tables = wiring.stored_tables()
    assert {"thread", "suspended_turn"} <= {table.name for table in tables}
    for at, table in enumerate(tables):
        pointed_at = {key.column.table for key in table.foreign_keys} - {table}
        assert pointed_at <= set(tables[:at])


async def test_what_an_admin_changes_of_an_agent_makes_this_process_look_at_everything(tmp_path):
    services = wiring.build(settings(database_url=f"sqlite:///{tmp_path / 'p.db'}"))
    services.agent_book._tell()
    assert list(services.relay._waiting) == [EVERYTHING]
