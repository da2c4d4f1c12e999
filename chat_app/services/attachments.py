"""Files people bring into a conversation: taken in, sent with a line, given out again, forgotten.

A file is its owner's until it is sent; then it is the thread's and goes with it. What was never sent is forgotten after
a day, and contents that nobody names any more with it.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import attachments, threads
from chat_app.data.db import Database
from chat_app.data.records import AttachmentRecord
from chat_app.services.content import OURS
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.problems import FileGone, FileRefused, FileTooLarge, TooManyFiles
from chat_app.services.sniffing import label, media_type, modality
from chat_app.services.vault import Vault
from chat_app.services.viewing import Viewing

MOST_FILES = 10
UNSENT_FOR = timedelta(days=1)
UNSENT_SIZES = 20
"""How many of the largest files one person may have brought and not sent."""
PARTS = {"image": "image", "audio": "audio", "video": "video"}


@dataclass(frozen=True, slots=True)
class Brought:
    """A file that was taken in: its id, label, type, size in bytes, and what an agent has to take for it."""

    id: str
    name: str
    type: str
    size: int
    kind: str


class Attachments:
    """Take files in, and give them out to those who may see them."""

    def __init__(  # noqa: PLR0913 - the parts of one object
        self,
        database: Database,
        policy: Policy,
        vault: Vault,
        *,
        viewing: Viewing,
        limit: int,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        """Keep names in `database` and bytes in `vault`; `limit` is the most bytes of one file."""
        self._database = database
        self._policy = policy
        self._vault = vault
        self._viewing = viewing
        self.limit = limit
        self._now = now
        self._new_id = new_id

    async def bring(self, person: Person, name: str, content: bytes, *, accepted: Iterable[str]) -> Brought:
        """Take a file in for a line that is being written; its type is read from its bytes.

        Raises:
            FileTooLarge, TooManyFiles: it is over a limit.
            FileRefused: the agent does not take files of its kind.
            Refused: this person writes nothing here.
        """
        self._policy.require(person, Action.WRITE_THREAD, owner=person.id)
        if len(content) > self.limit:
            raise FileTooLarge(self.limit)
        found = media_type(content)
        if modality(found) not in set(accepted):
            raise FileRefused
        return await asyncio.to_thread(self._bring, person, label(name), found, content)

    async def read(self, person: Person, attachment_id: str) -> tuple[AttachmentRecord, bytes]:
        """Return a file and its bytes.

        Raises:
            Refused: there is no such file for this person.
        """
        return await asyncio.to_thread(self._read, person, claimed(attachment_id))

    async def forget(self, person: Person, attachment_id: str) -> None:
        """Take back a file that was not sent.

        Raises:
            Refused: this person has no such file, or writes nothing here.
        """
        self._policy.require(person, Action.WRITE_THREAD, owner=person.id)
        await asyncio.to_thread(self._forget, person, claimed(attachment_id))

    def sweep(self) -> int:
        """Forget files that were never sent, and contents that no file has; returns how many contents."""
        with self._database.transaction() as session:
            attachments.forget_unsent(session, before=self._now() - UNSENT_FOR)
        with self._database.reading() as session:
            over = [name for name in self._vault.names() if not attachments.is_kept(session, name)]
        for name in over:
            self._vault.drop(name)
        return len(over)

    def _bring(self, person: Person, name: str, found: str, content: bytes) -> Brought:
        # written before it is named: a name without its bytes would be worse than bytes without a name
        digest = self._vault.put(content)
        record = AttachmentRecord(
            id=self._new_id(),
            by=person.id,
            name=name,
            media_type=found,
            size=len(content),
            sha256=digest,
            created=self._now(),
        )
        with self._database.transaction() as session:
            if attachments.unsent_size(session, person.id) + record.size > UNSENT_SIZES * self.limit:
                raise TooManyFiles
            attachments.add(session, record)
        return Brought(record.id, name, found, record.size, modality(found))

    def _read(self, person: Person, attachment_id: str) -> tuple[AttachmentRecord, bytes]:
        with self._database.reading() as session:
            record = attachments.get(session, attachment_id)
            if record is None or not self._may_read(session, person, record):
                raise Refused
        content = self._vault.get(record.sha256)
        if content is None:
            raise Refused
        return record, content

    def _may_read(self, session: Session, person: Person, record: AttachmentRecord) -> bool:
        if record.thread is None:
            return record.by == person.id
        thread = threads.get(session, record.thread)
        owner = thread.owner if thread is not None else None
        mine = self._policy.may(person, Action.READ_THREAD, owner=owner)
        return mine or self._viewing.may_read(session, person, thread)

    def _forget(self, person: Person, attachment_id: str) -> None:
        with self._database.transaction() as session:
            if not attachments.forget(session, attachment_id, by=person.id):
                raise Refused


def held(session: Session, by: str, ids: Sequence[str]) -> list[AttachmentRecord]:
    """Return the files a person sends with a line, in their order.

    Raises:
        FileGone: one of them is not there any more, was sent before, or is somebody else's.
        TooManyFiles: one line takes no more than `MOST_FILES`.
    """
    if len(ids) > MOST_FILES:
        raise TooManyFiles
    found = attachments.some(session, ids)
    records = [found.get(each) for each in ids]
    sendable = [one for one in records if one is not None and one.by == by and one.thread is None]
    if len(sendable) != len(ids):
        raise FileGone
    return sendable


def part_of(record: AttachmentRecord) -> dict[str, JsonValue]:
    """Return a file as a part of an AG-UI message: by its address here, its bytes are put in on the way out."""
    return {
        "type": PARTS.get(modality(record.media_type), "document"),
        "source": {"type": "url", "value": f"{OURS}{record.id}", "mimeType": record.media_type},
        "metadata": {"filename": record.name, "size": record.size},
    }
