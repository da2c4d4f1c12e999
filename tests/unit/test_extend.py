import sys
from pathlib import Path

import pytest

from chat_app import extend
from chat_app import tools as offers
from chat_app.services.notices import added
from chat_app.settings import SettingsError
from chat_app.tools.tell_time import tell_time
from chat_app.ui import commands, panels, rows, tools
from chat_app.ui.commands import Command
from chat_app.ui.panels.base import Panel
from chat_app.ui.rows import ROWS, fallback


@pytest.fixture(autouse=True)
def nothing_added():
    before = dict(rows._added)
    yield
    rows._added.clear()
    rows._added.update(before)
    panels._added.clear()
    tools._added.clear()
    offers._added.clear()
    commands._added.clear()
    added._added.clear()


def test_what_is_added_joins_what_is_there():
    extend.add_row("invoice", fallback)
    assert rows.views() == {**ROWS, "invoice": fallback}


@pytest.mark.parametrize("kind", ["user", "invoice"])
def test_nothing_that_is_there_can_be_replaced(kind: str):
    extend.add_row("invoice", fallback)
    with pytest.raises(SettingsError, match=kind):
        extend.add_row(kind, fallback)


def test_a_view_of_a_tool_joins_those_that_are_there_and_replaces_none():
    extend.add_tool_view("invoice", fallback)
    assert tools.views()["invoice"] is fallback
    with pytest.raises(SettingsError, match="invoice"):
        extend.add_tool_view("invoice", fallback)


def test_a_tool_joins_those_that_are_offered_and_replaces_none():
    extend.add_tool("stock", tell_time)
    assert offers.known()["stock"] is tell_time
    with pytest.raises(SettingsError, match="stock"):
        extend.add_tool("stock", tell_time)


def test_a_command_joins_those_that_are_there_and_replaces_none():
    refund = Command("refund", "Refund an order", text="Refund order ")
    extend.add_command(refund)
    assert commands.commands()["refund"] is refund
    with pytest.raises(SettingsError, match="refund"):
        extend.add_command(refund)


def test_a_notifier_joins_those_that_are_there_and_replaces_none():
    class Pager:
        async def send(self, notice: extend.Notice) -> None:
            raise extend.NotSent(f"busy:{notice.id}")

    pager = Pager()
    extend.add_notifier("pager", pager)
    assert added.every() == {"pager": pager}
    with pytest.raises(SettingsError, match="pager"):
        extend.add_notifier("pager", pager)


def test_a_panel_joins_those_that_are_there_and_replaces_none():
    fleet = Panel("fleet", "Fleet", lambda *_: None)
    extend.add_panel(fleet)
    assert fleet in panels.panels()
    with pytest.raises(SettingsError, match="fleet"):
        extend.add_panel(fleet)


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("an_extension", None)


def test_an_extension_adds_when_it_is_loaded(importable: Path):
    (importable / "an_extension.py").write_text(
        "from chat_app.extend import add_row\nadd_row('invoice', lambda row, person, agent: None)\n"
    )
    extend.load(["an_extension"])
    assert "invoice" in rows.views()


@pytest.mark.parametrize("text", [None, "import a_module_that_is_not_there"])
def test_an_extension_that_cannot_be_loaded_is_named(importable: Path, text: str | None):
    if text:
        (importable / "an_extension.py").write_text(text)
    with pytest.raises(SettingsError, match="The extension an_extension cannot be loaded"):
        extend.load(["an_extension"])
