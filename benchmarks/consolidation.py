"""One pass of consolidation over memories with planted duplicates: ``python -m benchmarks.consolidation [--long]``.

Duplicates are the same in nearly the same words, or a paraphrase; look-alikes differ in a number, a name or a negation,
and long series of statements are each like the next. A merge is wrong where the two don't mean the same. No model is
asked. The baseline joins whatever lies as near by the words as written, neighbours of neighbours too, and keeps the
newest.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import _corpus
from benchmarks._duplicates import DUPLICATES, LOOK_ALIKES, planted
from benchmarks._home import AUTHOR
from benchmarks._lib import Figure, Options, main
from perdure.domain.access import Reader
from perdure.domain.change import Add, Draft, Unchanged, Written
from perdure.domain.clusters import near_pairs
from perdure.domain.memory import SUPERSEDES, Channel, Kind, provenance
from perdure.services.consolidate import Limits, consolidate
from perdure.services.write import commit_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks._duplicates import Planted
    from perdure.services.consolidate import Report
    from perdure.services.write import Door

MOST_SECONDS = 60.0
EVERY = 1_000_000
"""More groups than there can be: the bound of groups for one run is lifted, so that one pass sees all."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass did: groups as places of memories, pairs (retired, kept), pairs it proposes, and its seconds."""

    groups: tuple[frozenset[int], ...]
    merged: tuple[tuple[int, int], ...]
    proposed: tuple[frozenset[int], ...]
    seconds: float


def fill(door: Door, told: Sequence[Planted]) -> dict[str, int]:
    """Record all, near duplicates too, as what a model understood; gives the place of each memory by its id.

    What the door knows already, and what it ended, is left out.
    """
    places: dict[str, int] = {}
    for start in range(0, len(told), _corpus.BATCH):
        batch = told[start : start + _corpus.BATCH]
        origin = provenance(Channel.ASSISTANT_INFERENCE)
        adding = [Add(Draft(Kind.FACT, each.body), origin, anyway=True) for each in batch]
        for place, outcome in enumerate(commit_all(door, Reader(AUTHOR), adding), start):
            assert isinstance(outcome, Written | Unchanged), outcome
            if isinstance(outcome, Written):
                places[outcome.memory] = place
                for ended in outcome.closed:
                    places.pop(ended, None)
    return places


def _kept(door: Door, retired: Iterable[str]) -> list[tuple[str, str]]:
    """Each retired memory with the one that stands in its place."""
    with door.store.unit(Reader(AUTHOR)) as unit:
        return [
            (old, link.src)
            for old in retired
            for link in unit.memories.links(old)
            if link.kind == SUPERSEDES and link.dst == old
        ]


def _proposed(door: Door, report: Report, places: Mapping[str, int]) -> list[frozenset[int]]:
    with door.store.unit(Reader(AUTHOR)) as unit:
        found = [unit.proposals.get(each) for each in report.proposed]
    return [frozenset(places[member.memory] for member in each.members) for each in found if each]


def run(door: Door, places: Mapping[str, int], limits: Limits) -> Pass:
    """Consolidate once, without a model."""
    began = time.perf_counter()
    report = consolidate(door, Reader(AUTHOR), limits)
    taken = time.perf_counter() - began
    merged = _kept(door, report.applied)
    assert len(merged) == len(report.applied)
    return Pass(
        tuple(frozenset(places[each] for each in group) for group in report.groups),
        tuple((places[old], places[heir]) for old, heir in merged),
        tuple(_proposed(door, report, places)),
        taken,
    )


def baseline(told: Sequence[Planted], places: Iterable[int], distance: float) -> Pass:
    """Join what lies near by plain words, and what lies near that; the newest of each group stays."""
    began = time.perf_counter()
    among = sorted(places)
    words = [frozenset(told[place].body.lower().split()) for place in among]
    first = list(range(len(among)))

    def root(place: int) -> int:
        while first[place] != place:
            first[place] = first[first[place]]
            place = first[place]
        return place

    for pair in near_pairs(words, distance):
        first[root(pair.one)] = root(pair.other)
    groups: dict[int, set[int]] = {}
    for index, place in enumerate(among):
        groups.setdefault(root(index), set()).add(place)
    joined = tuple(frozenset(group) for group in groups.values() if len(group) > 1)
    merged = tuple((place, max(group)) for group in joined for place in group if place != max(group))
    return Pass(joined, merged, (), time.perf_counter() - began)


def wrong(told: Sequence[Planted], done: Pass) -> int:
    """Merges of what doesn't mean the same."""
    return sum(told[old].meaning != told[kept].meaning for old, kept in done.merged)


def twins(told: Sequence[Planted], places: Iterable[int], sort: str) -> list[frozenset[int]]:
    """The pairs of one sort of which both are recorded."""
    families: dict[int, set[int]] = {}
    for place in places:
        if told[place].sort == sort:
            families.setdefault(told[place].family, set()).add(place)
    return [frozenset(pair) for pair in families.values() if len(pair) > 1]


def found(done: Pass, pairs: Sequence[frozenset[int]]) -> float:
    """The share of pairs that came into one group."""
    together: dict[int, list[frozenset[int]]] = {place: [] for pair in pairs for place in pair}
    for group in done.groups:
        for place in group & together.keys():
            together[place].append(group)
    hit = [any(pair <= group for place in pair for group in together[place]) for pair in pairs]
    return round(sum(hit) / len(hit), 3) if hit else 0.0


def report(told: Sequence[Planted], places: Iterable[int], ours: Pass, plain: Pass) -> list[Figure]:
    """All figures, the baseline's beside them."""
    recorded = list(places)
    bound = Limits().group
    figures = [
        Figure("memories looked at", len(recorded)),
        Figure("groups", len(ours.groups), "", len(plain.groups)),
        Figure(
            "largest group",
            max(map(len, ours.groups), default=0),
            "",
            max(map(len, plain.groups), default=0),
            most=bound,
        ),
        Figure("merges applied", len(ours.merged), "", len(plain.merged)),
        Figure("wrong merges applied", wrong(told, ours), "", wrong(told, plain), most=0),
        Figure("merges proposed", len(ours.proposed)),
    ]
    for sort in (*DUPLICATES, *LOOK_ALIKES):
        pairs = twins(told, recorded, sort)
        figures.append(Figure(f"twins in one group, {sort}", found(ours, pairs), "", found(plain, pairs)))
    return [*figures, Figure("the pass", round(ours.seconds, 2), "s", round(plain.seconds, 2), most=MOST_SECONDS)]


def measure(options: Options) -> list[Figure]:
    """Fill a store, and consolidate it once."""
    told = planted(options.seed, options.pick(900, 10_000, 10_000))
    with tempfile.TemporaryDirectory(prefix="perdure-bench-") as root:
        store, door = _corpus.new_store(os.path.join(root, "ledger.db"))
        places = fill(door, told)
        limits = Limits(groups=EVERY)
        ours = run(door, places, limits)
        store.close()
    return report(told, places.values(), ours, baseline(told, places.values(), limits.distance))


if __name__ == "__main__":
    main(__doc__, measure)
