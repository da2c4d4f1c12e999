import base64
import json

from chat_app.agent.scenarios.results import ROWS, SCENARIO
from tests.support.agent_harness import play


async def test_json_a_table_and_a_picture_come_back():
    events = await play(SCENARIO.phrase)
    exported, table, picture = [one["content"] for one in events if one["type"] == "TOOL_CALL_RESULT"]
    assert len(json.loads(exported)["parts"]) == ROWS
    assert len(table.splitlines()) == ROWS + 2
    assert base64.b64decode(json.loads(picture)["data"]).startswith(b"\x89PNG")
