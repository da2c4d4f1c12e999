from typing import get_args

from chat_app.agui.events import Event
from chat_app.agui.order import AFTER_THE_END, CLOSERS, EASED, ITEMS, PHASES, RULES, Act, Phase


def test_every_rule_that_a_table_names_has_its_sentence() -> None:
    named = {family.rule for family, _ in ITEMS.values()} | {rule for rule, _ in PHASES.values()} | EASED
    assert named | AFTER_THE_END < set(RULES)


def test_every_family_is_opened_and_closed() -> None:
    families = {family for family, _ in ITEMS.values()}
    assert {family for family, act in ITEMS.values() if act is Act.OPEN} == families == set(CLOSERS)


def test_the_tables_speak_of_events_only() -> None:
    events = set(get_args(Event))
    assert set(ITEMS) < events
    assert all(set(places) < events for _, places in PHASES.values())
    assert set(PHASES) == set(Phase)
