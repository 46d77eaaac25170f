"""The review queue on the command line: as commands, and one proposal after the other in a terminal."""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import here, json_option
from perdure.cli.output import as_json, clean, day, say, short
from perdure.domain.change import Conflicted, Denied, Unchanged, Written
from perdure.domain.errors import Conflict, PerdureError, Refused
from perdure.domain.instants import iso
from perdure.domain.memory import handle
from perdure.domain.proposal import Action, Standing
from perdure.services import review

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from perdure.app import App
    from perdure.domain.access import Reader
    from perdure.domain.change import Outcome
    from perdure.services.review import View

LISTED = 50
SAYS = {
    Action.SUPERSEDE: "gives way to",
    Action.REPEAT: "would be said as",
    Action.MERGE: "would become one",
}


@click.group("review", invoke_without_command=True)
@json_option
@click.pass_context
def review_command(ctx: click.Context, *, json_output: bool) -> None:
    """Decide what was found and not done: corrections that may be meant, and statements said twice.

    In a terminal each is shown in turn. Nothing changes until you say so, and perdure undo takes an approval back.
    """
    if ctx.invoked_subcommand is not None:
        return
    app = open_app()
    if json_output or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _list(app, LISTED, json_output=json_output)
    else:
        _walk(app)


def _asking(app: App) -> Reader:
    return app.reader(here())


@review_command.command("list")
@click.option("--limit", default=LISTED, show_default=True, type=click.IntRange(min=1), help="Proposals at most.")
@json_option
def review_list(limit: int, *, json_output: bool) -> None:
    """List what waits, surest first."""
    _list(open_app(), limit, json_output=json_output)


def _list(app: App, limit: int, *, json_output: bool) -> None:
    with app.store.unit(_asking(app)) as unit:
        found, waiting = review.pending(unit, limit), unit.proposals.count()
    if json_output:
        as_json({"waiting": waiting, "proposals": [_told(app, view) for view in found]})
        return
    if not found:
        say("Nothing waits for you.")
    for view in found:
        old = short(app, view.old[0], 30) if view.old else "(gone)"
        say(f"{handle(view.proposal.id)}  {view.proposal.confidence:.2f}  {old}")
        say(f"{'':16}{SAYS[view.proposal.action]}: {_line(app, view.new)}{' [stale]' if view.stale else ''}", dim=True)
    if waiting > len(found):
        say(f"And {waiting - len(found):,} more: --limit {waiting}")


def _line(app: App, text: str) -> str:
    from perdure.domain import tokens

    return tokens.cut(" ".join(clean(app, text).split()), 30)


def _told(app: App, view: View) -> dict[str, Any]:
    proposal = view.proposal
    return {
        "id": proposal.id,
        "handle": handle(proposal.id),
        "action": proposal.action.value,
        "members": [member.memory for member in proposal.members],
        "confidence": proposal.confidence,
        "reason": clean(app, proposal.reason),
        "old": [clean(app, entry.revision.statement.body) for entry in view.old],
        "new": clean(app, view.new),
        "created": iso(proposal.created),
        "standing": proposal.standing.value,
        "stale": view.stale,
        "note": clean(app, proposal.note),
        "change": proposal.change,
    }


@review_command.command("show")
@click.argument("proposal", metavar="PROPOSAL")
@json_option
def review_show(proposal: str, *, json_output: bool) -> None:
    """Show what approving PROPOSAL would change."""
    app = open_app()
    with app.store.unit(_asking(app)) as unit:
        view = review.view(unit, review.find(unit, proposal))
    if json_output:
        as_json(_told(app, view))
        return
    _show(app, view)
    if view.proposal.standing is not Standing.PENDING:
        note = f": {clean(app, view.proposal.note)}" if view.proposal.note else ""
        say(f"It is {view.proposal.standing}{note}.", dim=True)


def _show(app: App, view: View) -> None:
    proposal = view.proposal
    say(f"{handle(proposal.id)}  {proposal.action}, {proposal.confidence:.2f} sure")
    say(f"  {clean(app, proposal.reason)}", dim=True)
    for entry in view.old:
        where = f" in {entry.memory.project}" if entry.memory.project else ""
        say(
            f"  {handle(entry.memory.id)}  {day(entry.revision.statement.valid_from)}, {entry.memory.author}{where}",
            dim=True,
        )
        for line in _diff(clean(app, entry.revision.statement.body), clean(app, view.new)):
            say(f"  {line}")
    if view.stale:
        say(f"  {view.stale} It can only be rejected.")


def _diff(old: str, new: str) -> Iterator[str]:
    """Two lines, with what differs in them marked on a terminal."""
    before, after = old.split(), new.split()
    parts: dict[str, list[str]] = {"-": [], "+": []}
    for kind, start, end, begin, stop in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, come = " ".join(before[start:end]), " ".join(after[begin:stop])
        parts["-"].append(gone if kind == "equal" else click.style(gone, fg="red"))
        parts["+"].append(come if kind == "equal" else click.style(come, fg="green"))
    for sign, words in parts.items():
        yield f"{sign} {' '.join(filter(None, words))}"


@review_command.command("approve")
@click.argument("proposals", nargs=-1, required=True, metavar="PROPOSAL...")
@json_option
def review_approve(proposals: tuple[str, ...], *, json_output: bool) -> None:
    """Do what each PROPOSAL says."""
    app = open_app()
    told: list[dict[str, Any]] = []
    last: Outcome | None = None
    for name in proposals:
        outcome = review.approve(app.door, _asking(app), name)
        told.append(
            {"proposal": name, "outcome": type(outcome).__name__.lower(), "reason": getattr(outcome, "reason", "")}
        )
        if not json_output:
            say(_said(name, outcome))
        last = outcome if isinstance(outcome, Conflicted | Denied) else last
    if json_output:
        as_json(told)
    if isinstance(last, Conflicted | Denied):
        sys.exit((Conflict if isinstance(last, Conflicted) else Refused).exit_code)


def _said(name: str, outcome: Outcome) -> str:
    if isinstance(outcome, Written):
        gone = ", ".join(map(handle, outcome.closed))
        return f"{name}: done. {gone} gave way." if gone else f"{name}: done."
    return f"{name}: {outcome.reason}" if isinstance(outcome, Unchanged | Conflicted | Denied) else name


@review_command.command("reject")
@click.argument("proposals", nargs=-1, required=True, metavar="PROPOSAL...")
@click.option("--note", default="", help="Why, for whoever looks later.")
@json_option
def review_reject(proposals: tuple[str, ...], note: str, *, json_output: bool) -> None:
    """Leave everything as it is, and do not ask again."""
    app = open_app()
    rejected = [review.reject(app.door, _asking(app), name, note) for name in proposals]
    if json_output:
        as_json([{"proposal": each.id, "outcome": each.standing.value} for each in rejected])
        return
    for each in rejected:
        say(f"{handle(each.id)}: rejected.")


@review_command.command("stale")
@click.option("--days", default=review.STALE_DAYS, show_default=True, type=click.IntRange(min=1), help="How long.")
@json_option
def review_stale(days: int, *, json_output: bool) -> None:
    """List statements that are old and that nobody asked for in a long time, for you to look at."""
    app = open_app()
    with app.store.unit(_asking(app)) as unit:
        found = review.fading(unit, app.clock.now(), days)
    if json_output:
        as_json(
            [{"id": entry.memory.id, "handle": handle(entry.memory.id), "body": short(app, entry)} for entry in found]
        )
        return
    if not found:
        say(f"Nothing is older than {days} days and was not asked for since.")
    for entry in found:
        say(f"{handle(entry.memory.id)}  {day(entry.revision.recorded_at)}  {short(app, entry)}")
    if found:
        say("Close one that no longer holds: perdure mark MEMORY expired", dim=True)


def _walk(app: App) -> None:
    """One proposal after the other: a approves, r rejects, s skips, q stops."""
    reader = _asking(app)
    counts = {"approved": 0, "rejected": 0, "skipped": 0}
    with app.store.unit(reader) as unit:
        names = [proposal.id for proposal in unit.proposals.pending(LISTED)]
        waiting = unit.proposals.count()
    if not names:
        say("Nothing waits for you.")
        return
    for place, name in enumerate(names, 1):
        with app.store.unit(reader) as unit:
            view = review.view(unit, review.find(unit, name))
        if view.proposal.standing is not Standing.PENDING:
            continue  # decided elsewhere meanwhile
        say()
        _show(app, view)
        key = _key(f"  [{place}/{waiting}] (a)pprove (r)eject (s)kip (q)uit ")
        if key == "q":
            break
        _decide(app, reader, name, key, counts)
    say()
    say(", ".join(f"{count} {what}" for what, count in counts.items() if count) or "Nothing was decided.")


def _key(prompt: str) -> str:
    """A key of the four; what is no such key is asked again."""
    click.echo(prompt, nl=False)
    while True:
        key = click.getchar().lower()
        if key in {"a", "r", "s", "q"}:
            click.echo(key)
            return key
        if key in {"", "\x04"}:
            click.echo("q")
            return "q"


def _decide(app: App, reader: Reader, name: str, key: str, counts: dict[str, int]) -> None:
    if key == "s":
        counts["skipped"] += 1
        return
    try:
        if key == "a":
            outcome = review.approve(app.door, reader, name)
            counts["approved"] += isinstance(outcome, Written)
            say(f"  {_said(handle(name), outcome)}", dim=True)
        else:
            review.reject(app.door, reader, name)
            counts["rejected"] += 1
    except PerdureError as error:
        say(f"  {error}")
