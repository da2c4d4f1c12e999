"""The audit, as a browser gets it."""

import re
from pathlib import Path
from typing import get_args

import pytest

import chat_app
from chat_app.data import audit
from chat_app.data.records import DecisionKind, InvitationKind
from chat_app.services.audit_asked import KINDS, OUTCOMES
from chat_app.services.questions import MOVES
from chat_app.ui.words import WORDS
from tests.support.admin import served
from tests.support.world import World, ask

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


SERVICES = Path(chat_app.__file__).parent / "services"


def written(world: World, **values) -> None:
    act = {"action": "thread.view", "object": "thread:t1", "actor": world.ada.id, "at": world.clock()}
    with world.database.transaction() as session:
        audit.append(session, audit.Act(**act | values))


async def test_entries_are_text_and_lead_to_what_became_of_them(world, client):
    await world.said("Do it", ask())
    written(world, reason="<script>", action="odd.act", object="odd")
    page = (await client.get("/admin/audit")).text
    assert "&lt;script&gt;" in page
    assert ">odd.act<" in page
    (path,) = re.findall(r'href="(/admin/audit/1)"', page)
    entry = (await client.get(path)).text
    assert "This entry is as it was written" in entry
    assert "Fingerprint of the arguments" in entry
    assert "send_mail" in entry
    assert (await client.get("/admin/audit/99")).status_code == 404


async def test_filters_stay_in_the_address_and_pages_follow_one_another(world, client):
    for _ in range(101):
        written(world)
    first = (await client.get("/admin/audit?person=ada&kind=thread")).text
    (older,) = re.findall(r'href="([^"]*after=[^"]*)"', first)
    assert "person=ada" in older
    second = (await client.get(older.replace("&amp;", "&"))).text
    assert 'href="/admin/audit/1"' in second
    assert ">Newest<" in second
    assert "Nothing fits." in (await client.get("/admin/audit?tool=none")).text


async def test_the_chain_is_compared_and_what_was_found_is_said(world, client):
    written(world)
    assert "nobody has compared" in (await client.get("/admin/audit")).text
    assert (await client.post("/admin/audit/check")).headers["location"] == "/admin/audit"
    page = (await client.get("/admin/audit")).text
    assert "Verified up to entry 1" in page
    assert "Compared by Eve &lt;b&gt;" in page
    assert "Entries since then: 1" in page
    with world.database.transaction() as session:
        session.connection().exec_driver_sql("DROP TRIGGER audit_is_kept_UPDATE")
        session.connection().exec_driver_sql("UPDATE audit SET reason = 'no' WHERE seq = 1")
    await client.post("/admin/audit/check")
    assert "Broken at entry 1" in (await client.get("/admin/audit")).text
    assert "This entry is not as it was written" in (await client.get("/admin/audit/1")).text


@pytest.mark.parametrize(
    ("form", "media"), [("csv", "text/csv; charset=utf-8"), ("jsonl", "application/x-ndjson")]
)
async def test_a_file_holds_what_the_filters_find(world, client, form, media):
    written(world, reason="=1+1")
    written(world, action="agent.changed", object="agent:a")
    page = (await client.get("/admin/audit?kind=thread")).text
    assert re.search(r'name="kind" value="thread"', page)
    file = await client.post("/admin/audit/export", data={"form": form, "kind": "thread"})
    assert (file.status_code, file.headers["content-type"]) == (200, media)
    assert f'filename="audit.{form}"' in file.headers["content-disposition"]
    assert ("=1+1" in file.text, "agent.changed" in file.text) == (True, False)
    assert ("'=1+1" in file.text) == (form == "csv")
    assert "Audit downloaded" in (await client.get("/admin/audit")).text
    assert (await client.post("/admin/audit/export", data={"form": "odd"})).status_code == 404
    assert (await client.get("/admin/audit/export")).status_code == 404


def acts() -> set[str]:
    """Return every act that the services write down, as far as it stands in their code or in their tables."""
    kinds = "|".join(KINDS)
    code = "".join(path.read_text("utf-8") for path in SERVICES.rglob("*.py"))
    written = set(re.findall(rf'"((?:{kinds})\.[a-z_]+)"', code))
    decided = {f"question.{one}" for one in (*get_args(DecisionKind), *MOVES, "endorse", "deliver")}
    handed = {f"question.{one}" for one in ("claim", "assign", "release", "escalate", "resume", "propose")}
    joined = {f"account.{one}" for one in get_args(InvitationKind)}
    return (written | decided | handed | joined) - {"question.answer"}  # which is told by its decision


def test_every_act_has_words_and_every_kind_and_outcome_is_one():
    assert {act for act in acts() if f"admin.act.{act}" not in WORDS} == set()
    assert {kind for kind in KINDS if not any(act.startswith(f"{kind}.") for act in acts())} <= {"user"}
    assert {act for found in OUTCOMES.values() for act in found} <= acts()


async def test_an_auditor_reads_it_and_takes_it_out(world):
    async with served(world, "auditor") as client:
        assert (await client.get("/admin/audit")).status_code == 200
        assert (await client.post("/admin/audit/export", data={"form": "csv"})).status_code == 200
