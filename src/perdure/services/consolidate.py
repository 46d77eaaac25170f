"""Consolidation: statements that say the same become one, within bounds and never unseen where it is not certain.

Alike are statements whose terms lie close together; a group is a maximal clique of them, so that each member is alike
each other and not only a neighbour's neighbour. Large groups are reported and left. A model is asked for a verdict
where one is configured; without one only the same in nearly the same words is decided, and the rest is proposed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perdure.domain import clusters, corrections
from perdure.domain.change import Close, Written
from perdure.domain.corrections import Kind
from perdure.domain.ledger import Criteria
from perdure.domain.memory import KINDS, LATEST, Channel, State, Trust, provenance
from perdure.domain.memory import Kind as Shape
from perdure.domain.orders import SMALL, WorkOrder
from perdure.domain.proposal import Action, Member, Proposal
from perdure.domain.record import record
from perdure.domain.wording import digest_of
from perdure.services import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from perdure.domain.access import Reader
    from perdure.domain.memory import Entry
    from perdure.ports import Unit
    from perdure.services.write import Door

CONSOLIDATE = "consolidate"
MOST_LOOKED_AT = 50_000
PAIR = 2
BLOB = 60


@record
class Limits:
    """The bounds of a run: how far apart members may be, how large a group, how many groups, how sure a verdict."""

    distance: float = 0.35
    group: int = 6
    groups: int = 10
    threshold: float = 0.8


@dataclass(slots=True)
class Report:
    """What a run looked at and what it left.

    ``groups`` are those found within the bounds, each as ids; ``oversized`` how many were too large, ``left`` how many
    wait for a later run; ``applied`` the ids retired, ``proposed`` the proposals, ``asked`` the work orders.
    """

    looked_at: int = 0
    pairs: int = 0
    groups: list[tuple[str, ...]] = field(default_factory=list)
    oversized: int = 0
    left: int = 0
    applied: list[str] = field(default_factory=list)
    proposed: list[str] = field(default_factory=list)
    asked: int = 0


def consolidate(door: Door, reader: Reader, limits: Limits, *, ask: bool = False, dry_run: bool = False) -> Report:
    """Look through the author's active statements in scope of the reader, and consolidate the tightest groups.

    With ``ask`` each group becomes a work order for a model. With ``dry_run`` nothing is written and no model is asked.
    """
    report = Report()
    with door.store.unit(reader) as unit:
        entries = [entry for entry in _statements(unit) if entry.memory.author == reader.author]
    for project in sorted({entry.memory.project for entry in entries}):
        own = [entry for entry in entries if entry.memory.project == project]
        for group in _groups(own, limits, report):
            if len(report.groups) >= limits.groups:
                report.left += 1
                continue
            report.groups.append(tuple(entry.memory.id for entry in group))
            if not dry_run:
                with door.store.unit(reader, write=True) as unit:
                    _decide(door, unit, group, limits, report, ask=ask)
    return report


def _statements(unit: Unit) -> Sequence[Entry]:
    kinds = tuple(kind for kind in Shape if KINDS[kind].corrects)
    return unit.memories.heads(Criteria(kinds=kinds, limit=MOST_LOOKED_AT))


def _groups(entries: Sequence[Entry], limits: Limits, report: Report) -> Iterator[list[Entry]]:
    """Groups of statements alike, tightest first; those that are too large are counted."""
    from networkx import Graph, connected_components, find_cliques

    active = [entry for entry in entries if entry.revision.statement.state is State.ACTIVE]
    report.looked_at += len(active)
    readings = [corrections.read(entry.revision.statement.body) for entry in active]
    pairs = clusters.near_pairs([reading.terms for reading in readings], limits.distance)
    report.pairs += len(pairs)
    graph = Graph((pair.one, pair.other) for pair in pairs)
    within: list[list[int]] = []
    for together in connected_components(graph):
        # The cliques of a blob can be more than anyone could count; a blob is a subject of its own, not repetition.
        cliques = list(find_cliques(graph.subgraph(together))) if len(together) <= BLOB else []
        small = [clique for clique in cliques if PAIR <= len(clique) <= limits.group]
        report.oversized += len(cliques) - len(small) if cliques else 1
        within += small
    for group in clusters.tightest(within, pairs):
        if any(_related(readings[one], readings[other]) for one in group for other in group if one < other):
            yield [active[place] for place in group]


def _related(one: corrections.Reading, other: corrections.Reading) -> bool:
    """Whether two statements alike say the same or correct each other; look-alikes are no group."""
    return corrections.relate(other, one) is not None


def _decide(door: Door, unit: Unit, group: Sequence[Entry], limits: Limits, report: Report, *, ask: bool) -> None:
    if ask:
        unit.orders.put(order_for(unit, group, limits, door.clock.now()))
        report.asked += 1
        return
    newest = max(group, key=lambda entry: (entry.revision.statement.valid_from, entry.revision.seq))
    heir = corrections.read(newest.revision.statement.body)
    for entry in group:
        if entry.memory.id == newest.memory.id or not _stands(unit, entry, newest):
            continue
        found = corrections.relate(heir, corrections.read(entry.revision.statement.body))
        if found is None:
            continue
        certain = found.kind is Kind.REPEATS and found.confidence >= limits.threshold
        if certain and _as_trusted(newest, entry):
            outcome = retire(door, unit, entry, newest)
            if isinstance(outcome, Written):
                report.applied.append(entry.memory.id)
        else:
            report.proposed.append(propose(door, unit, (entry, newest), found.confidence, found.reason))


def _stands(unit: Unit, *entries: Entry) -> bool:
    """Whether nothing has changed since the entries were read."""
    heads = {entry.memory.id: unit.memories.get(entry.memory.id, LATEST) for entry in entries}
    now = [(head.revision.id if head else "") for head in heads.values()]
    return now == [entry.revision.id for entry in entries]


def _as_trusted(newest: Entry, entry: Entry) -> bool:
    """Whether the user's own word would give way to the user's own word only, and the shared to the shared."""
    own = entry.revision.provenance.trust is not Trust.USER or newest.revision.provenance.trust is Trust.USER
    return own and entry.memory.scope is newest.memory.scope


def retire(door: Door, unit: Unit, old: Entry, heir: Entry) -> object:
    """Let one statement give way to another that says the same."""
    origin = provenance(Channel.CONSOLIDATION)
    return write.commit_in(door, unit, Close(old.memory.id, State.SUPERSEDED, origin, heir=heir.memory.id))


def propose(door: Door, unit: Unit, pair: tuple[Entry, Entry], confidence: float, reason: str) -> str:
    """Ask whether the first of two gives way to the second."""
    members = tuple(Member(entry.memory.id, entry.revision.id) for entry in pair)
    asked = Proposal(
        id=door.ids.new(),
        author=unit.reader.author,
        action=Action.SUPERSEDE,
        members=members,
        confidence=confidence,
        reason=reason,
        created=door.clock.now(),
    )
    return unit.proposals.put(asked)


def order_for(unit: Unit, group: Iterable[Entry], limits: Limits, now: int) -> WorkOrder:
    """The work order that asks for a verdict on a group; the same group is asked about once."""
    members = sorted([entry.memory.id, entry.revision.id] for entry in group)
    return WorkOrder(
        CONSOLIDATE,
        digest_of("", repr(members)),
        unit.reader.author,
        now,
        role=SMALL,
        project=unit.reader.project,
        subject={"members": members, "threshold": limits.threshold},
        due=now,
    )
