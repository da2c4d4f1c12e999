"""A question only the client can answer: what its clock says."""

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

TOOL = "local_time"


async def play(turn: Turn) -> None:
    """Ask the client for its time, and tell it."""
    told = turn.answers_to(TOOL)
    if told:
        await turn.say(f"Your clock says: **{told[-1]}**.")
        return
    await turn.say("I cannot see your clock from here, so I ask for it.")
    await turn.ask_client(TOOL, {})


SCENARIO = Scenario(
    id="clock",
    title="Your own clock, read by a tool of yours",
    phrase="What time is it here?",
    cue=cue(r"\btime is it\b|\bclock\b"),
    play=play,
    shows="A frontend tool without arguments, in two runs",
)
