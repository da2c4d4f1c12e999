"""The run whose details a person looks at."""

from chat_app.services.holder import current
from chat_app.services.run_details import Details
from chat_app.state.chat import Chat
from chat_app.state.gate import public

NONE = Details()


class RunDetails(Chat):
    """What the dialog with the details of a run shows."""

    details: Details = NONE

    @public
    async def show_run(self, run_id: str) -> None:
        """Show what is known of a run of this thread; of its last one when none is named."""
        if run_id != self.details.run:
            self.details = NONE
        await self._try(self._show(run_id))

    async def _show(self, run_id: str) -> str:
        person, thread = await self._person(), self._thread_in_address()
        self.details = await current().run_details.of_run(person, thread, run_id)
        return self.details.run
