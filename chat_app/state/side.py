"""What a person does to their threads in the list: rename, pin, archive, tag, delete and undo; and the search."""

from dataclasses import dataclass

import reflex as rx
from reflex.event import EventSpec

from chat_app.services.holder import current
from chat_app.services.search import Hit
from chat_app.state.chat import Chat
from chat_app.state.gate import public


@dataclass(frozen=True, slots=True)
class Deleted:
    """The thread that was just deleted and can be brought back."""

    id: str = ""
    title: str = ""


class Side(Chat):
    """The thread list of one tab. Which threads there are comes by the live channel."""

    deleted: Deleted = Deleted()
    query: str = ""
    hits: list[Hit] = []
    searched: int = 0  # answers to searches, so that the page can tell a new one

    @public
    async def rename(self, thread_id: str, title: str) -> None:
        """Give a thread a title."""
        await self._do(lambda person: current().shelf.rename(person, str(thread_id), str(title)))

    @public
    async def pin(self, thread_id: str, pinned: bool) -> None:
        """Keep a thread on top, or not any more."""
        await self._do(lambda person: current().shelf.pin(person, str(thread_id), pinned=pinned is True))

    @public
    async def archive(self, thread_id: str, archived: bool) -> None:
        """Put a thread into the archive, or take it out."""
        wanted = archived is True
        await self._do(lambda person: current().shelf.archive(person, str(thread_id), archived=wanted))

    @public
    async def tag(self, thread_id: str, form: dict[str, str]) -> None:
        """Give a thread the tags that were written, separated by commas."""
        tags = str(form.get("tags", "")).split(",")
        await self._do(lambda person: current().shelf.tag(person, str(thread_id), tags))

    @public
    async def delete(self, thread_id: str, title: str) -> EventSpec | None:
        """Delete a thread, and leave it if it is open; it can be brought back for a while."""
        gone = await self._do(lambda person: current().removal.delete(person, str(thread_id)))
        if gone:
            self.deleted = Deleted(gone, str(title))
        return rx.redirect("/") if gone and gone == self._thread_in_address() else None

    @public
    async def undo(self) -> EventSpec | None:
        """Bring back the thread that was just deleted, and go to it."""
        back = await self._do(lambda person: current().removal.restore(person, self.deleted.id))
        self.deleted = Deleted()
        return rx.redirect(f"/t/{back}") if back else None

    @public
    def let_go(self, thread_id: str) -> None:
        """Say no more of a deleted thread."""
        if self.deleted.id == thread_id:
            self.deleted = Deleted()

    @public
    async def find(self, query: str) -> None:
        """Search; what was asked for and what was found is shown together."""
        await self._try(self._find(str(query)))

    async def _find(self, query: str) -> str:
        self.hits = await current().search.find(await self._person(), query)
        self.query = query.strip()
        self.searched += 1
        return query
