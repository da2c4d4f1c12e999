import jsonpatch
import pytest

from chat_app.agent.projection import Projection, SharedState, advanced, initial_projection
from chat_app.agent.turn_events import (
    AppStateChanged,
    ModeChanged,
    PermissionRequest,
    PlanUpdated,
    StateChanged,
    UiResolved,
    Usage,
    UsageUpdated,
)

FIELDS = {"mode", "model", "plan", "pendingPermission", "status", "usage"}


def types(events):
    return [event.type.value for event in events]


def test_the_document_has_six_fields_and_the_application_only_once_it_has_a_state():
    assert set(Projection().document()) == FIELDS
    assert Projection().having(app=None).document()["app"] is None
    assert set(Projection().having(app={}).document()) == FIELDS | {"app"}


def test_each_event_changes_its_own_field():
    before = Projection(model="m")
    assert advanced(before, StateChanged(status="running")).document()["status"] == "running"
    assert advanced(before, StateChanged(model="n")).document()["model"] == "n"
    assert advanced(before, StateChanged()) == before
    assert advanced(before, ModeChanged("plan")).mode == "plan"
    assert advanced(before, PlanUpdated(("a", {"b": 1}))).plan == ["a", {"b": 1}]
    assert advanced(before, AppStateChanged([1])).app == [1]


def test_what_was_spent_adds_up_and_what_never_was_stays_absent():
    once = advanced(Projection(), UsageUpdated(Usage("p", "m", 3)))
    assert once.usage == {"inputTokens": 3}
    assert advanced(once, UsageUpdated(Usage("p", "m", 1, 2))).usage == {"inputTokens": 4, "outputTokens": 2}


def test_a_permission_is_pending_until_it_is_the_one_resolved():
    asked = advanced(Projection(), PermissionRequest("p1", "bash", {"message": "?", "id": "no"}))
    assert asked.pending_permission == {"message": "?", "id": "p1", "tool": "bash"}
    assert advanced(asked, UiResolved("other", "allow")) == asked
    assert advanced(asked, UiResolved("p1", "allow")).pending_permission is None
    assert advanced(Projection(), UiResolved("p1", "allow")) == Projection()


def test_what_was_reported_is_not_changed_behind_the_projections_back():
    app = {"tasks": []}
    shared = SharedState(Projection())
    shared.snapshot()
    list(shared.apply(AppStateChanged(app)))
    app["tasks"].append("later")
    assert shared.projection.app == {"tasks": []}
    (delta,) = shared.apply(AppStateChanged(app))
    assert [operation.path for operation in delta.delta] == ["/app/tasks/0"]


def test_without_a_base_the_snapshot_is_sent_and_then_deltas():
    shared = SharedState(Projection())
    assert types(shared.apply(ModeChanged("plan"))) == ["STATE_SNAPSHOT"]
    assert types(shared.apply(ModeChanged("build"))) == ["STATE_DELTA"]
    assert types(shared.apply(ModeChanged("build"))) == []


def test_a_snapshot_is_the_base_from_there_on():
    shared = SharedState(Projection())
    shared.snapshot()
    list(shared.apply(ModeChanged("plan")))
    document = shared.snapshot().snapshot
    (delta,) = shared.apply(PlanUpdated(("a",)))
    after = jsonpatch.apply_patch(document, delta.model_dump(by_alias=True)["delta"])
    assert after == shared.projection.document()


def test_a_delta_longer_than_the_document_is_sent_as_the_document():
    shared = SharedState(Projection(plan=[f"{at}" for at in range(60)]))
    shared.snapshot()
    (event,) = shared.apply(PlanUpdated([f"{at}x" for at in range(60)]))
    assert event.snapshot["plan"][0] == "0x"


class Store:
    def __init__(self, stored):
        self.stored = stored

    async def load_projection(self, thread_id):
        assert thread_id == "thread-1"
        return self.stored


@pytest.mark.parametrize(
    ("stored", "mode"),
    [(None, "chat"), ({"mode": "plan", "later": 1}, "plan"), ({"mode": 1}, "chat"), ("?", "chat")],
)
async def test_an_old_conversation_goes_on_with_what_it_was_left_with(stored, mode):
    default = Projection()
    assert (await initial_projection(Store(stored), "thread-1", default=default)).mode == mode


async def test_a_document_nobody_can_read_is_reported(caplog):
    await initial_projection(Store({"plan": 1}), "thread-1", default=Projection())
    assert "thread-1 cannot be read" in caplog.text
