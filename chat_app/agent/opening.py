"""What a loop begins with: who it is, what it may read, what was said before, and what it is asked (A8)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chat_app.agent.grants import Grant
from chat_app.agent.transcript import AssistantEntry, Attachment, Entry, SystemEntry, UserEntry

GRANT_ROLE: Final = "grant"
"""The role of a seed that carries a grant. No model ever reads it."""

DEFAULT_SYSTEM: Final = (
    "You are a helpful agent in a web chat. Answer in the person's language and in Markdown."
    " Use your tools when they help, and say plainly what you did and what you could not do."
)


@dataclass(frozen=True, slots=True)
class Seed:
    """A message from before, known by role and text alone."""

    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopInput:
    """What a loop is prepared with.

    Attributes:
        instruction: The first line to work on; None when the history ends with what is to be worked on.
        system: Says who the model is.
        contract: Says how the answer must look; empty for no rule.
        seeds: Messages from before by role and text. Those of tools are read as notes of the person.
        history: Messages from before, whole, after the seeds.
        grants: What the loop may call.
        thread_id: On whose behalf it works.
        model: The model of the first turn.
        attended: False when no person can be asked: a tool that asks is then refused.
    """

    instruction: str | None = None
    attachments: tuple[Attachment, ...] = ()
    system: str = DEFAULT_SYSTEM
    contract: str = ""
    seeds: tuple[Seed, ...] = ()
    history: tuple[Entry, ...] = ()
    grants: tuple[Grant, ...] = ()
    thread_id: str = ""
    model: str = ""
    attended: bool = True

    def all_grants(self) -> tuple[Grant, ...]:
        """Give the grants, those that came as seeds included."""
        return (*self.grants, *(_grant(seed.text) for seed in self.seeds if seed.role == GRANT_ROLE))

    def opening(self, note: str) -> list[Entry]:
        """Build the transcript a loop begins with; ``note`` tells which resources there are."""
        system = f"{self.system}\n\n{self.contract}" if self.contract else self.system
        entries: list[Entry] = [SystemEntry(system)]
        if note:
            entries.append(SystemEntry(note))
        entries += [_entry(seed) for seed in self.seeds if seed.role != GRANT_ROLE]
        entries += self.history
        if self.instruction is not None:
            entries.append(UserEntry(self.instruction, self.attachments))
        return entries


def seeds(pairs: Sequence[tuple[str, str]]) -> tuple[Seed, ...]:
    """Make seeds of pairs of role and text."""
    return tuple(Seed(role, text) for role, text in pairs)


def _entry(seed: Seed) -> Entry:
    match seed.role:
        case "system":
            return SystemEntry(seed.text)
        case "assistant":
            return AssistantEntry(seed.text)
        case "tool":
            return UserEntry(f"A tool said earlier: {seed.text}")
        case _:
            return UserEntry(seed.text)


def _grant(text: str) -> Grant:
    try:
        return Grant.read(json.loads(text))
    except ValueError:
        return Grant(())
