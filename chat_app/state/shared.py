"""What a person changes in the state that an agent shares."""

import json

from chat_app.services.holder import current
from chat_app.services.problems import NotInState
from chat_app.state.chat import Chat
from chat_app.state.gate import public


class Shared(Chat):
    """Changes of the shared state; the state itself comes over the live channel."""

    @public
    async def change_state(self, pointer: str, value: str) -> None:
        """Put a value (JSON) at a place of the state; the agent has it with the next message."""
        await self._try(self._change(pointer, value))

    async def _change(self, pointer: str, value: str) -> str:
        try:
            parsed = json.loads(value)
        except ValueError as error:
            raise NotInState from error
        return await current().shared.edit(await self._person(), self._thread_in_address(), pointer, parsed)
