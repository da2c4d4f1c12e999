"""What the settings say to each part, in that part's own terms."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import urlsplit

from pydantic import SecretStr

from chat_app.agent.scenarios import SUGGESTIONS
from chat_app.services.accounts import CookieShape, Ways
from chat_app.services.agents import Endpoint
from chat_app.services.notices import MailServer, Plan, Write, bare
from chat_app.services.oidc import Provider
from chat_app.services.proxy import Proxies
from chat_app.services.rates import Kind, Rates
from chat_app.services.retention import Terms
from chat_app.services.rows import Suggestion
from chat_app.settings import Settings

KNOWN_LINES = tuple(Suggestion(each.title, each.phrase) for each in SUGGESTIONS)
"""What the page offers on an empty chat with the embedded agent."""


def notices(settings: Settings, write: Write = bare) -> Plan:
    """Return how people are told outside the page."""
    return Plan(
        url=settings.page_url,
        names=settings.notice_names,
        private=settings.private_webhooks,
        mail=mail_server(settings),
        write=write,
    )


def mail_server(settings: Settings) -> MailServer | None:
    """Return the server that takes our mail; None when none is set."""
    if not settings.mail_host:
        return None
    return MailServer(
        host=settings.mail_host,
        port=settings.mail_port,
        security=settings.mail_security,
        sender=settings.mail_from,
        user=settings.mail_user,
        password=settings.mail_password.get_secret_value(),
    )


def terms(settings: Settings) -> Terms:
    """Return how long things stay."""
    return Terms(settings.retention_days, timedelta(days=settings.undo_days))


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def endpoint(settings: Settings) -> Endpoint:
    """Return the agent that settings name; the embedded one is asked for its token like any other."""
    headers = {name: value.get_secret_value() for name, value in settings.agent_headers.items()}
    if not settings.agent_url:
        headers = {"Authorization": f"Bearer {settings.agent_token.get_secret_value()}"}
    return Endpoint(
        name=settings.agent_name,
        url=settings.agent_endpoint,
        profile=settings.agent_profile,
        accepts=settings.agent_accepts or None,
        suggestions=() if settings.agent_url else KNOWN_LINES,
        headers=headers,
        connect_timeout=settings.connect_timeout,
        idle_limit=settings.agent_idle_limit,
        frame_cap=settings.frame_cap,
    )


def endpoints(settings: Settings) -> tuple[Endpoint, ...]:
    """Return the further agents that settings name; what is said of none of them alone is as for the first."""
    return tuple(
        Endpoint(
            name=name,
            url=one.url,
            profile=one.profile,
            accepts=one.accepts,
            suggestions=tuple(Suggestion(line, line) for line in one.suggestions),
            headers=revealed(one.headers),
            connect_timeout=settings.connect_timeout,
            idle_limit=one.idle_limit,
            frame_cap=settings.frame_cap,
        )
        for name, one in settings.agents.items()
    )


def cookie(settings: Settings) -> CookieShape:
    """Return the session cookie of this instance; cookies know no ports, so its name tells two instances apart."""
    instance = sha256(settings.page_url.encode()).hexdigest()[:8]
    return CookieShape(
        name=f"parley_session_{instance}",
        days=settings.session_days,
        secure=settings.page_url.startswith("https:"),
        most_days=settings.session_most_days,
    )


def ways(settings: Settings) -> Ways:
    """Return how people come in; without any way there is the local user."""
    return Ways(
        password="password" in settings.sign_in,
        provider=settings.oidc_name if "oidc" in settings.sign_in else "",
        proxy="proxy" in settings.sign_in,
    )


def rates_of(settings: Settings) -> Rates:
    """Return how often people may do things; several processes count in their Redis."""
    limits: dict[Kind, str] = {
        "sign_in": settings.sign_in_limit,
        "address": settings.address_limit,
        "run": settings.run_limit,
        "decision": settings.decision_limit,
    }
    shared = settings.redis_url.get_secret_value().replace("unix://", "redis+unix://", 1)
    return Rates(limits, storage=shared or "memory://")


def origins(settings: Settings) -> dict[str, str]:
    """Return the Host values this instance answers to, each with the Origin of the pages people open there.

    They are loopback names with its port, and those of its URLs; a proxy may end TLS, so the scheme is the URL's.
    """
    local = [f"http://{name}:{settings.port}" for name in ("localhost", "127.0.0.1", "[::1]")]
    urls = [urlsplit(url) for url in (*local, settings.local_url, settings.page_url)]
    return {url.netloc.lower(): f"{url.scheme}://{url.netloc}".lower() for url in urls}


def proxies(settings: Settings) -> Proxies:
    """Return what is believed of the proxies in front; they vouch for people only where that is a way to sign in."""
    return Proxies(
        networks=settings.proxy_addresses,
        secret=settings.proxy_secret.get_secret_value() if "proxy" in settings.sign_in else "",
        user_header=settings.proxy_user_header,
        groups_header=settings.proxy_groups_header,
    )


def provider(settings: Settings) -> Provider:
    """Return the sign-in provider that settings name."""
    return Provider(
        issuer=settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret.get_secret_value(),
        scopes=settings.oidc_scopes,
        groups_claim=settings.oidc_groups_claim,
        back=f"{settings.page_url}/auth/provider/back",
    )


def revealed(secrets: Mapping[str, SecretStr]) -> dict[str, str]:
    """Return secrets in the clear, for those who send them."""
    return {name: secret.get_secret_value() for name, secret in secrets.items()}
