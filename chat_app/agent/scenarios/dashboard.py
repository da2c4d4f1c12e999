"""A surface described in A2UI and shown as an activity, then changed in place."""

from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from chat_app.agent.orders import ORDERS
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import ActivityPatched, ActivityShown

KIND: Final = "a2ui-surface"
SURFACE: Final = "workshop"
LOADING: Final = 0.8


async def play(turn: Turn) -> None:
    """Show the surface empty, fill in its data, and say what it is."""
    key = turn.means.new_id()
    await turn.emit(ActivityShown(key, KIND, {"operations": [_components(), _begin()]}))
    await turn.pause(LOADING)
    await turn.emit(ActivityPatched(key, KIND, [{"op": "add", "path": "/operations/-", "value": _data()}]))
    await turn.say(
        "The dashboard is a description in A2UI: a page that knows it draws it, any other shows the data."
    )


def _components() -> JsonValue:
    rows: list[JsonValue] = [f"order-{at}" for at in range(len(ORDERS))]
    parts: list[JsonValue] = [
        _component("root", "Column", {"children": {"explicitList": ["title", *rows]}}),
        _component("title", "Text", {"text": {"literalString": "Workshop today"}, "usageHint": "h2"}),
        *(
            _component(f"order-{at}", "Text", {"text": {"path": f"/orders/{at}"}})
            for at in range(len(ORDERS))
        ),
    ]
    return {"surfaceUpdate": {"surfaceId": SURFACE, "components": parts}}


def _component(key: str, kind: str, properties: Mapping[str, JsonValue]) -> JsonValue:
    return {"id": key, "component": {kind: dict(properties)}}


def _begin() -> JsonValue:
    return {"beginRendering": {"surfaceId": SURFACE, "root": "root"}}


def _data() -> JsonValue:
    lines: list[JsonValue] = [
        {"key": str(at), "valueString": f"{order.number}: {order.item}, {order.status}"}
        for at, order in enumerate(ORDERS)
    ]
    return {"dataModelUpdate": {"surfaceId": SURFACE, "contents": [{"key": "orders", "valueMap": lines}]}}


SCENARIO = Scenario(
    id="dashboard",
    title="A dashboard described in A2UI",
    phrase="Show the workshop as a dashboard",
    cue=cue(r"\bdashboard\b|\ba2ui\b"),
    play=play,
    shows="An activity with an A2UI surface, and a patch that fills in its data",
    dojo="A2UI",
)
