"""The door to JavaScript: what Python names there exists there, and live values have typed attributes."""

import re
from pathlib import Path

import pytest
import reflex as rx

from chat_app.ui import browser, js
from chat_app.ui.js import FILES, LIBRARY

FOLDER = Path(js.__file__).parent
COMPONENTS = [
    each for each in vars(browser).values() if isinstance(each, type) and issubclass(each, rx.Component)
]
PROPS_OF_REACT = {"key", "ref", "class_name", "children"}


def source(name: str) -> str:
    return (FOLDER / f"{name}.jsx").read_text("utf-8")


def exported(name: str) -> set[str]:
    return set(re.findall(r"^export (?:const|function) (\w+)", source(name), re.MULTILINE))


def file_of(component: type[rx.Component]) -> str:
    return next(name for name, path in LIBRARY.items() if path == component.library)


@pytest.mark.parametrize("component", [c for c in COMPONENTS if c.tag and c.library in LIBRARY.values()])
def test_every_component_named_here_is_exported_there(component):
    assert component.tag in exported(file_of(component))


@pytest.mark.parametrize(
    ("var", "tag"),
    [
        (browser.rows, "useRows"),
        (browser.run, "useLive"),
        (browser.groups, "useGroups"),
        (browser.current, "useCurrent"),
    ],
)
def test_a_live_value_is_a_hook_of_a_browser_file(var, tag):
    data = var._get_all_var_data()
    imported = {each.tag for _, tags in data.imports for each in tags}
    assert tag in imported
    assert any(tag in exported(name) for name in FILES)
    assert any(f"= {tag}(" in hook for hook in data.hooks)


def test_rows_know_their_fields():
    row = browser.rows[0]
    assert str(row.interrupt_id).endswith('["interrupt_id"]')
    assert str(row.arguments[0].value).endswith('["value"]')


def test_a_row_has_no_field_that_was_not_declared():
    with pytest.raises(AttributeError):
        _ = browser.rows[0].colour


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (browser.clock(browser.run.started), "clock"),
        (browser.clock_seconds(browser.run.started), "clockSeconds"),
        (browser.exact(browser.run.started), "exact"),
        (browser.day(browser.run.started), "day"),
        (browser.day_break(browser.rows, 0), "dayBreak"),
        (browser.ago(browser.run.started), "ago"),
        (browser.lasted(browser.run.started, browser.run.started), "lasted"),
        (browser.whole_seconds(browser.run.started, browser.run.started), "whole"),
        (browser.title(browser.run.step), "title"),
        (browser.fingerprint(browser.run.id), "fingerprint"),
        (browser.initials("Mira Lindqvist"), "initials"),
        (browser.jump_to_latest(), "jump"),
        (browser.toggle_side(), "toggleSide"),
        (browser.connect_now(), "connect"),
        (browser.suggest("hello"), "suggest"),
    ],
)
def test_every_function_called_here_is_exported_there(made, name):
    assert f"({name}(" in str(made).replace("(() => ", "")
    paths = {
        library.removeprefix("/")
        for library, tags in made._get_all_var_data().imports
        for t in tags
        if t.tag == name
    }
    files = [file for file, path in LIBRARY.items() if path.removeprefix("/") in paths]
    assert files
    assert name in exported(files[0])


def test_the_browser_files_stay_small():
    sizes = {name: source(name).count("\n") for name in FILES}
    assert sizes.pop("live") <= 250
    assert max(sizes.values()) <= 120
    assert sum(sizes.values()) + source("live").count("\n") <= 2_400


def test_no_browser_file_sets_markup():
    assert not re.search(
        r"dangerouslySetInnerHTML|innerHTML|\beval\(", "".join(source(name) for name in FILES)
    )


def test_a_state_can_answer_to_the_end_of_a_run_and_to_a_question():
    heard = rx.console_log("heard")
    props = str(browser.Live.create(on_run_end=heard, on_interrupt=heard).render()["props"])
    assert "onRunEnd" in props
    assert "onInterrupt" in props
