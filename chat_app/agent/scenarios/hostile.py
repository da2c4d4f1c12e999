"""An answer that tries to take over the page. Whatever shows it must show it as text and do nothing."""

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

MARK = "parleyHostile"
"""The property each attempt would set on the browser's window."""

ATTEMPTS = (
    f"<script>window.{MARK} = 'script'</script>",
    f'<img src="x" onerror="window.{MARK} = \'img\'">',
    f"<iframe srcdoc=\"<script>parent.{MARK} = 'iframe'</script>\"></iframe>",
    f"<svg onload=\"window.{MARK} = 'svg'\"></svg>",
    f"<a href=\"javascript:window.{MARK} = 'a'\">a plain link</a>",
    f"[a markdown link](javascript:window.{MARK}='link')",
    f"[another one](data:text/html,<script>window.opener.{MARK}='data'</script>)",
    f"![a picture](x\" onerror=\"window.{MARK}='picture')",
    f'<style>body {{ display: none }}</style><form action="/"><button>{MARK}</button></form>',
)


async def play(turn: Turn) -> None:
    """Put every attempt into thoughts, text, a tool's name, arguments and result."""
    everything = "\n\n".join(ATTEMPTS)
    async with turn.reasoning() as thoughts:
        await thoughts.stream(everything)
    await turn.run_tool(ATTEMPTS[1], {ATTEMPTS[0]: everything}, lambda: _give(everything))
    await turn.say(f"# {ATTEMPTS[1]}\n\n{everything}\n\n```html\n{everything}\n```\n\nStill here.")


async def _give(text: str) -> str:
    return text


SCENARIO = Scenario(
    id="hostile",
    title="An answer that attacks the page",
    phrase="Show me a hostile answer",
    cue=cue(r"\bhostile\b"),
    play=play,
    shows="Markup and scripts in every place a text can stand",
)
