"""Which texts are alike: pairs by the terms they share, found without comparing every text with every other."""

from __future__ import annotations

import math
from collections import Counter

from perdure.domain.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@record
class Pair:
    """Two texts by their places; ``distance`` is 1 minus the Jaccard similarity of their terms, 0..1."""

    one: int
    other: int
    distance: float


def near_pairs(texts: Sequence[frozenset[str]], distance: float) -> list[Pair]:
    """All pairs of texts that lie no further apart than ``distance``, in order of their places.

    Two sets can only be so alike where the rarest terms of one, as many as it may lack and one more, hold a term of the
    other's (prefix filtering: Chaudhuri, Ganti and Kaushik 2006).
    """
    least = 1.0 - distance
    common = Counter(term for text in texts for term in text)
    ordered = [sorted(text, key=lambda term: (common[term], term)) for text in texts]
    holding: dict[str, list[int]] = {}
    found: list[Pair] = []
    for place, terms in enumerate(ordered):
        prefix = terms[: len(terms) - math.ceil(least * len(terms)) + 1] if terms else []
        for other in sorted(_sharing(prefix, holding)):
            apart = _distance(texts[place], texts[other])
            if apart <= distance:
                found.append(Pair(other, place, apart))
        for term in prefix:
            holding.setdefault(term, []).append(place)
    return sorted(found, key=lambda pair: (pair.one, pair.other))


def _sharing(prefix: Sequence[str], holding: dict[str, list[int]]) -> set[int]:
    return {place for term in prefix for place in holding.get(term, ())}


def _distance(one: frozenset[str], other: frozenset[str]) -> float:
    return 1.0 - len(one & other) / len(one | other)


def tightest(groups: Sequence[Sequence[int]], pairs: Sequence[Pair]) -> Iterator[tuple[int, ...]]:
    """Groups by the mean distance of their members, smallest first; no member comes in two of them."""
    apart = {(pair.one, pair.other): pair.distance for pair in pairs}

    def mean(group: Sequence[int]) -> float:
        distances = [apart[one, other] for one in group for other in group if one < other]
        return sum(distances) / len(distances)

    taken: set[int] = set()
    for group in sorted((tuple(sorted(group)) for group in groups), key=lambda group: (mean(group), group)):
        if taken.isdisjoint(group):
            taken.update(group)
            yield group
