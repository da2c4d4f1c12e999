"""Puts the bytes of our own files into what is sent to an agent, which cannot fetch them by their addresses here.

Everything this side keeps (log, rows, history) names a file by its address; only the request carries its bytes.
"""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator

from ag_ui.core import RunAgentInput
from pydantic import JsonValue

from chat_app.agui import Transport
from chat_app.data import attachments
from chat_app.data.db import Database
from chat_app.services.content import OURS
from chat_app.services.vault import Vault

Part = dict[str, JsonValue]
LOST = "[The file {name} is not kept any more.]"


class Carrier:
    """A transport that carries files with what it sends by another one."""

    def __init__(self, transport: Transport, database: Database, vault: Vault) -> None:
        """Send by `transport`; read files from `database` and `vault`."""
        self._transport = transport
        self._database = database
        self._vault = vault

    async def run(self, run_input: RunAgentInput, /) -> AsyncIterator[dict[str, JsonValue]]:
        """Send a run with the bytes of its files in it, and yield what comes back."""
        loaded = run_input
        if any(isinstance(getattr(message, "content", None), list) for message in run_input.messages):
            loaded = await asyncio.to_thread(self._loaded, run_input)
        async for frame in self._transport.run(loaded):
            yield frame

    def _loaded(self, run_input: RunAgentInput) -> RunAgentInput:
        sent = run_input.model_dump(mode="json", by_alias=True, exclude_none=True)
        for message in sent["messages"]:
            if isinstance(message.get("content"), list):
                message["content"] = [self._part(part) for part in message["content"]]
        return RunAgentInput.model_validate(sent)

    def _part(self, part: Part) -> Part:
        source = part.get("source")
        address = source.get("value") if isinstance(source, dict) else None
        if not isinstance(source, dict) or not isinstance(address, str) or not address.startswith(OURS):
            return part
        content = self._content(address.removeprefix(OURS))
        if content is None:
            metadata = part.get("metadata")
            name = metadata.get("filename") if isinstance(metadata, dict) else None
            return {"type": "text", "text": LOST.format(name=name)}
        data = {"type": "data", "value": b64encode(content).decode(), "mimeType": source["mimeType"]}
        return {**part, "source": data}

    def _content(self, attachment_id: str) -> bytes | None:
        with self._database.reading() as session:
            record = attachments.get(session, attachment_id)
        return None if record is None else self._vault.get(record.sha256)
