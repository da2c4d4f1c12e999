"""The commands and their flags; what they do is in the modules beside this one."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from chat_app.cli import auditing, database, doctor, doctor_agent, exporting, overview, people, upkeep
from chat_app.cli.checks import check_writable
from chat_app.cli.serve import serve
from chat_app.cli.start import MOVE_DATA, start, the_page
from chat_app.settings import lines, load_settings, read_settings

app = typer.Typer(
    help="Parley: a web chat for any agent that speaks AG-UI.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
db = typer.Typer(help="The database: upgrade, verify, backup, copy.", no_args_is_help=True)
app.add_typer(db, name="db")
user = typer.Typer(
    help="People: let them in, keep them out, export or erase what is theirs.", no_args_is_help=True
)
app.add_typer(user, name="user")

audit = typer.Typer(help="The audit: verify, export.", no_args_is_help=True)
app.add_typer(audit, name="audit")

Port = Annotated[int | None, typer.Option(help="Port to listen on.", show_default="3000")]
Host = Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")]
Workers = Annotated[
    int | None,
    typer.Option(help="Processes that serve; several need PostgreSQL and Redis.", show_default="1"),
]
PublicUrl = Annotated[str | None, typer.Option(help="Address people open when a proxy stands in front.")]
NewFile = Annotated[Path, typer.Argument(help="File to write; it must not exist.")]
Name = Annotated[str, typer.Argument(help="The name they sign in with.")]


class AuditForm(StrEnum):
    """What the audit can be written as."""

    CSV = "csv"
    JSONL = "jsonl"


class ExportKind(StrEnum):
    """What a chat can be written as."""

    MARKDOWN = "markdown"
    JSON = "json"
    EVENTS = "events"


Roles = Annotated[
    list[people.Role] | None,
    typer.Option("--role", help="user, approver, auditor or admin; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@app.callback()
def parley() -> None:
    """Keep the commands a group, even if there were only one."""


@app.command()
def run(port: Port = None, host: Host = None, public_url: PublicUrl = None, workers: Workers = None) -> None:
    """Start Parley: check, update the database, build the page when it changed, serve."""
    given = {"port": port, "host": host, "public_url": public_url, "workers": workers}
    flags = {name: value for name, value in given.items() if value is not None}
    settings = read_settings(os.environ, flags=flags).settings
    start(settings, the_page(settings), serve=serve, say=say)


@app.command("doctor")
def doctor_command(
    *,
    agent: Annotated[str, typer.Option(help="Look at the agent at this address, by running it.")] = "",
    ask: Annotated[str, typer.Option(help="A line that makes that agent ask a person.")] = "",
    header: Annotated[
        list[str] | None, typer.Option(help='"Name: value" for that agent; may be repeated.')
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look at versions, settings, database, page and agent; exit with 1 when something is wrong."""
    settings = load_settings()
    findings = doctor.examine(settings, the_page(settings))
    if agent:
        patient = doctor_agent.Patient(url=agent, headers=header or (), asking=ask)
        findings += doctor_agent.examine_agent(settings, patient)
    say(doctor.as_json(findings) if as_json else doctor.as_text(findings))
    if not all(finding.well for finding in findings):
        raise typer.Exit(1)


@app.command()
def config(*, as_json: AsJson = False) -> None:
    """Print every setting, its value and where it came from; secrets are masked."""
    found = lines(read_settings(os.environ))
    say(overview.as_json(found) if as_json else overview.as_text(found))


@app.command("export")
def export_command(
    chat: Annotated[str, typer.Argument(help="Id of the chat: the end of its address.")],
    file: Annotated[
        Path | None, typer.Argument(help="File to write; it must not exist. None: print.")
    ] = None,
    kind: Annotated[ExportKind, typer.Option("--as", help="What to write.")] = ExportKind.MARKDOWN,
) -> None:
    """Write a chat as Markdown, JSON or AG-UI events."""
    text = exporting.export(load_settings(), chat, kind.value)
    if file is None:
        say(text.rstrip("\n"))
    else:
        exporting.store(text, file)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="File of AG-UI events that was exported.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Fold exported events again and print the chat they give."""
    say(exporting.replay(file, as_json=as_json))


@db.callback()
def database_group() -> None:
    """Keep `db` a group."""


@db.command()
def upgrade() -> None:
    """Bring the tables up to this version of Parley."""
    settings = load_settings()
    check_writable(settings.data_dir, MOVE_DATA)
    if not database.bring_up_to_date(settings, say):
        say("The database is up to date.")


@db.command()
def verify() -> None:
    """Compare every chat with its log, and the audit with its hashes."""
    upkeep.verify(load_settings(), say)


@db.command()
def backup(file: NewFile) -> None:
    """Write everything into a new SQLite file; Parley may run meanwhile."""
    upkeep.backup(load_settings(), file, say)


@db.command()
def copy(
    url: Annotated[str, typer.Argument(help="Address of an empty or new database, of either kind.")],
) -> None:
    """Copy everything into another database and compare counts and checksums."""
    upkeep.copy_to(load_settings(), url, say)


@user.command("list")
def list_people() -> None:
    """List everybody with their roles."""
    for line in people.listed(load_settings()):
        say(line)


@user.command()
def invite(
    name: Annotated[str, typer.Argument(help="The name it is for; empty: whoever comes chooses one.")] = "",
    role: Roles = None,
) -> None:
    """Print a link that makes one account."""
    say(people.invite(load_settings(), name, role or [people.Role.user]))


@user.command()
def add(name: Name, role: Roles = None) -> None:
    """Make an account; its password is asked for."""
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    people.add(load_settings(), name, role or [people.Role.user], password)
    say(f"Added {name}.")


@user.command()
def reset(name: Name) -> None:
    """Print a link by which a person sets a new password."""
    say(people.reset(load_settings(), name))


@user.command()
def roles(name: Name, role: Roles = None) -> None:
    """Give a person exactly these roles."""
    people.set_roles(load_settings(), name, role or [])
    say(f"Changed the roles of {name}.")


@user.command()
def disable(name: Name) -> None:
    """Keep a person out, and end their sign-ins."""
    people.set_active(load_settings(), name, active=False)
    say(f"{name} is kept out.")


@user.command()
def enable(name: Name) -> None:
    """Let a person in again."""
    people.set_active(load_settings(), name, active=True)
    say(f"{name} may come in again.")


@user.command()
def export(name: Name, file: NewFile) -> None:
    """Write everything of a person into a new file, one JSON object a line."""
    lines = upkeep.export(load_settings(), name, file)
    say(f"Wrote {lines} lines to {file}.")


@user.command()
def erase(name: Name, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Erase a person with all their chats, for ever."""
    if not yes:
        typer.confirm(f"Erase {name} with all their chats, for ever?", abort=True)
    chats = upkeep.erase(load_settings(), name)
    say(f"Erased {name} with {chats} chats.")


@audit.command("verify")
def verify_audit() -> None:
    """Compare every entry of the audit with its hash; the exit code is 1 when one was changed or is missing."""
    auditing.verify(load_settings(), say)


@audit.command("export")
def export_audit(
    file: NewFile,
    form: Annotated[AuditForm, typer.Option("--form", help="csv or jsonl.")] = AuditForm.JSONL,
    action: Annotated[str, typer.Option(help="Only actions that begin like this: question.")] = "",
) -> None:
    """Write the audit into a new file."""
    auditing.export(load_settings(), file, form.value, say, action=action)


def say(line: str) -> None:
    """Print a line at once, whatever reads it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
