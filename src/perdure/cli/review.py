"""The review queue on the command line: as commands, and one proposal after the other in a terminal."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli import diff
from perdure.cli.options import here, json_option, plain
from perdure.cli.output import as_json, clean, day, note, say, short, standing
from perdure.domain import tokens
from perdure.domain.change import Conflicted, Denied, Parked, Unchanged, Written
from perdure.domain.errors import Conflict, PerdureError, Refused
from perdure.domain.instants import iso
from perdure.domain.memory import handle
from perdure.domain.proposal import Action, Standing
from perdure.domain.record import replace
from perdure.safety.defang import defang
from perdure.services import review

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from perdure.app import App
    from perdure.domain.access import Reader
    from perdure.domain.change import Outcome
    from perdure.domain.memory import Entry
    from perdure.services.review import View

LISTED = 50
MOST_LISTED = 10_000
LINE = 30
MOST_LINES = 30
LONGEST_WAIT = 36_500
SAYS = {
    Action.SUPERSEDE: "gives way to",
    Action.REPEAT: "would be said as",
    Action.MERGE: "would become",
}
WAS = {Standing.APPROVED: "approved", Standing.REJECTED: "rejected", Standing.STALE: "set aside as stale"}
APPROVED, REJECTED, SKIPPED, KEPT = "approved", "rejected", "skipped", "not applied"
APPROVE, REJECT, SKIP, QUIT = "arsq"

limit_option = click.option(
    "--limit", default=LISTED, show_default=True, type=click.IntRange(min=1, max=MOST_LISTED), help="Proposals at most."
)
proposals_argument = click.argument("proposals", nargs=-1, required=True, metavar="PROPOSAL...")


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
    if not json_output and sys.stdout.isatty() and sys.stdin is not None and sys.stdin.isatty():
        _walk(app)
    else:
        _list(app, LISTED, json_output=json_output)


def _asking(app: App) -> Reader:
    """Whoever asks; the queue is the same wherever one stands."""
    return replace(app.reader(here()), everywhere=True)


@review_command.command("list")
@limit_option
@json_option
def review_list(limit: int, *, json_output: bool) -> None:
    """List what waits, surest first."""
    _list(open_app(), limit, json_output=json_output)


def _list(app: App, limit: int, *, json_output: bool) -> None:
    queue = review.waiting(app.door, _asking(app), limit)
    if json_output:
        as_json({"waiting": queue.waiting, "proposals": [_told(app, view) for view in queue.views]})
        return
    if not queue.views:
        say("Nothing waits for you.")
        return
    for view in queue.views:
        old = ", ".join(_line(app, _words(entry)) for entry in view.old[:1]) or "(not yours to see)"
        more = f" and {len(view.old) - 1} more" if len(view.old) > 1 else ""
        say(f"{handle(view.proposal.id)}  {view.proposal.confidence:.2f}  {old}{more}")
        say(f"{'':16}{SAYS[view.proposal.action]}: {_line(app, _joined(*view.new))}", dim=True)
    left = queue.waiting - len(queue.views)
    say(
        f"And {left:,} more: perdure review list --limit {min(queue.waiting, MOST_LISTED)}"
        if left > 0
        else "Decide: perdure review"
    )


def _joined(title: str, body: str) -> str:
    """Title and words as they are shown: a title that only begins the words is not said twice."""
    return body if not title or body.startswith(title) else f"{title}: {body}"


def _words(entry: Entry) -> str:
    return _joined(entry.revision.statement.title, entry.revision.statement.body)


def _line(app: App, text: str) -> str:
    return tokens.cut(" ".join(clean(app, text).split()), LINE)


def _told(app: App, view: View) -> dict[str, Any]:
    proposal = view.proposal
    return {
        "id": proposal.id,
        "handle": handle(proposal.id),
        "action": proposal.action.value,
        "standing": proposal.standing.value,
        "confidence": proposal.confidence,
        "reason": clean(app, proposal.reason),
        "created": iso(proposal.created),
        "members": [_member(app, entry) for entry in view.members],
        "new": clean(app, _joined(*view.new)),
        "stale": view.stale,
        "hindrance": view.hindrance,
        "note": clean(app, proposal.note),
        "resolved": None if proposal.resolved is None else iso(proposal.resolved),
        "change": proposal.change,
        "undone": view.undone,
    }


def _member(app: App, entry: Entry) -> dict[str, Any]:
    memory, known = entry.memory, entry.revision.statement
    return {
        "id": memory.id,
        "handle": handle(memory.id),
        "author": memory.author,
        "project": memory.project,
        "state": known.state.value,
        "valid_from": iso(known.valid_from),
        "text": clean(app, _words(entry)),
    }


@review_command.command("show")
@click.argument("proposal", metavar="PROPOSAL")
@json_option
def review_show(proposal: str, *, json_output: bool) -> None:
    """Show what approving PROPOSAL would change."""
    app = open_app()
    with app.store.unit(_asking(app)) as unit:
        view = review.view(unit, review.find(unit, plain(proposal)))
    if json_output:
        as_json(_told(app, view))
        return
    _show(app, view)
    say(_standing(app, view), dim=True)


def _standing(app: App, view: View) -> str:
    proposal = view.proposal
    if proposal.standing is Standing.PENDING:
        name = handle(proposal.id)
        if view.stale or view.hindrance:
            return f"It can only be rejected: perdure review reject {name}"
        return f"Decide: perdure review approve {name}, or perdure review reject {name}"
    at = "" if proposal.resolved is None else f" on {day(proposal.resolved)}"
    told = f"It was {WAS[proposal.standing]}{at}"
    if view.undone is not None:
        return f"{told}, and taken back by change {view.undone}."
    if proposal.change is not None:
        return f"{told}. Take it back: perdure undo {proposal.change}"
    return f"{told}: {clean(app, proposal.note)}" if proposal.note else f"{told}."


def _show(app: App, view: View, most: int = 0) -> None:
    """What gives way and what would stand, each with whose it is and since when it holds."""
    proposal = view.proposal
    width = shutil.get_terminal_size().columns
    say(f"{handle(proposal.id)}  {proposal.action}, {proposal.confidence:.2f} sure, found {day(proposal.created)}")
    if proposal.reason:
        say(f"  {clean(app, proposal.reason)}", dim=True)
    olds, new = diff.difference([clean(app, _words(entry)) for entry in view.old], clean(app, _joined(*view.new)))
    for entry, words in zip(view.old, olds, strict=True):
        _header(entry)
        for line in diff.lines("-", words, width - 2, most):
            say(f"  {line}")
    if view.heir is not None:
        _header(view.heir)
    elif view.draft is not None:
        since = "" if view.draft.valid_from is None else f"  {day(view.draft.valid_from)}"
        say(f"  (not recorded yet){since}  {proposal.author}", dim=True)
    for line in diff.lines("+", new, width - 2, most):
        say(f"  {line}")
    for hindrance in filter(None, (view.stale, view.hindrance)):
        say(f"  {hindrance}")


def _header(entry: Entry) -> None:
    where = f" in {entry.memory.project}" if entry.memory.project else ""
    known = entry.revision.statement
    say(
        f"  {handle(entry.memory.id)}  {day(known.valid_from)}  {entry.memory.author}{where}{standing(known.state)}",
        dim=True,
    )


@review_command.command("approve")
@proposals_argument
@json_option
def review_approve(proposals: tuple[str, ...], *, json_output: bool) -> None:
    """Do what each PROPOSAL says."""
    app = open_app()
    reader = _asking(app)
    _each(proposals, lambda name: _outcome(review.approve(app.door, reader, name)), json_output=json_output)


@review_command.command("reject")
@proposals_argument
@click.option("--note", "told", default="", metavar="TEXT", help="Why, for whoever looks later.")
@json_option
def review_reject(proposals: tuple[str, ...], told: str, *, json_output: bool) -> None:
    """Leave everything as it is, and do not ask again."""
    app = open_app()
    reader = _asking(app)

    def reject(name: str) -> dict[str, Any]:
        review.reject(app.door, reader, name, plain(told))
        return {"outcome": Standing.REJECTED.value, "says": "rejected."}

    _each(proposals, reject, json_output=json_output)


def _each(names: Sequence[str], decide: Callable[[str], dict[str, Any]], *, json_output: bool) -> None:
    """Decide each, whatever comes of the others; leave with the exit code of the first that failed."""
    told: list[dict[str, Any]] = []
    for name in dict.fromkeys(map(plain, names)):
        try:
            came = decide(name)
        except PerdureError as error:
            came = {"outcome": "error", "error": type(error).__name__, "says": str(error), "code": error.exit_code}
        came["says"] = defang(came["says"])
        told.append({"proposal": defang(name), **came})
        if not json_output:
            (note if came.get("code") else say)(f"{defang(name)}: {came['says']}")
    if json_output:
        as_json(told)
    codes = [came["code"] for came in told if came.get("code")]
    if codes:
        sys.exit(codes[0])


def _outcome(outcome: Outcome) -> dict[str, Any]:
    """What came of an approval; what was not made has the exit code of its class."""
    told: dict[str, Any] = {"outcome": type(outcome).__name__.lower(), "says": _said(outcome)}
    if isinstance(outcome, Written):
        told |= {"memory": outcome.memory, "closed": list(outcome.closed), "change": outcome.change}
    elif isinstance(outcome, Conflicted | Denied):
        told["code"] = (Conflict if isinstance(outcome, Conflicted) else Refused).exit_code
    return told


def _said(outcome: Outcome) -> str:
    if isinstance(outcome, Unchanged | Conflicted | Denied | Parked):
        return outcome.reason
    gone = ", ".join(map(handle, outcome.closed))
    return f"done. {gone} gave way to {handle(outcome.memory)}." if gone else "done."


@review_command.command("stale")
@click.option(
    "--days",
    default=review.STALE_DAYS,
    show_default=True,
    type=click.IntRange(min=1, max=LONGEST_WAIT),
    help="Since how long.",
)
@json_option
def review_stale(days: int, *, json_output: bool) -> None:
    """List statements that are old and that nobody asked for in a long time, for you to look at."""
    app = open_app()
    with app.store.unit(_asking(app)) as unit:
        found = [(entry, unit.access.last(entry.memory.id)) for entry in review.fading(unit, app.clock.now(), days)]
    if json_output:
        as_json([_faded(app, entry, last) for entry, last in found])
        return
    if not found:
        say(f"Nothing of yours was left untouched for {days} days.")
        return
    for entry, last in found:
        asked = f"asked for {day(last)}" if last else "never asked for"
        say(f"{handle(entry.memory.id)}  {day(entry.revision.recorded_at)}  {short(app, entry)}")
        say(f"{'':10}{entry.revision.statement.type}, {asked}", dim=True)
    if len(found) == review.MOST_STALE:
        say(f"These are the {len(found)} that were left the longest.")
    say("Close one that holds no more: perdure mark MEMORY expired", dim=True)


def _faded(app: App, entry: Entry, last: int) -> dict[str, Any]:
    member = _member(app, entry)
    member["type"] = entry.revision.statement.type.value
    return member | {"recorded_at": iso(entry.revision.recorded_at), "last_read": iso(last) if last else None}


def _walk(app: App) -> None:
    """One proposal after the other: a approves, r rejects, s skips, q stops."""
    reader = _asking(app)
    queue = review.waiting(app.door, reader, LISTED)
    if not queue.views:
        say("Nothing waits for you.")
        return
    counts: Counter[str] = Counter()
    try:
        for place, view in enumerate(queue.views, 1):
            if not _step(app, reader, view.proposal.id, f"{place} of {queue.waiting:,}", counts):
                break
    finally:
        _sum_up(app, reader, counts)


def _step(app: App, reader: Reader, name: str, place: str, counts: Counter[str]) -> bool:
    """Show one proposal and do as the key says; False where the key says to stop."""
    with app.store.unit(reader) as unit:
        view = review.view(unit, review.find(unit, name))
    if view.proposal.standing is not Standing.PENDING:
        return True  # decided elsewhere meanwhile
    say()
    _show(app, view, MOST_LINES)
    key = _key(f"  {place}: (a)pprove (r)eject (s)kip (q)uit ")
    if key == QUIT:
        return False
    if key == SKIP:
        counts[SKIPPED] += 1
        return True
    try:
        if key == APPROVE:
            outcome = review.approve(app.door, reader, name)
            counts[APPROVED if isinstance(outcome, Written) else KEPT] += 1
            say(f"  {defang(_said(outcome))}", dim=True)
        else:
            review.reject(app.door, reader, name)
            counts[REJECTED] += 1
    except PerdureError as error:
        counts[KEPT] += 1
        say(f"  {defang(str(error))}")
    return True


def _key(prompt: str) -> str:
    """One of the four keys; any other is asked again. The end of the input is as good as q."""
    click.echo(prompt, nl=False)
    while True:
        try:
            key = click.getchar().lower()
        except EOFError:
            key = ""
        if not key:
            key = QUIT
        if len(key) == 1 and key in (APPROVE, REJECT, SKIP, QUIT):
            click.echo(key)
            return key
        click.echo("\n  a, r, s or q? ", nl=False)


def _sum_up(app: App, reader: Reader, counts: Counter[str]) -> None:
    with app.store.unit(reader) as unit:
        left = unit.proposals.count()
    done = ", ".join(f"{counts[what]} {what}" for what in (APPROVED, REJECTED, SKIPPED, KEPT) if counts[what])
    say()
    say(f"{done or 'Nothing was decided'}. {f'{left:,} still wait' if left else 'Nothing waits any more'}.")
    if counts[APPROVED]:
        say("Take the last approval back: perdure undo", dim=True)
