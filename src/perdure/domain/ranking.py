"""Which memories answer a question, and when none does.

The score of a hit lies in 0..1, larger is better: ``COVERAGE`` parts say how much of the question's information the
hit holds (the weight of a term is its inverse document frequency, Spärck Jones 1972), the rest is the engine's
BM25 over the best hit's (Robertson and Zaragoza 2009). What is below the floor is not an answer. Importance, pins and
recency only order hits whose scores are equal to two digits.
"""

from __future__ import annotations

import math

from perdure.domain.memory import TRUST_RANK
from perdure.domain.record import record, replace
from perdure.domain.terms import is_identifier, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from perdure.domain.memory import Entry

COVERAGE = 0.75
FLOOR = 0.4
STRICT_FLOOR = 0.55
RARE_FLOOR = 0.1
ESSENCE = 6
"""A long question is covered when this many of its weightiest terms are."""
MOST_TEXTS = 2_000
"""How many texts a search may have to rank."""
NEAR_DUPLICATE = 0.8
SHORTEST_IDENTIFIER = 3


@record
class Question:
    """A query's terms with their weights, and the one that is rare enough to answer alone."""

    terms: tuple[str, ...]
    weights: Mapping[str, float]
    total: int

    @property
    def essence(self) -> float:
        """The weight that counts as covering the whole question."""
        return sum(sorted(self.weights.values(), reverse=True)[:ESSENCE])


@record
class Hit:
    """An answer: ``score`` in 0..1, what it is made of, and the terms of its text."""

    entry: Entry
    score: float
    coverage: float
    bm25: float
    exact: bool
    terms: frozenset[str]

    @property
    def turn(self) -> str:
        """The turn that the memory was taken from, if it was."""
        return str(self.entry.revision.statement.attrs.get("turn", ""))


def weigh(query: Sequence[str], total: int, frequencies: Mapping[str, int]) -> Question:
    """Weigh a query's terms by how few of ``total`` texts hold them."""
    weights = {
        term: math.log(1 + (total - frequencies.get(term, 0) + 0.5) / (frequencies.get(term, 0) + 0.5))
        for term in query
    }
    return Question(tuple(query), weights, total)


def searched(question: Question, frequencies: Mapping[str, int]) -> list[str]:
    """The terms worth looking up, rarest first: those that occur, as long as all of them occur in few texts together.

    An index pays for every text that holds a term, and a common term tells least. So a search costs the same in a
    store of any size; what a common term is worth is counted when the texts found by the others are scored.
    """
    chosen: list[str] = []
    texts = 0
    for term in sorted(question.terms, key=lambda term: frequencies.get(term, 0)):
        texts += frequencies.get(term, 0)
        if chosen and texts > MOST_TEXTS:
            break
        if frequencies.get(term, 0):
            chosen.append(term)
    return chosen


def score(question: Question, entry: Entry, bm25: float, best: float, frequencies: Mapping[str, int]) -> Hit:
    """The hit that an entry makes for a question; ``best`` is the largest BM25 of the search."""
    statement = entry.revision.statement
    held = frozenset(terms(f"{statement.title} {' '.join(statement.tags)} {statement.body}"))
    matched = [term for term in question.terms if term in held]
    weight = sum(question.weights[term] for term in matched)
    coverage = min(1.0, weight / question.essence) if question.essence else 0.0
    relative = bm25 / best if best > 0 else 0.0
    rare = max(1, question.total // 100)
    exact = any(
        is_identifier(term) and len(term) >= SHORTEST_IDENTIFIER and frequencies.get(term, 0) <= rare
        for term in matched
    )
    return Hit(entry, COVERAGE * coverage + (1 - COVERAGE) * relative * coverage, coverage, bm25, exact, held)


def passes(hit: Hit, floor: float) -> bool:
    """Whether a hit is an answer. A rare identifier that matches exactly may pass with less."""
    return hit.score >= (min(floor, RARE_FLOOR) if hit.exact else floor)


def order(hits: Iterable[Hit]) -> list[Hit]:
    """Best first; ties of two digits by pin, importance, event time and sequence."""
    return sorted(hits, key=_key, reverse=True)


def _key(hit: Hit) -> tuple[float, bool, float, int, int]:
    statement = hit.entry.revision.statement
    return (
        round(hit.score, 2),
        statement.pinned,
        statement.importance,
        statement.valid_from,
        hit.entry.revision.seq,
    )


def distinct(hits: Iterable[Hit]) -> list[Hit]:
    """One hit of each group, in order: of what was said in one turn the most trusted, of near-duplicates the first.

    Near-duplicates have a Jaccard similarity of their terms of at least 0.8.
    """
    kept: list[Hit] = []
    places: dict[str, int] = {}
    for hit in hits:
        place = places.get(hit.turn) if hit.turn else None
        if place is not None:
            if _trust(hit) > _trust(kept[place]):
                kept[place] = replace(hit, score=kept[place].score)
            continue
        if not any(_similar(hit.terms, other.terms) for other in kept):
            places[hit.turn] = len(kept)
            kept.append(hit)
    return kept


def _trust(hit: Hit) -> int:
    return TRUST_RANK[hit.entry.revision.provenance.trust]


def _similar(one: frozenset[str], other: frozenset[str]) -> bool:
    union = len(one | other)
    return union > 0 and len(one & other) / union >= NEAR_DUPLICATE
