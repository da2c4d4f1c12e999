"""Sends notices by mail: short plain texts, over the server that settings name.

Every value that enters a header passes the library's own judgement, which refuses line breaks; addresses are judged
when they are entered as well.
"""

import asyncio
import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Literal

from chat_app.services.notices.kinds import Notice, NotSent
from chat_app.settings import is_mail_address

Security = Literal["starttls", "tls", "none"]
WITHIN_S = 10.0
"""How long the server may take for one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """The server that takes our mail, and whom it is from."""

    host: str
    port: int
    security: Security
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says."""

    subject: str
    text: str


Write = Callable[[Notice], Letter]
"""Puts a notice into words."""


class MailChannel:
    """Sends to the address that a notice holds."""

    def __init__(
        self, server: MailServer, write: Write, *, within: float = WITHIN_S, tls: ssl.SSLContext | None = None
    ) -> None:
        """Send by `server` what `write` makes of a notice; certificates are judged by `tls`, or as the system does."""
        self._server = server
        self._write = write
        self._within = within
        self._tls = tls

    async def aclose(self) -> None:
        """Nothing is held open."""

    async def send(self, target: str, notice: Notice) -> str:
        """Send a notice to its one reader; return that the server took it. `target` is the person's id.

        Raises:
            NotSent: it was not taken.
        """
        del target
        (reader,) = notice.people
        if not is_mail_address(reader.address):
            raise NotSent("bad_address", fate="failed")
        letter = message(notice, self._write(notice), sender=self._server.sender, to=reader.address)
        with _worded():
            await asyncio.to_thread(self._send, letter)
        return "taken"

    def look(self) -> None:
        """Greet the server as for sending, and send nothing.

        Raises:
            NotSent: it cannot be used; the outcome says why.
        """
        with _worded(), self._opened() as server:
            server.noop()

    def _send(self, letter: EmailMessage) -> None:
        with self._opened() as server:
            server.send_message(letter)

    @contextmanager
    def _opened(self) -> Iterator[smtplib.SMTP]:
        at = self._server
        if at.security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                at.host, at.port, timeout=self._within, context=self._context()
            )
        else:
            server = smtplib.SMTP(at.host, at.port, timeout=self._within)
        with server:
            if at.security == "starttls":
                server.starttls(context=self._context())
            if at.user:
                server.login(at.user, at.password)
            yield server

    def _context(self) -> ssl.SSLContext:
        return self._tls or ssl.create_default_context()


def message(notice: Notice, letter: Letter, *, sender: str, to: str) -> EmailMessage:
    """Return a mail. Every try at one reader has the same Message-ID, so that a server can tell a repetition."""
    made = EmailMessage(policy=policy.SMTP)
    made["From"] = Address(addr_spec=sender)
    made["To"] = Address(addr_spec=to)
    made["Subject"] = " ".join(letter.subject.split())[:200]
    made["Date"] = format_datetime(notice.at)
    made["Message-ID"] = f"<{notice.id}@{sender.rpartition('@')[2]}>"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(letter.text, cte="quoted-printable")
    return made


@contextmanager
def _worded() -> Iterator[None]:
    """Tell what went wrong by its code: a server that says no for good is not asked again."""
    try:
        yield
    except smtplib.SMTPAuthenticationError as error:
        raise NotSent("not_let_in") from error
    except smtplib.SMTPNotSupportedError as error:
        raise NotSent("no_tls") from error
    except smtplib.SMTPRecipientsRefused as error:
        ((code, _),) = error.recipients.values()
        raise _refused(code) from error
    except smtplib.SMTPResponseException as error:
        raise _refused(error.smtp_code) from error
    except ssl.SSLError as error:
        raise NotSent("bad_certificate") from error
    except TimeoutError as error:
        raise NotSent("timeout") from error
    except (smtplib.SMTPException, OSError) as error:
        # a greeting that does not come is told as a connection that was lost
        silent = isinstance(error.__context__, TimeoutError)
        raise NotSent("timeout" if silent else "unreachable") from error


def _refused(code: int) -> NotSent:
    return NotSent(f"smtp:{code}", fate="failed" if 500 <= code < 600 else "again")
