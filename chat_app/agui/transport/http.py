"""AG-UI over HTTP: one POST per run, answered by a stream of server-sent events.

Nothing is retried here. A POST may have started tools on the other side, so only a person decides
to run again. Closing the iterator closes the connection, which is how an agent learns of a stop.
"""

import asyncio
import ipaddress
import json
import re
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Self

import httpx
from ag_ui.core import RunAgentInput

from chat_app.agui.errors import (
    ConfigError,
    ConnectFailed,
    HttpStatus,
    NotAnEventStream,
    StreamCut,
    TimedOut,
)
from chat_app.agui.sse import FRAME_CAP, frames
from chat_app.agui.transport.base import Frame, closing
from chat_app.agui.transport.responses import (
    media_type,
    no_stream,
    read_excerpt,
    refusal,
    retry_after,
)
from chat_app.agui.transport.tls import trusted

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FIELD_VALUE = re.compile(r"[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?|")
_OURS = frozenset({"accept", "content-type", "content-length", "transfer-encoding", "connection", "host"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_KEEPS_THE_POST = frozenset({307, 308})
_MAX_REDIRECTS = 3
_EVENT_STREAM = "text/event-stream"


class HttpTransport:
    """Runs an agent at a URL.

    ``connect_timeout`` bounds connecting and sending, in seconds. A stream may be silent for as long as
    it likes unless ``idle_limit`` says otherwise; any byte counts as life, comments included.
    ``total_timeout`` bounds a run from request to last byte. ``frame_cap`` bounds one event in bytes.

    The transport makes its own client and closes it in ``aclose``. A ``client`` you lend is used as it
    is, with its TLS, proxy and pool settings, and stays yours to close.

    >>> HttpTransport("http://localhost:8000/agent", headers={"Authorization": "Bearer token"})
    HttpTransport('http://localhost:8000/agent')
    >>> HttpTransport("localhost:8000")
    Traceback (most recent call last):
    chat_app.agui.errors.ConfigError: Not an address of an agent: 'localhost:8000'...

    Raises:
        ConfigError: The URL, a header or a limit cannot be used.
    """

    def __init__(  # noqa: PLR0913 - each is an independent, named limit of the connection
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        connect_timeout: float = 10.0,
        idle_limit: float | None = None,
        total_timeout: float | None = None,
        frame_cap: int = FRAME_CAP,
        client: httpx.AsyncClient | None = None,
        tls: ssl.SSLContext | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._url = _checked_url(url)
        self._headers = _checked_headers(headers or {})
        _check_limits(connect_timeout, idle_limit, total_timeout, frame_cap)
        if client is not None and tls is not None:
            raise ConfigError("TLS settings belong to the client that was lent; give one or the other.")
        self._timeout = httpx.Timeout(connect_timeout, read=idle_limit)
        self._total_timeout = total_timeout
        self._frame_cap = frame_cap
        self._client = client or _own_client(self._url, tls)
        self._owns_client = client is None
        self._now = now

    async def run(self, run_input: RunAgentInput, /) -> AsyncIterator[Frame]:
        """Post ``run_input`` and yield the frames of the answer.

        Raises:
            ConnectFailed: Nothing answered at the URL.
            TimedOut: A limit passed: connecting, silence, or the whole run.
            HttpStatus: The agent refused the run before it began.
            NotAnEventStream: The answer is something else than an event stream.
            StreamCut: The connection broke while the answer was coming.
            BadFrame: An event is not a JSON object, or is larger than the cap.
        """
        deadline = self._deadline()
        with self._trouble_named():
            async with (
                self._answer(encode(run_input), deadline) as response,
                closing(frames(_until(deadline, response), cap=self._frame_cap)) as answer,
            ):
                async for frame in answer:
                    yield frame

    async def aclose(self) -> None:
        """Close the client this transport made; one that was lent stays open."""
        if self._owns_client:
            await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._url.copy_with(query=None))!r})"

    def _deadline(self) -> float | None:
        if self._total_timeout is None:
            return None
        return asyncio.get_running_loop().time() + self._total_timeout

    @asynccontextmanager
    async def _answer(self, body: bytes, deadline: float | None) -> AsyncIterator[httpx.Response]:
        response = await self._post(body, deadline)
        try:
            await self._require_stream(response)
            yield response
        finally:
            await response.aclose()

    async def _post(self, body: bytes, deadline: float | None) -> httpx.Response:
        url = self._url
        for _ in range(_MAX_REDIRECTS + 1):
            response = await self._send(self._request(url, body), deadline)
            if response.status_code not in _REDIRECTS:
                return response
            await response.aclose()
            url = _followed(url, response)
        raise ConnectFailed(f"{_origin(url)} redirects in circles.")

    async def _send(self, request: httpx.Request, deadline: float | None) -> httpx.Response:
        async with asyncio.timeout_at(deadline):
            return await self._client.send(request, stream=True, follow_redirects=False)

    def _request(self, url: httpx.URL, body: bytes) -> httpx.Request:
        headers = {**self._headers, b"Accept": _EVENT_STREAM.encode(), b"Content-Type": b"application/json"}
        return self._client.build_request("POST", url, content=body, headers=headers, timeout=self._timeout)

    async def _require_stream(self, response: httpx.Response) -> None:
        kind = media_type(response.headers)
        if response.is_success and kind == _EVENT_STREAM:
            return
        excerpt = await read_excerpt(response, self._timeout.connect or 0)
        if response.is_success:
            raise NotAnEventStream(no_stream(kind, response.status_code))
        raise refusal(response.status_code, excerpt, retry_after(response.headers, self._now()))

    @contextmanager
    def _trouble_named(self) -> Iterator[None]:
        """Turn the client library's exceptions into ours; their texts are often empty."""
        place = _origin(self._url)
        try:
            yield
        except TimeoutError as error:
            raise TimedOut(f"The run took longer than {self._total_timeout:g} s.") from error
        except httpx.TimeoutException as error:
            raise TimedOut(self._timeout_sentence(error)) from error
        except (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol) as error:
            raise ConnectFailed(f"Nothing answered at {place} ({_detail(error)}).") from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise StreamCut(f"The connection to {place} broke ({_detail(error)}).") from error

    def _timeout_sentence(self, error: httpx.TimeoutException) -> str:
        if isinstance(error, httpx.ReadTimeout):
            return f"The agent sent nothing for {self._timeout.read:g} s."
        return f"The agent did not take the request within {self._timeout.connect:g} s."


def encode(run_input: RunAgentInput) -> bytes:
    """Return the request body: camelCase JSON in UTF-8, absent fields left out.

    Text that came in halves of a surrogate pair is joined; a half without its other half becomes U+FFFD.
    """
    document = run_input.model_dump(mode="json", by_alias=True)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


async def _until(deadline: float | None, response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the body, giving up when ``deadline`` passes; the time a slow reader takes counts too."""
    chunks = response.aiter_bytes()
    while True:
        async with asyncio.timeout_at(deadline):
            chunk = await anext(chunks, None)
        if chunk is None:
            return
        yield chunk


def _followed(url: httpx.URL, response: httpx.Response) -> httpx.URL:
    target = url.join(response.headers.get("location", ""))
    if _origin(target) != _origin(url):
        place = _origin(target)
        raise HttpStatus(response.status_code, f"redirects to another server, {place}, are not followed.")
    if response.status_code not in _KEEPS_THE_POST:
        raise HttpStatus(response.status_code, f"the redirect to {target.path} drops the request.")
    return target


def _origin(url: httpx.URL) -> str:
    """Return scheme, host and port: all of an address that may be shown."""
    port = "" if url.port is None else f":{url.port}"
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{url.scheme}://{host}{port}"


def _detail(error: Exception) -> str:
    return str(error) or type(error).__name__


def _own_client(url: httpx.URL, tls: ssl.SSLContext | None) -> httpx.AsyncClient:
    """Make a client for one agent that many people share.

    It keeps no cookie, since an answer to one person must not mark the requests of the next. It ignores
    proxy settings for loopback addresses, and reads certificate stores only where TLS is spoken.
    """
    return httpx.AsyncClient(
        verify=tls or (trusted() if url.scheme == "https" else False),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
        trust_env=not _is_loopback(url.host),
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _checked_url(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise ConfigError(f"Not an address of an agent: {url!r} ({error}).") from error
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise ConfigError(
            f"Not an address of an agent: {url!r}. It starts with http:// or https:// and names a host."
        )
    return parsed


def _checked_headers(headers: Mapping[str, str]) -> dict[bytes, bytes]:
    return {_checked_name(name): _checked_value(name, value) for name, value in headers.items()}


def _checked_name(name: str) -> bytes:
    if not _TOKEN.fullmatch(name):
        raise ConfigError(f"Not a header name: {name!r}.")
    if name.lower() in _OURS:
        raise ConfigError(f"The header {name} is set by the transport and cannot be changed.")
    return name.encode()


def _checked_value(name: str, value: str) -> bytes:
    """Return the value as bytes; the complaint does not repeat it, since headers carry secrets."""
    if not _FIELD_VALUE.fullmatch(value):
        raise ConfigError(f"The value of the header {name} holds a character that is not allowed there.")
    return value.encode("latin-1")


def _check_limits(connect: float, idle: float | None, total: float | None, cap: int) -> None:
    limits = {"connect_timeout": connect, "idle_limit": idle, "total_timeout": total, "frame_cap": cap}
    for name, value in limits.items():
        if value is not None and value <= 0:
            raise ConfigError(f"{name} must be more than 0, not {value:g}.")
