"""Commands that look at what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import (
    as_of_option,
    here,
    json_option,
    known_at_option,
    project_option,
    target_argument,
    text_of,
)
from perdure.cli.output import (
    as_json,
    clean,
    day,
    entry_json,
    minute,
    revision_json,
    say,
    short,
    standing,
    when,
)
from perdure.cli.stdin import ObjectCommand
from perdure.domain.errors import NotFound
from perdure.domain.memory import LATEST, Cause, Kind, Moment, handle
from perdure.services.recall import Query, find_one, recall, replaced_by, sentence, stands_again

if TYPE_CHECKING:
    from perdure.app import App
    from perdure.domain.access import Reader
    from perdure.domain.memory import Entry, Link, Revision
    from perdure.ports import Unit
    from perdure.services.recall import Answer


@click.command("recall", cls=ObjectCommand)
@click.argument("words", nargs=-1, required=True, metavar="QUESTION...")
@click.option("--limit", type=click.IntRange(1, 100), help="How many answers at most.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice([kind.value for kind in Kind]), help="Only this kind."
)
@click.option("--everywhere", is_flag=True, help="Ask all your projects at once.")
@click.option("--superseded", is_flag=True, help="Also what holds no more, labelled.")
@as_of_option
@known_at_option
@project_option
@json_option
def recall_command(  # noqa: PLR0913 - one parameter for each option
    words: tuple[str, ...],
    limit: int | None,
    kinds: tuple[str, ...],
    *,
    everywhere: bool,
    superseded: bool,
    as_of: str | None,
    known_at: str | None,
    project: str | None,
    json_output: bool,
) -> None:
    """Ask what is remembered. Nothing is an answer too, and says which nothing it is."""
    app = open_app()
    reader = app.reader(here(), project=project)
    reader = reader.asking_everywhere() if everywhere else reader
    asked = when(as_of)
    now = app.clock.now()
    query = Query(
        text_of(words),
        Moment(as_of=now if asked is None else asked, known_at=when(known_at)),
        limit=limit or app.settings.recall.limit,
        floor=app.settings.recall.floor,
        kinds=tuple(map(Kind, kinds)),
        superseded=superseded,
        past=asked is not None,
    )
    with app.store.unit(reader) as unit:
        answer = recall(unit, query)
        replaced = {hit.entry.memory.id: _replaced(unit, hit.entry) for hit in answer.hits}
    if answer.hits:
        with app.store.unit(reader, write=True) as unit:
            unit.access.read([hit.entry.memory.id for hit in answer.hits], reader.author, now)
    if json_output:
        _print_json(app, answer, replaced)
    else:
        _print_lines(app, answer, replaced, reader)


def _replaced(unit: Unit, entry: Entry) -> list[Entry]:
    found = [unit.memories.get(name, LATEST) for name in replaced_by(unit, entry.memory.id)]
    return [old for old in found if old is not None]


def _print_json(app: App, answer: Answer, replaced: dict[str, list[Entry]]) -> None:
    hits = [
        {
            "score": round(hit.score, 4),
            **entry_json(app, hit.entry),
            "replaces": [old.memory.id for old in replaced[hit.entry.memory.id]],
        }
        for hit in answer.hits
    ]
    nothing = None if answer.nothing is None else {"reason": answer.nothing.value, "best": round(answer.best, 4)}
    as_json({"hits": hits, "nothing": nothing})


def _print_lines(app: App, answer: Answer, replaced: dict[str, list[Entry]], reader: Reader) -> None:
    if not answer.hits:
        say(sentence(answer))
        return
    for hit in answer.hits:
        statement = hit.entry.revision.statement
        head = click.style(handle(hit.entry.memory.id), fg="cyan")
        where = f" @{hit.entry.memory.project}" if reader.everywhere and hit.entry.memory.project else ""
        label = standing(statement.state)
        facts = f"{day(statement.valid_from)}  {hit.entry.memory.kind.value:<9}  {hit.score:.2f}{where}{label}"
        say(f"{head}  {facts}")
        say(f"    {short(app, hit.entry)}")
        for old in replaced[hit.entry.memory.id]:
            say(f"    replaces {handle(old.memory.id)}: {short(app, old, 30)}", dim=True)


def _entry(app: App, name: str, at: Moment) -> tuple[Entry, list[Revision], list[tuple[str, str]]]:
    reader = app.reader(here()).asking_everywhere()
    with app.store.unit(reader) as unit:
        memory = find_one(unit, name)
        entry = unit.memories.get(memory, at)
        if entry is None:
            raise NotFound(f"{handle(memory)} did not stand at that time. See: perdure history {handle(memory)}")
        links = [_link(memory, link) for link in unit.memories.links(memory) if not stands_again(unit, link.dst)]
        chain = list(unit.memories.history(memory))
    with app.store.unit(reader, write=True) as unit:
        unit.access.read([memory], reader.author, app.clock.now())
    return entry, chain, links


def _link(memory: str, link: Link) -> tuple[str, str]:
    """A link as the memory sees it: its name, and the other end."""
    if link.src == memory:
        return link.kind, link.dst
    return {"supersedes": "superseded by"}.get(link.kind, f"{link.kind} by"), link.src


@click.command("show", cls=ObjectCommand)
@target_argument
@as_of_option
@known_at_option
@json_option
def show_command(target: str, as_of: str | None, known_at: str | None, *, json_output: bool) -> None:
    """Show MEMORY whole: its words, times, source and links."""
    app = open_app()
    entry, chain, links = _entry(app, target, Moment(when(as_of), when(known_at)))
    if json_output:
        shown = [{"kind": kind, "memory": other} for kind, other in links]
        as_json({**entry_json(app, entry), "revisions": len(chain), "links": shown})
        return
    memory, revision = entry.memory, entry.revision
    statement, origin = revision.statement, revision.provenance
    ends = "" if statement.valid_to is None else f" to {minute(statement.valid_to)}"
    rows = {
        "memory": f"{memory.id} ({memory.kind.value}, {statement.type.value})",
        "standing": f"{statement.state.value}{', pinned' if statement.pinned else ''}",
        "readers": f"{memory.scope.value}{f', project {memory.project}' if memory.project else ''}",
        "holds": f"from {minute(statement.valid_from)}{ends}",
        "recorded": f"{minute(revision.recorded_at)} by {revision.recorded_by} ({revision.cause.value})",
        "source": f"{origin.channel.value}, trust {origin.trust.value}",
        "session": origin.session,
        "weight": f"importance {statement.importance:g}, confidence {statement.confidence:g}",
        "dates": ", ".join(f"{name} = {value}" for name, value in _dates(statement.attrs).items()),
        "tags": ", ".join(statement.tags),
        "revisions": str(len(chain)),
    }
    if statement.title:
        say(click.style(clean(app, statement.title), bold=True))
    say(clean(app, statement.body))
    say()
    for name, value in [*rows.items(), *((kind, handle(other)) for kind, other in links)]:
        if value:
            say(f"{name:<14} {clean(app, value)}")


def _dates(attrs: object) -> dict[str, str]:
    found = attrs.get("dates", {}) if isinstance(attrs, dict) else {}
    return found if isinstance(found, dict) else {}


@click.command("history", cls=ObjectCommand)
@target_argument
@json_option
def history_command(target: str, *, json_output: bool) -> None:
    """Show how MEMORY came to say what it says: every revision, who made it and why."""
    app = open_app()
    _entry_found, chain, _links = _entry(app, target, LATEST)
    if json_output:
        as_json([revision_json(app, revision) for revision in chain])
        return
    body, state = "", "active"
    for revision in chain:
        statement, origin = revision.statement, revision.provenance
        by = f"{revision.recorded_by} ({origin.channel.value})"
        say(f"{minute(revision.recorded_at)}  {revision.cause.value:<10}  change {revision.change:<6} {by}")
        if statement.body != body:
            say(f"    {clean(app, statement.body)}")
        if statement.state.value != state:
            ends = "" if statement.valid_to is None else f", ended {minute(statement.valid_to)}"
            say(f"    {statement.state.value}{ends}", dim=True)
        if revision.cause is Cause.FEEDBACK and origin.excerpt:
            say(f"    {clean(app, origin.excerpt)}", dim=True)
        body, state = statement.body, statement.state.value
