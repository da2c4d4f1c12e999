"""What axe-core finds wrong with a page for people who cannot see it, point at it or tell its colours apart."""

from axe_playwright_python.async_playwright import Axe

from tests.support.chromium import Tab

SETTLED = """() => Promise.allSettled(
    document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished)
)"""


async def no_barriers(tab: Tab) -> None:
    """Fail with axe's report when the page as it stands has a barrier; colour contrast is among the rules.

    Anything still fading in is let finish first: half-shown text has less contrast than the text has.
    """
    await tab.page.evaluate(SETTLED)
    found = await Axe().run(tab.page)
    assert found.violations_count == 0, found.generate_report()
