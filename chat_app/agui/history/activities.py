"""Folds activities, progress that is no conversation, into the history."""

from chat_app.agui.errors import PatchFailed
from chat_app.agui.events import ActivityDeltaEvent, ActivitySnapshotEvent
from chat_app.agui.history.entries import Entry
from chat_app.agui.history.history import History
from chat_app.agui.history.text import Updates
from chat_app.agui.patch import patch_object
from chat_app.agui.updates import ActivityChanged


def set_activity(history: History, event: ActivitySnapshotEvent) -> Updates:
    """Create an activity, or replace it unless the event says to leave it.

    A replacing snapshot takes the place of any message of this id, even one that is no activity.
    """
    entry = history.find(event.message_id)
    if entry is None:
        entry = history.append(Entry(event.message_id, "activity"))
    elif event.replace is False:
        if entry.role == "activity":
            entry.merge_metadata(event.metadata)
        return ()
    elif entry.role != "activity":
        entry = history.become(entry, Entry(event.message_id, "activity"))
    entry.owner = event.subagent_run_id
    entry.activity_type, entry.content = event.activity_type, event.content
    entry.merge_metadata(event.metadata)
    return (ActivityChanged(event.message_id),)


def patch_activity(history: History, event: ActivityDeltaEvent) -> Updates:
    """Patch an activity's content, which also sets its type; a patch that fails changes neither."""
    entry = history.find(event.message_id)
    if entry is None or entry.role != "activity":
        words = f"ACTIVITY_DELTA for {event.message_id!r} was ignored: no activity has this id"
        history.warn("no-target", words, "ACTIVITY_DELTA")
        return ()
    entry.merge_metadata(event.metadata)
    try:
        content = patch_object(entry.content or {}, event.patch)
    except PatchFailed as error:
        history.warn("patch-failed", f"Activity {event.message_id!r}: {error.message}", "ACTIVITY_DELTA")
        return ()
    entry.content, entry.activity_type = content, event.activity_type
    return (ActivityChanged(event.message_id),)
