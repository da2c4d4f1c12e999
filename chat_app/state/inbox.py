"""What a person does in the inbox beside deciding: takes a question in hand, hands it on, approves alike ones."""

from chat_app.services.holder import current
from chat_app.state.chat import Chat
from chat_app.state.gate import public


class Inbox(Chat):
    """Acts on the inbox; the list itself comes over the live channel."""

    @public
    async def claim(self, interrupt_id: str) -> None:
        """Take a question in hand."""
        await self._try(self._claim(interrupt_id))

    @public
    async def give(self, interrupt_id: str, to: str) -> None:
        """Hand a question to somebody, or to nobody."""
        await self._try(self._give(interrupt_id, to))

    @public
    async def approve_alike(self, interrupt_ids: list[str]) -> None:
        """Approve questions that ask for the same, together."""
        await self._try(self._approve_alike(interrupt_ids))

    async def _claim(self, interrupt_id: str) -> str:
        return await current().inbox.claim(await self._person(), str(interrupt_id))

    async def _give(self, interrupt_id: str, to: str) -> str:
        return await current().inbox.give(await self._person(), str(interrupt_id), str(to))

    async def _approve_alike(self, interrupt_ids: list[str]) -> str:
        person, ids = await self._person(), [str(one) for one in interrupt_ids]
        done, trouble = await current().inbox.approve_alike(person, ids)
        if trouble is not None:
            raise trouble
        return str(done)
