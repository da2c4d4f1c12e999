"""One look answers everybody who waits for a change."""

import asyncio

from chat_app.services.hub import Stir
from chat_app.services.inbox.pulse import Pulse


class Looks:
    def __init__(self, *prints: str) -> None:
        self.prints = list(prints)
        self.count = 0

    def __call__(self) -> str:
        self.count += 1
        return self.prints.pop(0) if len(self.prints) > 1 else self.prints[0]


async def test_all_who_wait_are_told_by_one_look():
    looks, stir = Looks("a"), Stir()
    pulse = Pulse(looks, stir, least=60, most=0)
    await asyncio.gather(*(pulse.after(pulse.beat) for _ in range(5)))
    assert (looks.count, pulse.beat) == (1, 1)
    await pulse.stop()


async def test_a_stir_that_changed_nothing_tells_nobody():
    looks, stir = Looks("a", "a", "b"), Stir()
    pulse = Pulse(looks, stir, least=60, most=0)
    await pulse.after(0)
    waiting = asyncio.ensure_future(pulse.after(1))
    while looks.count < 3:
        stir.tell()
        await asyncio.sleep(0)
    await waiting
    assert pulse.beat == 2
    await pulse.stop()


async def test_time_alone_tells_everybody():
    pulse = Pulse(Looks("a"), Stir(), least=0.001, most=0)
    await pulse.after(0)
    await pulse.after(1)
    assert pulse.beat == 2
    await pulse.stop()


async def test_one_who_leaves_ends_the_look_of_nobody_else():
    pulse = Pulse(Looks("a"), Stir(), least=60, most=0.01)
    leaving, staying = (asyncio.ensure_future(pulse.after(0)) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    await staying
    await pulse.stop()


async def test_a_pulse_that_nobody_felt_stops():
    await Pulse(Looks("a"), Stir()).stop()
