import pytest

from chat_app.agent.models.interface import ModelFault, ModelRequest
from chat_app.agent.models.patient import PatientModel
from chat_app.agent.models.scripted import Reply
from tests.support.agent_parts import script

REQUEST = ModelRequest(model="m", entries=(), tools=())


def busy(retry_after=None, *, passing=True, text=""):
    fault = ModelFault("Busy.", code="BUSY", retry_after=retry_after, passing=passing)
    return Reply(text=text, fault=fault)


async def ask(*replies):
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    model = script(*replies)
    patient = PatientModel(model, sleep=sleep)
    try:
        pieces = [piece async for piece in patient.step(REQUEST)]
        return pieces[0].text, waited, len(model.requests)
    except ModelFault:
        return None, waited, len(model.requests)
    finally:
        await patient.aclose()


@pytest.mark.parametrize(
    ("replies", "found"),
    [
        ([busy(7), "ok"], ("ok", [7], 2)),
        ([busy(), busy(), "ok"], ("ok", [1, 2], 3)),
        ([busy(), busy(), busy(), "never"], (None, [1, 2], 3)),
        ([busy(31), "never"], (None, [], 1)),
        ([busy(passing=False), "never"], (None, [], 1)),
        ([busy(text="Half"), "never"], (None, [], 1)),
    ],
)
async def test_what_passes_is_waited_out_before_anything_was_said(replies, found):
    assert await ask(*replies) == found
