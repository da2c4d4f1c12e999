import json
from datetime import UTC, datetime

from chat_app.agui import ToolContext
from chat_app.agui.tools import execute
from chat_app.tools.tell_time import tell_time


async def test_it_answers_with_the_time_in_utc_and_the_day():
    tool = tell_time(lambda: datetime(2026, 11, 30, 14, 4, 9, 5, tzinfo=UTC))
    answer = await execute(tool, "{}", ToolContext("t", "r", "c"))
    assert json.loads(answer.content) == {"utc": "2026-11-30T14:04:09+00:00", "day": "Monday"}
