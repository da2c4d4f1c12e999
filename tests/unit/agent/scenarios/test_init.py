from pathlib import Path

from chat_app.agent import scenarios
from chat_app.agent.scenarios import GATED_TOOLS, SCENARIOS, SUGGESTIONS, TALK


def test_every_module_of_the_folder_is_in_the_table():
    modules = {path.stem for path in Path(scenarios.__file__).parent.glob("*.py")} - {"__init__"}
    assert {one.play.__module__.rpartition(".")[2] for one in (*SCENARIOS, TALK)} == modules


def test_suggestions_are_scenarios_a_person_enjoys():
    assert {one.scenario for one in SUGGESTIONS} < {one.id for one in SCENARIOS}
    assert not {one.scenario for one in SUGGESTIONS} & {"hostile", "fail", "crash", "silent"}


def test_gated_tools_are_found_by_their_name():
    assert all(tool.name == name for name, tool in GATED_TOOLS.items())
