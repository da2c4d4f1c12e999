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


OVERRIDES = {
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
