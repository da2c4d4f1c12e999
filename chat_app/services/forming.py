"""The forms of questions: read what is asked, make the form, and turn what was filled in into an answer."""

import asyncio
import json
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data.db import Database
from chat_app.data.records import InterruptRecord
from chat_app.services.answers import actions
from chat_app.services.approvals import Answer
from chat_app.services.deciding import visible
from chat_app.services.digest import proposal
from chat_app.services.forms import ABSENT, Absent, Asked, Draft, Filling, form_of
from chat_app.services.policy import Person, Policy
from chat_app.services.problems import DoesNotFit, FormTooLong, NotOffered

LONGEST_DRAFT: Final = 1_000_000
MOST_ENTRIES: Final = 2_000


class Forms:
    """Make and judge the forms of questions. Nothing is stored before `Approvals.decide`."""

    def __init__(self, database: Database, policy: Policy) -> None:
        """Read questions from `database`."""
        self._database = database
        self._policy = policy

    async def fill(  # noqa: PLR0913 - what a person does to a form
        self,
        person: Person,
        interrupt_id: str,
        kind: str,
        *,
        draft: Draft | None = None,
        act: str = "",
        key: str = "",
    ) -> Filling:
        """Return the form for an answer of this kind, `edit` or `respond`, as first shown or as `draft` fills it in.

        Raises:
            NotOffered: the question takes no such answer.
            FormTooLong: the draft is longer than any form.
            Refused: there is no such question for this person.
        """
        if draft is not None and _length(draft) > LONGEST_DRAFT:
            raise FormTooLong
        asked = await asyncio.to_thread(self._asked, person, interrupt_id)
        if kind not in ("edit", "respond") or kind not in actions(asked):
            raise NotOffered
        return await asyncio.to_thread(form_of, asking(asked, kind), draft, act=act, key=key)

    async def answer(
        self, person: Person, interrupt_id: str, *, kind: str, note: str, draft: Draft
    ) -> Answer:
        """Return the answer that a filled-in form gives; an edit that changes nothing is an approval.

        Raises:
            DoesNotFit: something in it is wrong; nothing was sent.
            NotOffered, Refused: as in `fill`.
        """
        filling = await self.fill(person, interrupt_id, kind, draft=draft)
        value = filling.value
        if isinstance(value, Absent):
            raise DoesNotFit(filling.form.complaint)
        if kind == "respond":
            return Answer("respond", response=value, digest=filling.form.before)
        if not filling.form.changes or not isinstance(value, dict):
            return Answer("approve", note=note, digest=filling.form.before)
        return Answer("edit", note=note, edited=value, digest=filling.form.before)

    def _asked(self, person: Person, interrupt_id: str) -> InterruptRecord:
        with self._database.reading() as session:
            return self._allowed(session, person, interrupt_id)

    def _allowed(self, session: Session, person: Person, interrupt_id: str) -> InterruptRecord:
        return visible(session, self._policy, person, interrupt_id)[0]


def asking(asked: InterruptRecord, kind: str) -> Asked:
    """Return what a form for an answer of this kind is made of."""
    schema = asked.response_schema if isinstance(asked.response_schema, dict) else None
    if kind == "respond":
        return Asked(kind, schema, digest=asked.args_digest or "")
    proposed = proposal(asked.args or "")
    whole = isinstance(proposed, dict)
    return Asked(
        kind,
        _edits(schema or {}),
        proposed if whole else ABSENT,
        text=asked.args or "",
        digest=asked.args_digest or "",
    )


def draft_of(sent: object) -> Draft:
    """Return the draft a browser sent, which may send anything; what is no text is not taken."""
    found = sent if isinstance(sent, Mapping) else {}
    entries = found.get("entries")
    texts = dict(list(entries.items())[:MOST_ENTRIES]) if isinstance(entries, Mapping) else {}
    written = found.get("json")
    return Draft(
        raw=found.get("raw") is True,
        json=written if isinstance(written, str) else "",
        entries={str(key): text for key, text in texts.items() if isinstance(text, str)},
    )


def _edits(schema: Mapping[str, JsonValue]) -> Mapping[str, JsonValue] | None:
    """Return the schema of edited arguments, if the question gives one, with the definitions it may refer to."""
    members = schema.get("properties")
    found = members.get("editedArgs") if isinstance(members, dict) else None
    if not isinstance(found, dict) or "properties" not in found:
        return None
    outer = {name: schema[name] for name in ("$defs", "definitions") if name in schema}
    return {**outer, **found}


def _length(draft: Draft) -> int:
    return len(draft.json) + len(json.dumps(dict(draft.entries)))
