"""Commands that keep what is known small and readable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import here, json_option
from perdure.cli.orders import say_asked
from perdure.cli.output import as_json, say, short
from perdure.domain.errors import UsageError
from perdure.domain.memory import LATEST, handle
from perdure.domain.orders import DEFAULT, SMALL
from perdure.domain.record import replace
from perdure.services import asking, consolidate, reflect

if TYPE_CHECKING:
    from perdure.app import App
    from perdure.domain.access import Reader

RULES, MODEL = "rules", "model"

project_option = click.option("--project", metavar="NAME", help="Only this project; all of yours unless told.")
dry_option = click.option("--dry-run", is_flag=True, help="Write nothing, ask nobody, and say what would be done.")
by_option = click.option(
    "--by",
    type=click.Choice([RULES, MODEL]),
    help="Who decides: rules alone, or a model by work orders. A model where one is configured, unless told.",
)


def _asks(app: App, by: str | None, role: str) -> bool:
    return by == MODEL or (by is None and app.desk.model(role) is not None)


def _reader(app: App, project: str | None) -> Reader:
    reader = app.reader(here(), project=project)
    if project is None:
        return replace(reader, everywhere=True)
    return reader


def _answered(app: App, role: str) -> None:
    """Have the orders answered where a model is configured; else they wait for whoever takes them."""
    if app.desk.model(role) is not None:
        say_asked(app, asking.work_off(app.desk, "upkeep"))
    else:
        say("The work orders wait: perdure work next")


@click.command("consolidate")
@project_option
@by_option
@dry_option
@json_option
def consolidate_command(project: str | None, by: str | None, *, dry_run: bool, json_output: bool) -> None:
    """Find statements that say the same, and let the latest stand for all of them.

    What is not certain waits in perdure review. Nothing is deleted: perdure undo takes each step back.
    """
    app = open_app()
    reader = _reader(app, project)
    told = app.settings.consolidate
    limits = consolidate.Limits(told.distance, told.group, told.groups, told.threshold)
    ask = _asks(app, by, SMALL)
    done = consolidate.consolidate(app.door, reader, limits, ask=ask, dry_run=dry_run)
    if json_output:
        counts = {"looked_at": done.looked_at, "pairs": done.pairs, "oversized": done.oversized, "left": done.left}
        groups = [list(group) for group in done.groups]
        as_json({**counts, "groups": groups, "applied": done.applied, "proposed": done.proposed, "orders": done.asked})
        return
    say(f"Looked at {done.looked_at:,} statements; {done.pairs:,} pairs of them are alike.")
    for group in done.groups:
        say()
        with app.store.unit(reader) as unit:
            for name in group:
                entry = unit.memories.get(name, LATEST)
                if entry is not None:
                    say(f"  {handle(name)}  {short(app, entry)}")
    if done.groups:
        say()
    say(_summary(done, dry_run=dry_run))
    if done.oversized:
        say(f"{done.oversized:,} groups are too large to be repetition, and were left.")
    if done.left:
        say(f"{done.left:,} groups are left for the next run.")
    if ask and not dry_run and done.asked:
        _answered(app, SMALL)


def _summary(done: consolidate.Report, *, dry_run: bool) -> str:
    found = f"{len(done.groups):,} groups"
    if dry_run:
        return f"{found} would be decided. Nothing was written."
    if done.asked:
        return f"{found}: {done.asked:,} work orders."
    waiting = f" {len(done.proposed):,} wait for you: perdure review" if done.proposed else ""
    return f"{found}: {len(done.applied):,} statements gave way.{waiting}"


@click.command("reflect")
@project_option
@by_option
@dry_option
@json_option
def reflect_command(project: str | None, by: str | None, *, dry_run: bool, json_output: bool) -> None:
    """Write for each project the page that says what is known of it, from what its members share."""
    app = open_app()
    reader = app.reader(here(), project=project)
    chosen = [project] if project is not None else sorted(reader.projects)
    if not chosen:
        raise UsageError("You are not a member of any project yet, so there is nothing to write a page of.")
    bounds = reflect.Bounds(app.settings.reflect.least, app.settings.reflect.most)
    ask = _asks(app, by, DEFAULT)
    done = reflect.reflect(app.door, app.author, chosen, bounds, ask=ask, dry_run=dry_run)
    if json_output:
        told = {"written": done.written, "same": done.same, "small": done.small, "asked": done.asked}
        as_json({**told, "pages": done.pages})
        return
    for name, text in done.pages.items():
        if dry_run:
            say(f"# What is known of {name}\n\n{text}\n")
    for name, page in done.written.items():
        say(f"{name}: written as {handle(page)}. Read it: perdure show {handle(page)}")
    for name in done.same:
        say(f"{name}: nothing has changed.")
    for name in done.small:
        say(f"{name}: too little is shared yet; a page needs {bounds.least} statements.")
    for name in done.asked:
        say(f"{name}: ordered.")
    if dry_run:
        say("Nothing was written.")
    elif done.asked:
        _answered(app, DEFAULT)
