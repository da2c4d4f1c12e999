"""A conversation that was shortened: its summary takes the place of what it sums up."""

from ag_ui.core import AssistantMessage, Message, UserMessage

from chat_app.agent.conversation import plain_text
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import Notice

EXCERPT = 60


async def play(turn: Turn) -> None:
    """Replace everything before the person's last line by a summary, and say so."""
    messages = list(turn.conversation.messages)
    newest = max((at for at, one in enumerate(messages) if isinstance(one, UserMessage)), default=0)
    before, after = messages[:newest], messages[newest:]
    if not before:
        await turn.say("There is nothing before this line that could be shortened.")
        return
    summary = AssistantMessage(id=turn.means.new_id(), role="assistant", content=summarise(before))
    await turn.compact([summary, *after])
    await turn.emit(Notice(f"{len(before)} messages became one."))
    await turn.say("Done. I go on from the summary above.")


def summarise(messages: list[Message]) -> str:
    """Give the person's lines, each cut to a few words."""
    lines = [plain_text(one) for one in messages if isinstance(one, UserMessage)]
    asked = "\n".join(f"- {line if len(line) <= EXCERPT else line[:EXCERPT] + '…'}" for line in lines)
    return f"**Summary.** Before this, you asked:\n\n{asked}"


SCENARIO = Scenario(
    id="shorten",
    title="A shorter conversation",
    phrase="Shorten our conversation",
    cue=cue(r"\bshorten\b|\bsummari[sz]e\b"),
    play=play,
    shows="A compaction: the history is replaced by a snapshot that begins with a summary",
)
