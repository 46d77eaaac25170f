"""Commands that take sessions in: the worker, and the import of what is on the machine already."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import here, json_option
from perdure.cli.orders import asked_json, order_commands, say_asked
from perdure.cli.output import as_json, note, say
from perdure.domain.errors import NotFound, UsageError
from perdure.services import asking, importing

if TYPE_CHECKING:
    from perdure.app import App
    from perdure.services.work import Done

HIGHEST_DESCRIPTOR = 1 << 12


@click.group("work", invoke_without_command=True)
@click.option("--extract", is_flag=True, help="Also have a model look for lasting facts in all sessions.")
@click.option("--detached", is_flag=True, hidden=True, help="As started by a hook: silent, and last in line.")
@click.option("--lease", "handed", type=int, default=-1, hidden=True, help="The lease that the hook took for us.")
@json_option
@click.pass_context
def work_command(ctx: click.Context, *, extract: bool, detached: bool, handed: int, json_output: bool) -> None:
    """Do all that waits: take sessions in, read git histories, prepare briefings.

    What a model is to be asked waits as work orders. A configured model answers them, or whoever takes them.
    """
    if ctx.invoked_subcommand is not None:
        return
    if detached:
        # What a host left open must not stay open through us.
        os.closerange(3, max(3, handed))
        os.closerange(max(3, handed + 1), HIGHEST_DESCRIPTOR)
        os.nice(10)
        os.chdir("/")
    app = open_app()
    done = app.run_worker(handed=handed)
    if detached:
        return
    if extract:
        asked = asking.round_of(app.desk, "extract", quiet=0)
        if done is not None:
            done.asked.add(asked)
    if done is None:
        note("Another worker is at it. It will take in what waits.")
    elif json_output:
        report = done.captured
        counts = {"events": report.events, "sessions": report.sessions, "turns": report.turns}
        told = {**counts, "memories": report.memories, "commits": done.commits, "troubles": done.troubles}
        as_json({**told, "orders": asked_json(done.asked)})
    else:
        report = done.captured
        say(
            f"Took in {report.events} events, {report.turns} turns of {report.sessions} sessions"
            f" and {done.commits} commits."
        )
        say(f"New memories: {report.memories + done.commits}.")
        if extract or done.asked.asked:
            say_asked(app, done.asked)
        for trouble in done.troubles:
            note(trouble)


for each in order_commands:
    work_command.add_command(each)


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
    app.require()
    root = os.path.abspath(directory) if directory else _default_root(app)
    if not os.path.isdir(root):
        raise NotFound(f"There is no directory {root}. Give the folder that holds 'projects'.")
    refs = there = list(app.hosts[host].transcripts(root))
    if not everything:
        place = app.place(here())
        if place is None:
            raise UsageError("This directory belongs to no project. Change to a project, or import all with --all.")
        refs = importing.of_project(app.capture, there, place)
    found = importing.register(app.capture, refs, os.path.getsize)
    done = _with_progress(app, found.bytes) if sys.stderr.isatty() and not json_output else app.run_worker()
    if done is None:
        note("Another worker is at it. It will take in what was found.")
        return
    report = done.captured
    if json_output:
        counts = {"found": len(refs), "sessions": found.sessions, "subagents": found.subagents}
        as_json({**counts, "turns": report.turns, "memories": report.memories, "commits": done.commits})
        return
    unread = f", {found.subagents} of subagents were left unread" if found.subagents else ""
    say(f"Found {found.sessions} sessions in {root}{unread}.")
    if not refs and there:
        say(f"None of the {len(there)} there is of this project. Take in all with --all.")
    say(f"Took in {report.turns} turns and {done.commits} commits.")
    say(f"New memories: {report.memories + done.commits}.")
    for trouble in done.troubles:
        note(trouble)


def _default_root(app: App) -> str:
    return app.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")


def _with_progress(app: App, size: int) -> Done | None:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("Taking in"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=size)
        return app.run_worker(lambda count: progress.advance(task, count))
