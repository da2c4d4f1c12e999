"""Cases that are read differently from what they say, each with the decision that says so.

An override changes one case in memory; everything else in it holds. The list is complete: a case that
is not here is taken as it stands.
"""

import copy


def _raise_instead(case):
    """C3: a transport that reports its trouble raises it; the wire event would be the agent's word."""
    case["runs"][0][-1] = {"$raise": "connection reset"}


def _names_the_content_type(case):
    """http: a page is refused for its content type before any event could be missed."""
    case["expect"] |= {"error": "transport", "message_contains": "text/html"}


def _fatal_frame(case):
    """C9: a frame that is no event fails the run; the low level raises it too."""
    case["expect"] = {"end": "failed", "error": "decode"}


def _refused(case):
    """Answers to questions nobody asked never leave (protocol I3, I10)."""
    case |= {"verdict": "rejected-before-send", "pendingAfter": [one["id"] for one in case["pending"]]}


def _without_resume(case):
    """An empty list answers nothing and upsets servers, so the key is left out."""
    case["sentResume"] = None


def _completed_with_a_diagnostic(case):
    """Boundary ids that disagree are noted, not fatal; the reference does not look at them."""
    case["expect"] = {"outcome": "completed", "warnings": [""]}


def _second_end(case):
    """C29: the explicit end comes after the one that closing the shorthand made; the verifier rejects it."""
    case["types"].append("TEXT_MESSAGE_END")


def _forms_do_not_mix(case):
    """C29: a bare chunk continues no explicitly opened message."""
    case["error_contains"] = "messageId"


def _early_result(case):
    """PV table: a result before the end of its call is legal."""
    case |= {"violation_at": None, "contains": None}


def _call_id_as_message_id(case):
    """C20: the message of a call without a parent has the call's id."""
    for update in case["updates"]:
        update[1] = "c" if update[1] == "c-message" else update[1]


def _local_failure(case):
    """A failure on this side carries CLIENT_ERROR, and a cut makes no end (C29)."""
    case["updates"] = [update for update in case["updates"] if update[2:] != ["ended"]]
    case["updates"][-1][3] = "CLIENT_ERROR"


OVERRIDES = {
    "protocol/streams": {
        "run-finished-wrong-run-id-fatal": ("boundary ids: a diagnostic", _completed_with_a_diagnostic),
        "run-finished-wrong-thread-id-fatal": ("boundary ids: a diagnostic", _completed_with_a_diagnostic),
        "second-run-on-another-thread-fatal": ("boundary ids: a diagnostic", _completed_with_a_diagnostic),
        "unknown-enum-value-role-fatal": ("P28: the role is stripped", _completed_with_a_diagnostic),
    },
    "protocol/edge": {
        "unknown-encrypted-subtype": ("P28: the event is dropped", _completed_with_a_diagnostic),
    },
    "verifier": {
        "V12": ("verifier/V12: null is legal there", _early_result),
    },
    "chunks": {
        "N05": ("C29: START CONTENT END END", _second_end),
        "N15": ("C29: an error naming messageId", _forms_do_not_mix),
    },
    "updates": {
        "U02": ("C20: message id c", _call_id_as_message_id),
        "U16": ("C20: message id c", _call_id_as_message_id),
        "U04": ("updates/U04: CLIENT_ERROR, no ended at the cut", _local_failure),
        "U13": ("updates/U13: CLIENT_ERROR", _local_failure),
    },
    "protocol/resume-cases": {
        "extra-unknown-id": ("fixtures table: refused before sending", _refused),
        "resume-without-pending": ("fixtures table: refused before sending", _refused),
        "empty-resume": ("fixtures table: sent with no resume key", _without_resume),
    },
    "http": {
        "H03": ("http/H03: a transport error that names the content type", _names_the_content_type),
        "H10": ("C9: malformed material is fatal for a session", _fatal_frame),
    },
    "session": {
        "T11": ("C3: the trouble after the verdict is the transport's, so it is raised", _raise_instead),
    },
}


def adjusted(group, case, *, key="id"):
    """Return the case as the decisions have it."""
    found = OVERRIDES.get(group, {}).get(case[key])
    if found is None:
        return case
    changed = copy.deepcopy(case)
    found[1](changed)
    return changed
