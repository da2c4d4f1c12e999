"""What the chat page changes by clicks: the open thread, and the problem to show. The stream never passes here."""

from collections.abc import Awaitable, Callable, Mapping

import reflex as rx
from pydantic import JsonValue
from reflex.event import EventSpec

from chat_app.services.chat import Line
from chat_app.services.choosing import NOBODY, Choice, Chosen
from chat_app.services.holder import current
from chat_app.services.policy import Person
from chat_app.services.problems import WORDED, Problem, SignedOut, problem_of
from chat_app.services.rendering import Rendering
from chat_app.services.rows import Suggestion
from chat_app.state.gate import public

THREAD_PATH = "/t/"
NO_PROBLEM = Problem("")


class Chat(rx.State):
    """One tab's page. Who asks comes from the cookie of the socket; ids from the browser are claims."""

    made: str = ""  # the thread that the last first line began
    agent: Choice = NOBODY
    choices: list[Choice] = []  # the agents that a new chat may be with
    shut: bool = False  # the agent is not open to the person, or none is
    # the agent chosen last in this browser: a claim like any other
    preferred: str = rx.LocalStorage("", name="parley.agent")
    user_name: str = ""
    oversees: bool = False  # the person has pages for admins
    suggestions: list[Suggestion] = []
    accepts: list[str] = []  # the kinds of files the agent takes
    file_limit: int = 0  # bytes of the largest one
    rendering: Rendering = Rendering()
    accepted: int = 0  # lines of this tab that were taken
    returned: str = ""  # a text that came too late for its place, for the message box
    problem: Problem = NO_PROBLEM
    _draft: str = ""  # the chat that a page without one begins: two clicks make one

    @public
    async def load(self) -> None:
        """Show the agent of the thread in the address, or those a new one may be with, and the person's name."""
        self._draft = current().chat.draft()
        self.rendering = current().rendering
        await self._try(self._greet())

    @public
    async def take_files(self) -> None:
        """Offer to attach the kinds of files that the agent takes; it may have to be asked."""
        self.file_limit = current().attachments.limit
        self.accepts = []
        await self._try(self._take_files())

    @public
    async def choose_agent(self, agent_id: str) -> EventSpec | None:
        """Let the new chat be with this agent, and those after it in this browser."""
        taken = await self._try(self._choose_agent(str(agent_id)))
        return Chat.take_files if taken else None  # type: ignore[return-value]  # Reflex chains it

    @public
    async def send(self, form: Mapping[str, JsonValue]) -> EventSpec | None:
        """Send a line; the first line of a new chat makes its thread and goes there.

        With `abandon` the open questions of the agent are given up for it; with `queue` it waits for its turn.
        """
        thread_id = self._thread_in_address()
        waits = bool(thread_id) and _says(form, "queue")
        sending = self._put_by if waits else self._send
        line = Line(_text(form), _files(form))
        sent = await self._try(sending(thread_id, line, abandon=_says(form, "abandon")))
        self.accepted += bool(sent)
        if not sent or sent == thread_id:
            return None
        self.made = sent
        return rx.redirect(f"{THREAD_PATH}{sent}")

    @public
    async def stop(self) -> None:
        """Stop the live run of this thread."""
        await self._try(self._act(current().chat.stop))

    @public
    async def retry(self) -> None:
        """Run the last failed or stopped run again, with the same history."""
        await self._try(self._act(current().chat.retry))

    @public
    async def send_now(self, queued_id: str) -> None:
        """Stop the answer under way and send a line that waits."""
        await self._do(lambda person: current().queue.send_now(person, str(queued_id)))

    @public
    async def requeue(self, queued_id: str, text: str) -> None:
        """Change what a waiting line says; when it waits no longer, the text goes back to the message box."""
        changed = await self._try(self._requeue(str(queued_id), str(text)))
        self.returned = "" if changed else str(text)

    @public
    async def unqueue(self, queued_id: str) -> None:
        """Forget a line that waits."""
        await self._do(lambda person: current().queue.remove(person, str(queued_id)))

    @public
    def dismiss_problem(self) -> None:
        """Take the problem off the page."""
        self.problem = NO_PROBLEM

    async def _greet(self) -> str:
        person, choosing = await self._person(), current().choosing
        self.user_name, self.oversees = person.name, current().oversight.may(person)
        thread = self._thread_in_address()
        found = choosing.for_thread(person, thread) if thread else choosing.for_new(person, self.preferred)
        self._talk_to(await found)
        return ""

    def _talk_to(self, chosen: Chosen) -> None:
        self.agent, self.choices, self.shut = chosen.agent, chosen.choices, chosen.shut
        self.suggestions = chosen.suggestions

    async def _choose_agent(self, agent_id: str) -> str:
        self._talk_to(await current().choosing.take(await self._person(), agent_id))
        self.preferred = self.agent.id
        return self.agent.id

    async def _take_files(self) -> str:
        person, thread = await self._person(), self._thread_in_address()
        taken = await current().choosing.accepted(person, thread=thread, agent=self.agent.id)
        self.accepts = list(taken)
        return ""

    async def _send(self, thread_id: str, line: Line, *, abandon: bool) -> str:
        person, draft, files = await self._person(), self._draft, line.files
        chat, agent = current().chat, self.agent.id
        if files and not thread_id:
            await current().choosing.require_kinds(person, files, agent=agent)
        return await chat.send(
            person,
            thread_id or None,
            line.text,
            abandon=abandon,
            draft=draft,
            agent=agent,
            files=files,
        )

    async def _put_by(self, thread_id: str, line: Line, *, abandon: bool) -> str:
        del abandon  # a line that waits goes when nothing is asked
        return await current().queue.put(await self._person(), thread_id, line.text, files=line.files)

    async def _requeue(self, queued_id: str, text: str) -> str:
        return await current().queue.edit(await self._person(), queued_id, text)

    async def _act(self, use_case: Callable[[Person, str], Awaitable[str]]) -> str:
        return await use_case(await self._person(), self._thread_in_address())

    async def _person(self) -> Person:
        person = await current().accounts.person_of(self.router.headers.raw_headers.get("cookie", ""))
        if person is None:
            raise SignedOut
        return person

    def _thread_in_address(self) -> str:
        path = self.router.url.path
        return path.removeprefix(THREAD_PATH).strip("/") if path.startswith(THREAD_PATH) else ""

    async def _do(self, use_case: Callable[[Person], Awaitable[str]]) -> str:
        """Do a use case as whoever is signed in; without anybody, that is the problem on the page."""

        async def done() -> str:
            return await use_case(await self._person())

        return await self._try(done())

    async def _try(self, use_case: Awaitable[str]) -> str:
        """Await a use case; what it could not do becomes the problem on the page."""
        try:
            done = await use_case
        except WORDED as error:
            self.problem = problem_of(error)
            return ""
        self.problem = NO_PROBLEM
        return done


def _text(form: object) -> str:
    """Return the line in a form from a browser, which may send anything; what is no line is an empty one."""
    said = form.get("text") if isinstance(form, Mapping) else None
    return said if isinstance(said, str) else ""


def _files(form: object) -> tuple[str, ...]:
    """Return the ids of files in a form from a browser; the services judge whether they are anybody's."""
    ids = form.get("files") if isinstance(form, Mapping) else None
    return tuple(str(each) for each in ids) if isinstance(ids, list) else ()


def _says(form: object, name: str) -> bool:
    return isinstance(form, Mapping) and form.get(name) is True
