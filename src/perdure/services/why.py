"""Why: the chain of statements that replaced each other, and what was believed at a time.

A chain reaches from a memory over the links that say which statement took another's place, both ways. A link that was
undone since is part of the story, so its other end is in the chain too; but what else that end replaced is not.
"""

from __future__ import annotations

from itertools import pairwise

from perdure.domain.memory import LATEST, MERGED_INTO, SUPERSEDES, Cause, Moment, State
from perdure.domain.record import record
from perdure.services.recall import Query, recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perdure.domain.memory import Entry, Link, Memory, Revision
    from perdure.ports import Unit
    from perdure.services.recall import Answer

LONGEST_CHAIN = 500
_HANDLE, _SHORTEST = 8, 4
_SIGNS = frozenset("0123456789abcdef-")


@record
class Step:
    """One revision of a chain.

    ``action`` and ``reason`` are what the audit says of its change: which change was asked for, and why a rule made it
    (empty where nobody said). ``others`` are the memories that took this one's place with a revision that superseded
    it, and those whose place it took when it was recorded.
    """

    memory: Memory
    revision: Revision
    action: str
    reason: str
    others: tuple[str, ...]


@record
class Belief:
    """Which statements of a chain stood at a moment: what held at ``at.as_of``, as was known at ``at.known_at``."""

    at: Moment
    entries: tuple[Entry, ...]


@record
class Chain:
    """All revisions in the order in which they were recorded; ``cut`` is how many memories the chain was cut by."""

    asked: str
    steps: tuple[Step, ...]
    cut: int = 0

    def memories(self) -> list[str]:
        """Ids of the memories in the chain, in the order in which they were recorded."""
        return list(dict.fromkeys(step.memory.id for step in self.steps))


def looks_like_a_name(word: str) -> bool:
    """Whether a word can be meant as the id of a memory, so that it is looked up before it is asked."""
    name = word.strip().lower()
    bare = name.lstrip("#")
    if len(bare) < _SHORTEST or not set(bare) <= _SIGNS:
        return False
    return name != bare or len(bare) >= _HANDLE or any(sign.isdecimal() for sign in bare)


def subject(unit: Unit, question: str, floor: float, limit: int = 4) -> Answer:
    """The memories that a question is about, whether they hold or not: the first is the best."""
    return recall(unit, Query(question, Moment(), limit=limit, floor=floor, superseded=True))


def chain(unit: Unit, memory_id: str) -> Chain:
    """The chain of a memory that the reader may see. Hidden memories are as if they weren't there."""
    names, links, cut = _walk(unit, memory_id)
    steps = [
        step
        for entry in (unit.memories.get(name, LATEST) for name in names)
        if entry is not None
        for step in _steps(unit, entry.memory, links)
    ]
    steps.sort(key=lambda step: step.revision.seq)
    return Chain(memory_id, tuple(steps), cut)


def besides(unit: Unit, found: Chain, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Of some entries those that belong to no chain before them: one of each other chain, in order."""
    known, kept = set(found.memories()), []
    for entry in entries:
        if entry.memory.id not in known:
            known.update(_walk(unit, entry.memory.id)[0])
            kept.append(entry)
    return tuple(kept)


def _walk(unit: Unit, start: str) -> tuple[list[str], Sequence[Link], int]:
    """Memories reached over links of replacement, those links, and how many memories were left out."""
    found = {start: True}
    waiting, cut = [start], set()
    links: dict[Link, None] = {}
    while waiting:
        name = waiting.pop(0)
        for link in unit.memories.links(name):
            if link.kind not in {SUPERSEDES, MERGED_INTO}:
                continue
            other = link.dst if link.src == name else link.src
            holds = _is_in_force(unit, link)
            if other not in found and len(found) >= LONGEST_CHAIN:
                cut.add(other)
                continue
            links[link] = None
            if holds and not found.get(other):
                waiting.append(other)
            found[other] = holds or found.get(other, False)
    return list(found), sorted(links, key=lambda link: (link.src, link.dst)), len(cut)


def older(link: Link) -> str:
    """The end of a link whose place the other end took."""
    return link.dst if link.kind == SUPERSEDES else link.src


def newer(link: Link) -> str:
    """The end of a link that took the other's place."""
    return link.src if link.kind == SUPERSEDES else link.dst


def _is_in_force(unit: Unit, link: Link) -> bool:
    """Whether a replacement was not undone since."""
    entry = unit.memories.get(older(link), LATEST)
    return entry is not None and entry.revision.statement.state is not State.ACTIVE


def _steps(unit: Unit, memory: Memory, links: Sequence[Link]) -> list[Step]:
    heirs = dict.fromkeys(newer(link) for link in links if older(link) == memory.id)
    replaced = dict.fromkeys(older(link) for link in links if newer(link) == memory.id)
    history = unit.memories.history(memory.id)
    written = {each.change: {other.memory for other in unit.changes.revisions(each.change)} for each in history}
    ends = [revision for revision in history if revision.cause is Cause.SUPERSEDED]
    sure = {heir for revision in ends for heir in heirs if heir in written[revision.change]}
    steps = []
    for revision in history:
        others: list[str] = []
        if not revision.parent:
            others = [name for name in replaced if name in written[revision.change]]
        elif revision.cause is Cause.SUPERSEDED:
            # An heir that was there already is not of the change: then it is one that no other change brought.
            others = [name for name in heirs if name in written[revision.change]]
            others = others or [name for name in heirs if name not in sure] or list(heirs)
        entered = unit.changes.audit(revision.change)
        action, reason = (entered.action, entered.detail) if entered else ("", "")
        steps.append(Step(memory, revision, action, reason, tuple(others)))
    return steps


def beliefs(unit: Unit, found: Chain, as_of: int | None, known_at: int | None) -> tuple[Belief, ...]:
    """What of a chain was believed at the times that are told; nothing where none is.

    Told when it was known, the answer is what was believed then. Told only as of when, it is what was believed at that
    time itself, and where more is known by now, what is known now of that time as well.
    """
    if known_at is not None:
        return (_belief(unit, found, Moment(known_at if as_of is None else as_of, known_at)),)
    if as_of is None:
        return ()
    then, now = _belief(unit, found, Moment(as_of, as_of)), _belief(unit, found, Moment(as_of))
    return (then,) if _words(then) == _words(now) else (then, now)


def _belief(unit: Unit, found: Chain, at: Moment) -> Belief:
    entries = (unit.memories.get(name, at) for name in found.memories())
    return Belief(at, tuple(entry for entry in entries if entry is not None))


def _words(belief: Belief) -> list[tuple[str, str, str]]:
    said = ((entry.memory.id, entry.revision.statement) for entry in belief.entries)
    return [(memory, statement.title, statement.body) for memory, statement in said]


def ended_by(found: Chain, entry: Entry) -> Step | None:
    """The step that ended what an entry says, by other words or another state; None where it stands."""
    steps = [step for step in found.steps if step.memory.id == entry.memory.id]
    if entry.revision.statement.state is State.ACTIVE:
        later = (step for step in steps if step.revision.seq > entry.revision.seq)
        return next((step for step in later if _claim(step.revision) != _claim(entry.revision)), None)
    ended = None
    for before, step in pairwise(steps):
        if step.revision.seq <= entry.revision.seq and _claim(step.revision) != _claim(before.revision):
            ended = step
    return ended


def _claim(revision: Revision) -> tuple[State, str, str]:
    return (revision.statement.state, revision.statement.title, revision.statement.body)
