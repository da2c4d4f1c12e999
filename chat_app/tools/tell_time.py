"""Tells an agent what time it is."""

from collections.abc import Callable
from datetime import UTC, datetime

from pydantic import BaseModel, JsonValue

from chat_app.agui import RunTool, ToolContext


class Nothing(BaseModel):
    """No arguments."""


def tell_time(now: Callable[[], datetime]) -> RunTool[Nothing]:
    """Return the tool; it answers with the time in UTC, to the second, and the day of the week."""

    async def tell(given: Nothing, context: ToolContext) -> JsonValue:
        del given, context
        at = now().astimezone(UTC)
        return {"utc": at.isoformat(timespec="seconds"), "day": f"{at:%A}"}

    return RunTool(
        name="tell_time",
        description="Tell the date and the time now, in UTC, and the day of the week.",
        arguments=Nothing,
        execute=tell,
    )
