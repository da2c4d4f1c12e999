"""What a person does with turns that are there: edit, answer again, choose a version, judge, look at what it took."""

from chat_app.services.holder import current
from chat_app.services.run_details import Details
from chat_app.state.chat import Chat
from chat_app.state.gate import public


class Turns(Chat):
    """Acts on the rows of the thread in the address; what goes wrong shows where problems of the chat do."""

    details: Details = Details()

    @public
    async def edit(self, key: str, text: str) -> None:
        """Say something else instead of a line, in a new branch."""
        await self._try(self._edit(key, text))

    @public
    async def regenerate(self, key: str) -> None:
        """Have a line answered again, in a new branch."""
        await self._try(self._regenerate(key))

    @public
    async def choose(self, number: int) -> None:
        """Show another branch."""
        await self._try(self._choose(number))

    @public
    async def rate(self, key: str, verdict: str, note: str) -> None:
        """Keep what the person thinks of an answer."""
        await self._try(self._rate(key, verdict, note))

    @public
    async def look(self, run: str) -> None:
        """Show what a run took."""
        await self._try(self._look(run))

    async def _edit(self, key: str, text: str) -> str:
        thread = self._thread_in_address()
        return await current().branching.edit(await self._person(), thread, str(key), str(text))

    async def _regenerate(self, key: str) -> str:
        thread = self._thread_in_address()
        return await current().branching.regenerate(await self._person(), thread, str(key))

    async def _choose(self, number: int) -> str:
        thread = self._thread_in_address()
        return await current().branching.choose(await self._person(), thread, int(number))

    async def _rate(self, key: str, verdict: str, note: str) -> str:
        thread = self._thread_in_address()
        return await current().feedback.rate(await self._person(), thread, str(key), str(verdict), str(note))

    async def _look(self, run: str) -> str:
        thread = self._thread_in_address()
        self.details = await current().run_details.of_run(await self._person(), thread, str(run))
        return run
