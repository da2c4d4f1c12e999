import pytest

from chat_app.agent.scenarios.survey import SCENARIO
from tests.support.agent_harness import after, interrupts_of, outcome_of, person, play, text_of

VISIT = {"day": "2030-06-01", "people": 4}
WISHES = {"pace": "Easy", "stops": ["Mill", "Lake"], "lunch": False}
CONTACT = {"mail": "ada@example.org"}


async def answered(payloads, statuses=("resolved",) * 3):
    asked = await play(SCENARIO.phrase)
    resume = [
        {"interruptId": one["id"], "status": status, **({"payload": payload} if status == "resolved" else {})}
        for one, payload, status in zip(interrupts_of(asked), payloads, statuses, strict=False)
    ]
    return await play(after([person(SCENARIO.phrase)], asked), runId="run-2", resume=resume)


async def test_three_questions_are_asked_at_once_with_fields_of_every_type():
    schemas = [one["responseSchema"]["properties"] for one in interrupts_of(await play(SCENARIO.phrase))]
    types = {field.get("type", "choice") for schema in schemas for field in schema.values()}
    assert (len(schemas), types) == (3, {"string", "integer", "number", "boolean", "array", "choice"})


async def test_one_resume_answers_all():
    events = await answered([VISIT, WISHES, CONTACT])
    assert text_of(events).startswith("Planned: a tour for **4** on **2030-06-01**, easy and without lunch")


@pytest.mark.parametrize("dropped", range(3))
async def test_a_dropped_question_ends_the_plan(dropped):
    statuses = ["cancelled" if at == dropped else "resolved" for at in range(3)]
    assert "I plan nothing" in text_of(await answered([VISIT, WISHES, CONTACT], statuses))


async def test_with_one_answer_missing_all_are_asked_again():
    assert len(interrupts_of(await answered([VISIT, WISHES]))) == 3


async def test_a_bad_answer_is_refused_and_says_where():
    events = await answered([VISIT | {"people": 0}, WISHES, CONTACT])
    assert (events[-1]["type"], events[-1]["code"]) == ("RUN_ERROR", "INVALID_ANSWER")
    assert "people" in events[-1]["message"]


async def test_answers_in_full_end_well():
    assert outcome_of(await answered([VISIT, WISHES, CONTACT])) == {"type": "success"}
