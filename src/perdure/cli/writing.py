"""Commands that change what is remembered."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import here, json_option, plain, project_option, target_argument, text_of
from perdure.cli.output import as_json, outcome, say, short, when
from perdure.cli.stdin import ObjectCommand
from perdure.domain.change import Add, Close, Denied, Draft, Feedback, Forget, Parked, Pin, Supersede, Undo, Written
from perdure.domain.errors import Refused, UsageError
from perdure.domain.memory import LATEST, SUPERSEDES, Channel, Kind, Provenance, Scope, State, Type, handle, provenance
from perdure.domain.record import as_dict
from perdure.services.recall import find_one
from perdure.services.write import commit, commit_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perdure.app import App
    from perdure.domain.access import Reader
    from perdure.domain.change import Change, Outcome
    from perdure.ports import Unit

_STATES = {"retracted": State.RETRACTED, "expired": State.EXPIRED}


def _hand() -> Provenance:
    return provenance(Channel.HAND)


def _target(app: App, name: str) -> str:
    """The full id of a memory named on the command line; its own project need not be the current one."""
    reader = app.reader(here()).asking_everywhere()
    with app.store.unit(reader) as unit:
        return find_one(unit, name)


def _make(app: App, change: Change) -> Outcome:
    return commit(app.door, app.reader(here()), change)


def _more(app: App, reader: Reader, result: Outcome) -> Callable[[], list[str]]:
    """What a change did to other statements, or which one is in its way, in sentences."""

    def lines() -> list[str]:
        if not isinstance(result, Written | Parked):
            return []
        with app.store.unit(reader.asking_everywhere()) as unit:
            if isinstance(result, Parked):
                found = unit.proposals.get(result.proposal)
                known = _told(app, unit, found.members[0].memory) if found else ""
                wait = "It waits in perdure review; to record it beside: --anyway"
                return [f"Nearly the same is known as {known}", wait] if known else []
            retired = [f"It replaces {told}" for name in result.closed if (told := _told(app, unit, name))]
            return retired + _late(app, unit, result.memory) + _doubts(app, unit, result)

    return lines


def _late(app: App, unit: Unit, name: str) -> list[str]:
    """That a statement which was only just recorded holds no more, since one that is known took its place."""
    entry = unit.memories.get(name, LATEST)
    if entry is None or entry.revision.statement.state is not State.SUPERSEDED:
        return []
    heirs = [link.src for link in unit.memories.links(name) if (link.dst, link.kind) == (name, SUPERSEDES)]
    return [f"It holds no more, since then replaced by {_told(app, unit, heir)}" for heir in heirs]


def _doubts(app: App, unit: Unit, result: Written) -> list[str]:
    """What a statement may replace, or be replaced by, which a person decides."""
    lines = []
    for proposal in [found for name in result.proposed if (found := unit.proposals.get(name))]:
        old, new = (member.memory for member in proposal.members)
        if old == result.memory:
            lines.append(f"It may have been replaced by {_told(app, unit, new)}")
        else:
            lines.append(f"It may replace {_told(app, unit, old)}")
    return [*lines, "Decide with: perdure review"] if lines else []


def _told(app: App, unit: Unit, name: str) -> str:
    entry = unit.memories.get(name, LATEST)
    return f"{handle(name)}: {short(app, entry, 30)}" if entry else ""


@click.command("remember", cls=ObjectCommand)
@click.argument("words", nargs=-1, required=True, metavar="TEXT...")
@click.option("--title", default="", help="A short title.")
@click.option("--type", "sort", type=click.Choice([each.value for each in Type]), help="What sort of knowledge it is.")
@click.option("--importance", type=float, default=0.5, show_default=True, help="0 to 1.")
@click.option("--confidence", type=float, default=0.8, show_default=True, help="0 to 1.")
@click.option("--private", is_flag=True, help="Keep it to yourself.")
@click.option("--valid-from", metavar="TIME", help="Since when it holds; now unless told.")
@click.option("--valid-to", metavar="TIME", help="Until when it holds.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be given several times.")
@click.option("--anyway", is_flag=True, help="Record it even though it says nearly what another says.")
@click.option("--global", "everywhere", is_flag=True, help="It belongs to no project.")
@project_option
@json_option
def remember_command(  # noqa: PLR0913 - one parameter for each option
    words: tuple[str, ...],
    title: str,
    sort: str | None,
    importance: float,
    confidence: float,
    *,
    private: bool,
    valid_from: str | None,
    valid_to: str | None,
    tags: tuple[str, ...],
    anyway: bool,
    everywhere: bool,
    project: str | None,
    json_output: bool,
) -> None:
    """Remember a statement.

    TEXT may be - for standard input. With --json, - is an object there with the names of the options and text.
    """
    if project is not None and (everywhere or not project):
        raise UsageError("Name a project with --project, or say --global for none, not both.")
    text, holds = text_of(words), (when(valid_from), when(valid_to))
    app = open_app()
    reader = app.reader(here(), project="" if everywhere else project, join=project is None and not everywhere)
    foreign = project is not None and reader.project not in reader.projects
    draft = Draft(
        Kind.FACT,
        text,
        title=plain(title),
        type=None if sort is None else Type(sort),
        scope=Scope.PRIVATE if private else Scope.PROJECT if foreign else None,
        project=reader.project,
        importance=importance,
        confidence=confidence,
        valid_from=holds[0],
        valid_to=holds[1],
        tags=tuple(map(plain, tags)),
    )
    result = commit(app.door, reader, Add(draft, _hand(), anyway=anyway))
    where = f" in {reader.project}" if reader.project else ""
    outcome(
        result,
        lambda done: f"Remembered as {handle(done.memory)}{where}.",
        _more(app, reader, result),
        json_output=json_output,
    )


@click.command("supersede", cls=ObjectCommand)
@target_argument
@click.argument("words", nargs=-1, required=True, metavar="TEXT...")
@click.option("--valid-from", metavar="TIME", help="Since when the new statement holds; now unless told.")
@json_option
def supersede_command(target: str, words: tuple[str, ...], valid_from: str | None, *, json_output: bool) -> None:
    """Put a new statement in place of MEMORY, which stays true of its own time."""
    app = open_app()
    draft = Draft(Kind.FACT, text_of(words), valid_from=when(valid_from))
    result = _make(app, Supersede(_target(app, target), draft, _hand()))
    outcome(
        result,
        lambda done: f"Remembered as {handle(done.memory)}, in place of {', '.join(map(handle, done.closed))}.",
        json_output=json_output,
    )


@click.command("mark", cls=ObjectCommand)
@target_argument
@click.argument("state", type=click.Choice(list(_STATES)))
@click.option("--at", metavar="TIME", help="When it ended; now unless told.")
@json_option
def mark_command(target: str, state: str, at: str | None, *, json_output: bool) -> None:
    """Mark MEMORY as retracted (it never held) or expired (it holds no more)."""
    app = open_app()
    result = _make(app, Close(_target(app, target), _STATES[state], _hand(), at=when(at)))
    outcome(result, lambda done: f"{handle(done.memory)} is {state} now.", json_output=json_output)


@click.command("pin")
@target_argument
@click.option("--off", is_flag=True, help="Take the pin away.")
@json_option
def pin_command(target: str, *, off: bool, json_output: bool) -> None:
    """Give MEMORY at the start of every session."""
    app = open_app()
    result = _make(app, Pin(_target(app, target), _hand(), pinned=not off))
    outcome(
        result,
        lambda done: f"{handle(done.memory)} is {'not ' if off else ''}pinned now.",
        json_output=json_output,
    )


@click.command("feedback")
@target_argument
@click.argument("verdict", type=click.Choice(["helped", "misled"]))
@click.option("--note", default="", help="What was good or wrong.")
@json_option
def feedback_command(target: str, verdict: str, note: str, *, json_output: bool) -> None:
    """Say whether MEMORY helped or misled."""
    app = open_app()
    result = _make(app, Feedback(_target(app, target), verdict == "helped", _hand(), plain(note)))
    outcome(result, lambda done: f"Noted: {handle(done.memory)} {verdict}.", json_output=json_output)


@click.command("forget")
@click.argument("targets", nargs=-1, required=True, metavar="MEMORY...")
@json_option
def forget_command(targets: tuple[str, ...], *, json_output: bool) -> None:
    """Retract each MEMORY. It is closed, not destroyed: perdure undo brings it back."""
    app = open_app()
    if len(targets) > 1:
        _forget_all(app, targets, json_output=json_output)
        return
    result = _make(app, Forget(_target(app, targets[0]), _hand()))
    outcome(
        result,
        lambda done: f"Forgotten: {handle(done.memory)}. To take this back: perdure undo {done.change}",
        json_output=json_output,
    )


def _forget_all(app: App, targets: Sequence[str], *, json_output: bool) -> None:
    """Retract several in one transaction: all of them that may be, each a change of its own."""
    changes = [Forget(_target(app, target), _hand()) for target in dict.fromkeys(targets)]
    results = commit_all(app.door, app.reader(here()), changes)
    done = [result for result in results if isinstance(result, Written)]
    if json_output:
        as_json([{"outcome": type(result).__name__.lower(), **as_dict(result)} for result in results])
    else:
        for result in results:
            if not isinstance(result, Written):
                say(getattr(result, "reason", ""))
        numbers = f", changes {done[0].change} to {done[-1].change}" if done else ""
        say(f"Forgotten: {len(done):,} of {len(results):,}{numbers}. To take one back: perdure undo CHANGE")
    if any(isinstance(result, Denied) for result in results):
        sys.exit(Refused.exit_code)


@click.command("undo")
@click.argument("change", required=False, metavar="[CHANGE]")
@json_option
def undo_command(change: str | None, *, json_output: bool) -> None:
    """Take back your latest change, or the CHANGE of that number."""
    if change is not None and not change.isdecimal():
        raise UsageError(f"'{change}' is not the number of a change. See: perdure history MEMORY")
    app = open_app()
    result = _make(app, Undo(_hand(), None if change is None else int(change)))
    outcome(result, _undone, json_output=json_output)


def _undone(done: Written) -> str:
    touched = ", ".join(dict.fromkeys(map(handle, (done.memory, *done.closed))))
    return f"Taken back, as change {done.change}: {touched} as before. To bring it back: perdure undo {done.change}"
