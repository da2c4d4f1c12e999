from structlog.testing import capture_logs

from chat_app.data.errors import DatabaseBusy
from chat_app.services.bus import EVERYTHING, Wake
from chat_app.services.relay import Relay
from tests.fakes import until


class Parts:
    """Hub, threads and supervisor in one, which note what they are asked for."""

    def __init__(self, *, driven: tuple[str, ...] = (), fail: int = 0) -> None:
        self.asked: list[str] = []
        self.driven = driven
        self.fail = fail

    def drives(self, thread: str) -> bool:
        return thread in self.driven

    def followed(self) -> list[str]:
        return ["t1", "t2"]

    def listed(self) -> list[str]:
        return ["ada"]

    async def look(self) -> None:
        self.asked.append("look")

    async def refresh(self, thread: str, *, whole: bool = True) -> None:
        if self.fail:
            self.fail -= 1
            raise DatabaseBusy("away")
        self.asked.append(f"{'whole' if whole else 'log'} {thread}")

    async def show(self, owner: str, thread: str) -> None:
        self.asked.append(f"show {owner} {thread}")

    async def show_list(self, owner: str) -> None:
        self.asked.append(f"list {owner}")


async def acted(parts: Parts, *wakes: Wake, steps: int) -> list[str]:
    relay = Relay(parts, parts, parts, retry=0.001)
    await relay.stop()  # not started yet: nothing to stop
    relay.start()
    relay.hear(frozenset(wakes))
    await until(lambda: len(parts.asked) >= steps)
    await relay.stop()
    return parts.asked


async def test_a_log_that_grew_is_looked_at_alone():
    assert await acted(Parts(), Wake("t1"), steps=1) == ["log t1"]


async def test_a_use_case_elsewhere_is_shown_and_a_run_here_looks_after_itself():
    assert await acted(Parts(), Wake("t1", "ada"), steps=1) == ["show ada t1"]
    assert await acted(Parts(driven=("t1",)), Wake("t1", "ada"), steps=2) == ["look", "show ada t1"]


async def test_everything_is_what_anybody_here_looks_at():
    assert await acted(Parts(), EVERYTHING, steps=4) == ["look", "whole t1", "whole t2", "list ada"]


async def test_a_database_that_is_away_is_asked_again_for_everything():
    with capture_logs() as logs:
        asked = await acted(Parts(fail=1), Wake("t1"), steps=4)
    assert asked == ["look", "whole t1", "whole t2", "list ada"]
    assert [line["event"] for line in logs] == ["relay_waits"]
