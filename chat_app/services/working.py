"""What a live run is at right now, for the working line: the step named last, and the tool called last. Pure."""

from ag_ui.core import (
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from chat_app.agui import Event


class Working:
    """Folds the events of one exchange; nothing is at work before a run and after it."""

    def __init__(self) -> None:
        """Begin with nothing at work."""
        self._steps: list[str] = []
        self._calls: dict[str, str] = {}

    @property
    def now(self) -> tuple[str, str]:
        """The names of the step and the tool under way, each empty when there is none."""
        tool = next(reversed(self._calls.values()), "")
        return (self._steps[-1] if self._steps else ""), tool

    def hear(self, event: Event) -> bool:
        """Take in one event; returns whether `now` is another than before."""
        before = self.now
        match event:
            case StepStartedEvent():
                self._steps.append(event.step_name)
            case StepFinishedEvent():
                self._steps = [name for name in self._steps if name != event.step_name]
            case ToolCallStartEvent():
                self._calls[event.tool_call_id] = event.tool_call_name
            case ToolCallResultEvent():
                self._calls.pop(event.tool_call_id, None)
            case RunStartedEvent() | RunFinishedEvent() | RunErrorEvent():
                self._steps, self._calls = [], {}
            case _:
                return False
        return self.now != before
