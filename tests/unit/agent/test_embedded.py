import sys

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from chat_app.agent.budget import Budget
from chat_app.agent.embedded import AgentPlan, ModelPlan, build_embedded, task_board
from chat_app.agent.links import StdioLink
from chat_app.agent.models.providers import UnusableModel
from tests.support.agent_harness import TOKEN, Clock, counting_ids

BUDGET = Budget(max_steps=1, max_tokens=1)


@pytest.fixture
def engine():
    engine = sa.create_engine("sqlite://")
    yield engine
    engine.dispose()


def build(engine, model=None):
    plan = AgentPlan(token=TOKEN, engine=engine, now=Clock(), new_id=counting_ids(), model=model)
    return build_embedded(plan)


def described(agent):
    client = TestClient(agent.app, headers={"authorization": f"Bearer {TOKEN}"})
    return client.get("/capabilities").json()["identity"]


async def test_without_a_model_it_is_the_demo_and_holds_nothing(engine):
    agent = build(engine)
    assert described(agent)["type"] == "parley-scripted"
    assert (agent.servers, agent.client) == ((), None)
    await agent.aclose()


async def test_with_a_model_it_says_which_and_lets_go_of_everything(engine):
    links = [StdioLink(name="files", command="nothing")]
    plan = ModelPlan(name="http://127.0.0.1:9/v1#m", budget=BUDGET, links=links, tools=("a*",))
    agent = build(engine, plan)
    assert described(agent)["metadata"] == {"model": "m"}
    assert [server.name for server in agent.servers] == ["files"]
    await agent.aclose()


def test_a_model_that_cannot_be_used_is_refused_when_it_is_built(engine):
    with pytest.raises(UnusableModel):
        build(engine, ModelPlan(name="nothing", budget=BUDGET))


def test_the_task_board_is_started_by_this_python_on_its_own_store():
    link = task_board("sqlite:///tasks.db", timeout=3)
    assert (link.command, link.arguments[-1], link.timeout) == (sys.executable, "sqlite:///tasks.db", 3)


async def test_other_models_are_on_offer_by_their_names(engine):
    plan = ModelPlan(
        name="http://127.0.0.1:9/v1#m", others=("http://127.0.0.1:9/v1#big",), key="k", budget=BUDGET
    )
    agent = build(engine, plan)
    assert tuple(agent.client.names) == ("m", "big")
    await agent.aclose()


def test_two_models_of_one_name_are_refused_when_it_is_built(engine):
    plan = ModelPlan(name="http://127.0.0.1:9/v1#m", others=("http://127.0.0.1:8/v1#m",), budget=BUDGET)
    with pytest.raises(UnusableModel, match="Two models are called m"):
        build(engine, plan)
