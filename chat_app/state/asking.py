"""What a person does to the open questions of a chat: fill in forms, decide, send decisions together."""

from dataclasses import replace

from chat_app.services.approvals import Answer
from chat_app.services.forming import draft_of
from chat_app.services.forms import Form
from chat_app.services.holder import current
from chat_app.state.chat import Chat
from chat_app.state.gate import public

FORMS_KEPT = 20


class Asking(Chat):
    """The forms open in this tab, by question. What is in their inputs comes with every act; here it is only drawn."""

    forms: dict[str, Form] = {}

    @public
    async def fill(self, interrupt_id: str, kind: str, sent: object, act: str = "", key: str = "") -> None:
        """Show the form of a question as it is filled in, after an act on it; `open` shows it anew."""
        await self._try(self._fill(interrupt_id, kind, None if act == "open" else sent, act, key))

    @public
    async def decide(
        self, interrupt_id: str, kind: str, note: str = "", sent: object = None, hold: bool = False
    ) -> None:
        """Answer one question of the agent; `hold` keeps the answer until all of its run are sent."""
        await self._try(self._decide(interrupt_id, kind, note, sent, hold=hold is True))

    @public
    async def give_up(self, interrupt_id: str) -> None:
        """Give a question up that nobody can answer any more."""
        await self._try(self._decide(interrupt_id, "cancel", "", None, hold=False))

    @public
    async def send_answers(self, interrupt_id: str) -> None:
        """Send the answers that were held, together."""
        await self._try(self._send_answers(interrupt_id))

    async def _fill(self, interrupt_id: str, kind: str, sent: object, act: str, key: str) -> str:
        draft = None if sent is None else draft_of(sent)
        person, forms = await self._person(), current().forms
        form = (await forms.fill(person, interrupt_id, kind, draft=draft, act=act, key=key)).form
        known = self.forms.get(interrupt_id)
        revision = (known.revision if known else 0) + bool(act)
        kept = list(self.forms.items())[-FORMS_KEPT:]
        self.forms = {**dict(kept), interrupt_id: replace(form, revision=revision)}
        return interrupt_id

    async def _decide(self, interrupt_id: str, kind: str, note: str, sent: object, *, hold: bool) -> str:
        person, answer = await self._person(), Answer(kind, note=note)
        if sent is not None:
            answer = await current().forms.answer(
                person, interrupt_id, kind=kind, note=note, draft=draft_of(sent)
            )
        return await current().approvals.decide(person, interrupt_id, answer, hold=hold)

    async def _send_answers(self, interrupt_id: str) -> str:
        return await current().approvals.send(await self._person(), interrupt_id)
