"""Commands that set Perdure up and say how it is."""

from __future__ import annotations

import os
import sys
import unicodedata
from typing import TYPE_CHECKING

import click

from perdure import config
from perdure.app import CONFIG, open_app
from perdure.cli.checks import checks
from perdure.cli.options import here, json_option
from perdure.cli.output import as_json, clean, minute, note, say
from perdure.domain.errors import Corrupt, UsageError
from perdure.domain.instants import iso
from perdure.services.admin import status

if TYPE_CHECKING:
    from typing import Any

    from perdure.app import App
    from perdure.domain.session import Session
    from perdure.services.admin import Status


@click.command("init")
@click.option("--author", metavar="NAME", help="Who writes here; from git's user.name unless told.")
@json_option
def init_command(author: str | None, *, json_output: bool) -> None:
    """Make your memory: a home for it, an empty ledger and a settings file."""
    app = open_app(flags={"author": author})
    if not app.settings.author:
        app = open_app(flags={"author": _author(app)})
    made = app.create()
    if json_output:
        as_json({"home": app.home, "author": app.author, "made": made})
        return
    if not made:
        kept = open_app().settings.author
        say(f"Your memory is at {app.home} already; the author is {kept}. Nothing was changed.")
        if author and author != kept:
            say(f"To write as {author}, change the author in {app.path(CONFIG)}")
        return
    say(f"Your memory is at {app.home}; the author is {app.author}.")
    for path in made:
        say(f"  made {path}", dim=True)
    say(f"Your settings, at their defaults but for the author: {app.path(CONFIG)}")
    say("Next: perdure hosts install claude-code")
    say(f"To undo this: perdure hosts uninstall claude-code, then rm -r {app.home}", dim=True)


def _author(app: App) -> str:
    name = _slug(app.checkouts.person(here()) or app.environ.get("USER") or app.environ.get("LOGNAME") or "")
    if sys.stdin.isatty():
        return str(click.prompt("Your name in every memory", default=name or None))
    if not name:
        raise UsageError("Neither git nor the system says who you are. Run: perdure init --author NAME")
    return name


def _slug(name: str) -> str:
    """A legal author from a person's name: ``Ána Silva`` is ``ana-silva``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "-".join("".join(c if c.isalnum() or c in "._" else " " for c in plain).split())[:64]


@click.command("doctor")
@json_option
def doctor_command(*, json_output: bool) -> None:
    """Look for what is wrong, and say what to do about it."""
    found = list(checks(open_app()))
    bad = [check for check in found if not check.ok]
    if json_output:
        as_json([{"check": check.name, "ok": check.ok, "says": check.says} for check in found])
    else:
        for check in found:
            mark = click.style("ok  ", fg="green") if check.ok else click.style("look", fg="yellow")
            say(f"{mark}  {check.name:<10} {check.says}")
    if bad:
        sys.exit(Corrupt.exit_code if any(check.damaged for check in bad) else 1)


@click.command("status")
@json_option
def status_command(*, json_output: bool) -> None:
    """Say what is remembered, what waits and what could not be read."""
    app = open_app()
    reader = app.reader(here())
    with app.store.unit(reader.asking_everywhere()) as unit:
        found = status(unit)
    spooled, damaged, log = app.spool.names(), app.spool.damaged(), app.hook_log()
    if json_output:
        as_json(_status_json(app, found, reader.project, spooled, damaged, log))
        return
    say(f"home       {app.home}")
    say(f"author     {app.author}")
    say(f"project    {reader.project or '(none here)'}")
    say(f"memories   {found.memories:,}")
    say(f"projects   {', '.join(row.slug for row in found.projects) or '(none yet)'}")
    say(f"sessions   {found.counts['sessions']:,} with {found.counts['turns']:,} turns")
    say(f"waiting    {len(spooled):,} events, {len(found.unread):,} sessions")
    if found.proposals:
        say(f"review     {found.proposals:,} to decide: perdure review")
    for session in found.sessions:
        say(f"  {_session_line(session)}", dim=True)
    for defect in found.defects:
        at = f" at byte {defect.offset:,}" if defect.offset >= 0 else ""
        say(f"unread     {defect.path}{at}: {defect.reason}")
    for path in damaged:
        say(f"set aside  {path}: this event could not be read")
    for line in log[-5:]:
        say(f"hook log   {clean(app, line)}")


def _session_line(session: Session) -> str:
    started = "" if session.started is None else minute(session.started)
    return f"{started:<16}  {session.ref.host}  {session.project or '-'}  {session.ref.ref}"


def _status_json(
    app: App, found: Status, project: str, spooled: list[str], damaged: list[str], log: list[str]
) -> dict[str, Any]:
    return {
        "home": app.home,
        "author": app.author,
        "project": project,
        "memories": found.memories,
        **found.counts,
        "projects": [row.slug for row in found.projects],
        "waiting": {"events": len(spooled), "sessions": len(found.unread), **found.jobs},
        "proposals": found.proposals,
        "latest_sessions": [
            {
                "host": session.ref.host,
                "session": session.ref.ref,
                "project": session.project,
                "started": None if session.started is None else iso(session.started),
                "bytes": session.offset,
            }
            for session in found.sessions
        ],
        "unread": [{"path": defect.path, "offset": defect.offset, "reason": defect.reason} for defect in found.defects],
        "set_aside": damaged,
        "hook_log": [clean(app, line) for line in log],
    }


@click.group("config")
def config_command() -> None:
    """Show the settings in force."""


@config_command.command("show")
@click.option("--origin", is_flag=True, help="Also where each value comes from.")
@json_option
def config_show(*, origin: bool, json_output: bool) -> None:
    """Show every setting with its value."""
    configuration = config.load(config.environment())
    if json_output:
        as_json({each.key: {"value": each.value, "origin": each.origin} for each in configuration.sources})
        return
    for each in configuration.sources:
        where = f"  ({each.origin})" if origin else ""
        say(f"{each.key} = {config.as_toml(each.value)}{where}")


@config_command.command("path")
def config_path() -> None:
    """Print where the settings file is."""
    path = os.path.join(config.home_directory(config.environment()), CONFIG)
    say(path)
    if not os.path.exists(path):
        note("It does not exist yet. Run: perdure init")
