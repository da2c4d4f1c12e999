"""What axe-core finds wrong with a page for people who cannot see it, point at it or tell its colours apart."""

from axe_playwright_python.async_playwright import Axe

from tests.support.chromium import Tab

STILL = """() => new Promise((still) => {
    const fading = () => document.getAnimations().some((one) => one.effect?.getTiming().iterations !== Infinity);
    let since = performance.now();
    const look = (now) => {
        if (fading()) since = now;
        if (now - since > 600) still(); else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""
"""Nothing has faded for longer than a card takes to arm its buttons, which then fade in."""


async def no_barriers(tab: Tab) -> None:
    """Fail with axe's report when the page as it stands has a barrier; colour contrast is among the rules.

    Anything still fading in, or about to, is let finish first: half-shown text has less contrast than the text has.
    """
    await tab.page.evaluate(STILL)
    found = await Axe().run(tab.page)
    assert found.violations_count == 0, found.generate_report()
