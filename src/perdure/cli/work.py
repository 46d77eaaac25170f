"""Commands that take sessions in: the worker, and the import of what is on the machine already."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import here, json_option
from perdure.cli.output import as_json, note, say
from perdure.domain.access import Reader
from perdure.domain.errors import NotFound, UsageError
from perdure.services import capture as capturing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perdure.app import App
    from perdure.domain.session import Session, SessionRef
    from perdure.services.capture import Report

HIGHEST_DESCRIPTOR = 1 << 12


@click.command("work")
@click.option("--detached", is_flag=True, hidden=True, help="As started by a hook: silent, and last in line.")
@json_option
def work_command(*, detached: bool, json_output: bool) -> None:
    """Do all that waits: take sessions in, read git histories, prepare briefings."""
    if detached:
        os.closerange(3, HIGHEST_DESCRIPTOR)  # what a host left open must not stay open through us
        os.nice(10)
        os.chdir("/")
    app = open_app()
    done = app.run_worker()
    if detached:
        return
    if done is None:
        note("Another worker is at it. It will take in what waits.")
    elif json_output:
        report = done.captured
        counts = {"events": report.events, "sessions": report.sessions, "turns": report.turns}
        as_json({**counts, "memories": report.memories, "commits": done.commits, "troubles": done.troubles})
    else:
        report = done.captured
        say(
            f"Took in {report.events} events, {report.turns} turns of {report.sessions} sessions"
            f" and {done.commits} commits."
        )
        say(f"New memories: {report.memories + done.commits}.")
        for trouble in done.troubles:
            note(trouble)


@click.command("import")
@click.argument("host", type=click.Choice(["claude-code"]))
@click.argument("directory", required=False, metavar="[DIRECTORY]")
@click.option("--all", "everything", is_flag=True, help="The sessions of all projects, not only of this one.")
@json_option
def import_command(host: str, directory: str | None, *, everything: bool, json_output: bool) -> None:
    """Take in the sessions that HOST keeps on this machine, with their own times.

    Doing it again takes in only what is new. DIRECTORY is the host's own folder unless told.
    """
    app = open_app()
    root = os.path.abspath(directory) if directory else _default_root(app)
    if not os.path.isdir(root):
        raise NotFound(f"There is no directory {root}. Give the folder that holds 'projects'.")
    refs = list(app.hosts[host].transcripts(root))
    if not everything:
        refs = _of_this_project(app, refs)
    sessions = _register(app, refs)
    report = _with_progress(app, sessions) if sys.stderr.isatty() and not json_output else _read(app, sessions, _silent)
    done = app.run_worker()
    commits = done.commits if done else 0
    if json_output:
        counts = {
            "found": len(refs),
            "sessions": report.sessions,
            "turns": report.turns,
            "memories": report.memories,
        }
        as_json({**counts, "commits": commits})
        return
    say(f"Took in {report.turns} turns of {report.sessions} sessions; {len(refs)} were found in {root}.")
    say(f"New memories: {report.memories + commits}.")


def _default_root(app: App) -> str:
    return app.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")


def _of_this_project(app: App, refs: Sequence[SessionRef]) -> list[SessionRef]:
    place = app.place(here())
    if place is None:
        raise UsageError("This directory belongs to no project. Change to a project, or import all with --all.")
    mine = {str(key) for key in place.keys}
    known: dict[str, bool] = {}
    for ref in refs:
        if ref.cwd not in known:
            other = app.checkouts.locate(ref.cwd)
            known[ref.cwd] = other is not None and str(other.keys[0]) in mine
    return [ref for ref in refs if known[ref.cwd]]


def _register(app: App, refs: Sequence[SessionRef]) -> list[Session]:
    """Record the sessions that may be read, with how long their transcripts are now."""
    capture = app.capture
    places = {ref.cwd: app.checkouts.locate(ref.cwd) for ref in refs}
    sessions = []
    with app.store.unit(Reader(app.author), write=True) as unit:
        for ref in refs:
            place = places[ref.cwd]
            if capturing.is_ignored(ref.cwd, capture.ignored) or (place is not None and not place.captures):
                continue
            session = capturing.register(capture, unit, ref, place)
            if not ref.parent:
                unit.sessions.grow(session.id, os.path.getsize(ref.transcript), None)
                sessions.append(session)
    return sessions


def _silent(_bytes: int) -> None:
    """Nobody watches."""


def _read(app: App, sessions: Sequence[Session], step: Callable[[int], None]) -> Report:
    report = capturing.Report()
    for session in sessions:
        report.add(capturing.read_session(app.capture, session, step))
    return report


def _with_progress(app: App, sessions: Sequence[Session]) -> Report:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    size = sum(max(0, os.path.getsize(session.ref.transcript) - session.offset) for session in sessions)
    columns = (TextColumn("Taking in"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=size)
        return _read(app, sessions, lambda count: progress.advance(task, count))
