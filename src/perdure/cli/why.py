"""The command that tells what was believed, and why it changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import as_of_option, here, json_option, known_at_option, project_option, text_of
from perdure.cli.output import as_json, clean, entry_json, minute, say, short, when
from perdure.cli.stdin import ObjectCommand
from perdure.domain.errors import NotFound
from perdure.domain.instants import iso
from perdure.domain.memory import Cause, Channel, Entry, State, handle
from perdure.services import why
from perdure.services.recall import find_one, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from perdure.app import App
    from perdure.domain.access import Reader
    from perdure.domain.memory import Revision
    from perdure.ports import Unit
    from perdure.services.recall import Answer
    from perdure.services.why import Belief, Chain, Step

_CAUSES = {
    Cause.ADDED: "recorded",
    Cause.EDITED: "edited",
    Cause.GREW: "went on",
    Cause.PINNED: "pinned",
    Cause.UNPINNED: "unpinned",
    Cause.FORGOTTEN: "forgotten",
}
_CHANNELS = {
    Channel.USER_MESSAGE: "said in a session",
    Channel.HAND: "by hand",
    Channel.ASSISTANT_INFERENCE: "inferred by an assistant",
    Channel.CONSOLIDATION: "by consolidation",
    Channel.IMPORT: "by an import",
    Channel.TOOL_RESULT: "from a tool's result",
    Channel.DOCUMENT: "from a document",
}


@dataclass(frozen=True, slots=True)
class Told:
    """All that one question has for an answer."""

    chain: Chain
    beliefs: tuple[Belief, ...]
    also: tuple[Entry, ...]

    @property
    def moment(self) -> int | None:
        """The time that was asked about: what was recorded after it came after."""
        at = self.beliefs[0].at if self.beliefs else None
        return None if at is None else at.known_at


@click.command("why", cls=ObjectCommand)
@click.argument("words", nargs=-1, required=True, metavar="QUESTION...")
@click.option("--everywhere", is_flag=True, help="Ask all your projects at once.")
@as_of_option
@known_at_option
@project_option
@json_option
def why_command(
    words: tuple[str, ...],
    *,
    everywhere: bool,
    as_of: str | None,
    known_at: str | None,
    project: str | None,
    json_output: bool,
) -> None:
    """Tell what you believed and why it changed.

    QUESTION is a memory, or anything that recall can answer. Told is every statement that took another's place, oldest
    first, with its times, its source and who said it. --known-at tells what you believed at that time; --as-of what you
    believed of that time, then and now.
    """
    text, moments = text_of(words), (when(as_of), when(known_at))
    app = open_app()
    reader = app.reader(here(), project=project)
    reader = reader.asking_everywhere() if everywhere else reader
    found = _ask(app, reader, text, moments)
    if isinstance(found, Told):
        with app.store.unit(reader, write=True) as unit:
            unit.access.read([found.chain.asked], reader.author, app.clock.now())
    if json_output:
        as_json(_json(app, found) if isinstance(found, Told) else _nothing(found))
    elif isinstance(found, Told):
        _print(app, found)
    else:
        say(sentence(found))


def _ask(app: App, reader: Reader, text: str, moments: tuple[int | None, int | None]) -> Told | Answer:
    """The chain of the memory that is named or asked about, or the answer that there is none."""
    missing = None
    with app.store.unit(reader) as unit:
        if why.looks_like_a_name(text):
            try:
                return _told(unit, find_one(unit, text), moments, ())
            except NotFound as error:
                missing = error
        answer = why.subject(unit, text, app.settings.recall.floor)
        if answer.hits:
            first, *others = (hit.entry for hit in answer.hits)
            return _told(unit, first.memory.id, moments, others)
    if missing:
        raise missing
    return answer


def _told(unit: Unit, memory: str, moments: tuple[int | None, int | None], others: Iterable[Entry]) -> Told:
    chain = why.chain(unit, memory)
    return Told(chain, why.beliefs(unit, chain, *moments), why.besides(unit, chain, others))


def _nothing(answer: Answer) -> dict[str, Any]:
    reason = "" if answer.nothing is None else answer.nothing.value
    empty: dict[str, Any] = {"memory": None, "beliefs": [], "revisions": [], "also": [], "left_out": 0}
    return {**empty, "nothing": {"reason": reason, "best": round(answer.best, 4)}}


def _json(app: App, told: Told) -> dict[str, Any]:
    """A chain for programs."""
    stood = {entry.revision.id for belief in told.beliefs for entry in belief.entries}
    return {
        "memory": told.chain.asked,
        "beliefs": [_belief_json(app, told.chain, belief) for belief in told.beliefs],
        "revisions": [
            {
                **entry_json(app, Entry(step.memory, step.revision)),
                "action": step.action,
                "reason": clean(app, step.reason),
                "others": list(step.others),
                "believed": step.revision.id in stood,
                "after": told.moment is not None and step.revision.recorded_at > told.moment,
            }
            for step in told.chain.steps
        ],
        "also": [entry.memory.id for entry in told.also],
        "left_out": told.chain.cut,
        "nothing": None,
    }


def _belief_json(app: App, chain: Chain, belief: Belief) -> dict[str, Any]:
    ends = [(entry, why.ended_by(chain, entry)) for entry in belief.entries]
    return {
        "as_of": None if belief.at.as_of is None else iso(belief.at.as_of),
        "known_at": None if belief.at.known_at is None else iso(belief.at.known_at),
        "statements": [{**entry_json(app, entry), "ended_by": end and end.revision.id} for entry, end in ends],
    }


def _print(app: App, told: Told) -> None:
    """A chain for people: what was believed, then how it came about."""
    for belief in told.beliefs:
        _print_belief(app, told.chain, belief)
    if told.beliefs:
        say()
    marks = _marks(told.beliefs)
    heads: dict[str, Revision] = {}
    over = told.moment is None
    for step in told.chain.steps:
        if not over and told.moment is not None and step.revision.recorded_at > told.moment:
            over = True
            say(f"Recorded after {_at(told.moment)}:", dim=True)
        name = click.style(handle(step.memory.id), fg="cyan")
        say(f"{minute(step.revision.recorded_at)}  {name}  {_cause(step)}{marks.get(step.revision.id, '')}")
        for line in _details(step, heads.get(step.memory.id)):
            say(f"    {clean(app, line)}")
        heads[step.memory.id] = step.revision
    if told.chain.cut:
        say(f"{told.chain.cut} more memories belong to this chain: ask for one of the last shown.", dim=True)
    if told.also:
        say()
    for entry in told.also:
        say(f"See also {handle(entry.memory.id)}: {short(app, entry, 30)}", dim=True)


def _marks(beliefs: tuple[Belief, ...]) -> dict[str, str]:
    """What to say beside the revisions that stood then."""
    return {
        entry.revision.id: "  <- held then, as known now" if belief.at.known_at is None else "  <- believed then"
        for belief in reversed(beliefs)
        for entry in belief.entries
    }


def _print_belief(app: App, chain: Chain, belief: Belief) -> None:
    of, known = belief.at.as_of, belief.at.known_at
    if known is None:
        opening = f"As known now, on {_at(of)} this held"
    elif of is None or of == known:
        opening = f"On {_at(known)} you believed"
    else:
        opening = f"On {_at(known)} you believed of {_at(of)}"
    if not belief.entries:
        say(f"{opening}: nothing about this.")
    for entry in belief.entries:
        say(f"{opening}: {short(app, entry)} [{handle(entry.memory.id)}]")
        end = why.ended_by(chain, entry)
        if end is None:
            say("    It still stands.", dim=True)
            continue
        reason = f" Because: {clean(app, end.reason)}" if end.reason else ""
        say(f"    It changed on {_at(end.revision.recorded_at)}: {_cause(end)}.{reason}", dim=True)
        for heir in end.others if end.revision.parent else ():
            latest = next(step for step in reversed(chain.steps) if step.memory.id == heir)
            say(f"    {handle(heir)}: {short(app, Entry(latest.memory, latest.revision))}", dim=True)


def _at(instant: int | None) -> str:
    """A day where a time is the day's beginning, as it is where a person gave a day; else the minute."""
    shown = minute(instant or 0)
    return shown.removesuffix(" 00:00")


def _cause(step: Step) -> str:
    """Why a revision was written, in words."""
    cause, state = step.revision.cause, step.revision.statement.state
    others = ", ".join(map(handle, step.others))
    if cause is Cause.SUPERSEDED:
        return f"superseded by {others}" if others else "superseded"
    if cause is Cause.CLOSED:
        return f"marked {state}"
    if cause is Cause.FEEDBACK:
        return step.revision.provenance.excerpt.partition(":")[0] or "judged"
    if cause is Cause.UNDONE:
        back = {State.ACTIVE: "brought back", State.RETRACTED: "taken back"}.get(state, f"{state} again")
        return f"{back}: a change was undone"
    said = _CAUSES.get(cause, cause.value)
    return f"{said}, in place of {others}" if others and not step.revision.parent else said


def _details(step: Step, before: Revision | None) -> Iterator[str]:
    """What a revision says anew, from whom it is and why it was written, in lines."""
    statement, origin = step.revision.statement, step.revision.provenance
    old = before.statement if before else None
    if old is None or (old.title, old.body) != (statement.title, statement.body):
        told = statement.body.startswith(statement.title)
        yield from (statement.body if told else f"{statement.title}: {statement.body}").splitlines()
    if old is None or (old.valid_from, old.valid_to) != (statement.valid_from, statement.valid_to):
        ends = "" if statement.valid_to is None else f" to {minute(statement.valid_to)}"
        yield f"holds from {minute(statement.valid_from)}{ends}"
    session = f", session {origin.session}" if origin.session else ""
    yield f"by {step.revision.recorded_by}, {_CHANNELS[origin.channel]}{session}"
    if origin.excerpt:
        yield f'"{" ".join(origin.excerpt.split())}"'
    if step.reason and (step.revision.parent or not step.others):  # else it stands with what gave way
        yield f"because: {step.reason}"
