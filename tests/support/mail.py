"""A real mail server on loopback that keeps what it takes, with or without TLS and sign-in."""

import asyncio
import ssl
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult, Envelope
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from chat_app.services.notices import MailServer
from tests.fakes import until

PASSWORD = "mail password"


@dataclass
class Mailbox:
    """What a server took, and what it says to a recipient."""

    letters: list[EmailMessage] = field(default_factory=list)
    answer: str = "250 OK"
    port: int = 0

    async def handle_RCPT(self, _server, _session, envelope: Envelope, address, _options):  # noqa: N802 - its name
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, _server, _session, envelope: Envelope):  # noqa: N802 - its name
        self.letters.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def server(self, **values) -> MailServer:
        """Return how to reach it."""
        base = {"host": "127.0.0.1", "port": self.port, "security": "none", "sender": "parley@example.org"}
        return MailServer(**base | values)


class _Connection(SMTP):
    ended = False

    def connection_lost(self, error):
        super().connection_lost(error)
        self.ended = True


def _let_in(server, session, envelope, mechanism, given):
    known = given.login == b"parley" and given.password == PASSWORD.encode()
    return AuthResult(success=known, handled=False)


@asynccontextmanager
async def mail_server(
    *, security: str = "none", certificate: Path | None = None, signs_in: bool = False
) -> AsyncIterator[Mailbox]:
    """Run a server in this loop until the block ends."""
    box, context = Mailbox(), _tls(certificate)
    options: dict = {"hostname": "127.0.0.1", "enable_SMTPUTF8": True}
    if signs_in:
        options |= {"authenticator": _let_in, "auth_required": True, "auth_require_tls": security != "tls"}
    if security == "starttls":
        options |= {"tls_context": context, "require_starttls": True}
    loop, made = asyncio.get_running_loop(), []

    def serve() -> SMTP:
        with warnings.catch_warnings():
            # it does not see that what it is told in is private already
            warnings.simplefilter("ignore", UserWarning)
            made.append(_Connection(box, loop=loop, **options))
        return made[-1]

    server = await loop.create_server(
        serve,
        "127.0.0.1",
        0,
        ssl=context if security == "tls" else None,
    )
    box.port = server.sockets[0].getsockname()[1]
    try:
        yield box
    finally:
        server.close()
        for one in made:
            if one.transport is not None:
                one.transport.close()
        await until(lambda: all(one.ended or one.session is None for one in made))


def _tls(certificate: Path | None) -> ssl.SSLContext | None:
    if certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def make_certificate(folder: Path) -> Path:
    """Write a certificate of 127.0.0.1 with its key; it vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "mail.pem"
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(private + made.public_bytes(pem))
    return file
