"""The order of a start: what can go wrong is looked at first, what takes long is done only when needed."""

from collections.abc import Callable
from pathlib import Path

from chat_app.cli import people
from chat_app.cli.checks import check_agent, check_binding, check_port, check_workers, check_writable
from chat_app.cli.database import bring_up_to_date
from chat_app.cli.frontend import Frontend
from chat_app.settings import PROJECT_ROOT, Settings

Say = Callable[[str], None]
Serve = Callable[[Settings, Path, Callable[[], None]], None]

MOVE_DATA = "set PARLEY_DATA_DIR to a folder of your own"


def the_page(settings: Settings) -> Frontend:
    """Return the page of this checkout."""
    log = settings.data_dir / "logs" / "build.log"
    return Frontend(PROJECT_ROOT, log=log, extensions=settings.extensions)


def start(settings: Settings, page: Frontend, *, serve: Serve, say: Say) -> None:
    """Check, update the database, build the page when it changed, and serve until the end.

    Raises:
        Stop: for whatever a person has to change first.
        DataError: when the database cannot be used.
        SettingsError: when the embedded agent's model or tool servers cannot be.
    """
    check_binding(settings)
    check_workers(settings)
    check_port(settings.host, settings.port)
    check_writable(settings.data_dir, MOVE_DATA)
    bring_up_to_date(settings, say)
    if not page.current():
        check_agent(settings)  # the build loads the whole application, and would only say that it failed
        say("Building the page ...")
        page.build()
    serve(settings, page.root, lambda: _greet(settings, say))


def _greet(settings: Settings, say: Say) -> None:
    say(f"Parley is ready on {settings.page_url}")
    link = people.first_admin_link(settings)
    if link:
        say(f"There is no admin yet. Whoever opens this link first is the one: {link}")
