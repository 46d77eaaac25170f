"""Pairs of statements, an older and a newer: corrections, and look-alikes that must leave each other alone.

They are what developers tell a coding agent and what people say of themselves, in eight languages, drawn from frames
and fillers by a seed. Half of each group is *plain*: wordings that any set of rules would have. The other half is
*free*: said another way the second time, with other verbs, with the value in another place, colloquially; a person has
no doubt about them.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks import _corrections_en, _corrections_other, _corrections_romance
from benchmarks._lib import generator

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping

TRUE, ALIKE = "true", "alike"
FREE, PLAIN = "free", "plain"
CELLS = ((TRUE, FREE), (TRUE, PLAIN), (ALIKE, FREE), (ALIKE, PLAIN))
FRAMES: Mapping[str, Mapping[str, Mapping[str, tuple[tuple[str, str], ...]]]] = {
    "en": _corrections_en.FRAMES,
    "pt": _corrections_romance.PORTUGUESE,
    "es": _corrections_romance.SPANISH,
    "fr": _corrections_romance.FRENCH,
    "de": _corrections_other.GERMAN,
    "ru": _corrections_other.RUSSIAN,
    "zh": _corrections_other.CHINESE,
    "ja": _corrections_other.JAPANESE,
}
_POOLS = {**_corrections_romance.POOLS, **_corrections_other.POOLS}
_ASIDES = {"en": _corrections_en.ASIDES, **_corrections_romance.ASIDES, **_corrections_other.ASIDES}
_RISING = frozenset({"version"})
_SLOT = re.compile(r"\{([A-Za-z]+)(\d?)(?:\[(\d)\])?\}")
_TRIES = 30
_DISTRACTED = 0.4
JANUARY, MARCH, JUNE = 1_735_689_600_000_000, 1_740_787_200_000_000, 1_748_736_000_000_000
"""The first days of these months of 2025, in microseconds."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Two sentences with slots."""

    language: str
    why: str
    older: str
    newer: str


@dataclass(frozen=True, slots=True)
class Pair:
    """An older and a newer statement, with others told ``between`` them.

    ``group`` is true or alike, ``wording`` free or plain, ``why`` what sets the two apart. ``stranger`` tells that
    another author made the older one; ``same`` that both say one thing, so that one may be offered as a repeat.
    ``older_from``, ``older_to`` and ``newer_from`` are event times in microseconds, or None.
    """

    id: str
    language: str
    group: str
    wording: str
    why: str
    older: str
    newer: str
    between: tuple[str, ...] = ()
    stranger: bool = False
    same: bool = False
    older_from: int | None = None
    older_to: int | None = None
    newer_from: int | None = None


def frames(group: str, wording: str) -> list[Frame]:
    """The frames of one cell, in all languages."""
    return [
        Frame(language, why, older, newer)
        for language, cells in FRAMES.items()
        for why, pairs in cells[f"{group} {wording}"].items()
        for older, newer in pairs
    ]


def _pool(language: str, name: str) -> tuple[str | tuple[str, ...], ...]:
    return _POOLS.get(language, {}).get(name) or _corrections_en.POOLS[name]


class _Filler:
    """Fills the slots of one frame; no value of a pool is given twice."""

    def __init__(self, rng: random.Random, language: str) -> None:
        self._rng = rng
        self._language = language
        self._left: dict[str, list[str | tuple[str, ...]]] = {}

    def _draw(self, name: str, count: int) -> list[str | tuple[str, ...]] | None:
        if name not in self._left:
            pool = list(_pool(self._language, name))
            self._left[name] = self._rng.sample(pool, len(pool))
        left = self._left[name]
        if len(left) < count:
            return None
        drawn, self._left[name] = left[:count], left[count:]
        return sorted(drawn, key=_pool(self._language, name).index) if name in _RISING else drawn

    def fill(self, *templates: str) -> list[str] | None:
        """The sentences with new values, or None where a pool has no more."""
        slots = {(found[1].lower(), found[2]) for each in templates for found in _SLOT.finditer(each)}
        values: dict[tuple[str, str], str | tuple[str, ...]] = {}
        for name, wanted in itertools.groupby(sorted(slots), key=lambda slot: slot[0]):
            keys = list(wanted)
            drawn = self._draw(name, len(keys))
            if drawn is None:
                return None
            values.update(zip(keys, drawn, strict=True))

        def value(found: re.Match[str]) -> str:
            drawn = values[found[1].lower(), found[2]]
            return drawn if isinstance(drawn, str) else drawn[int(found[3] or 0)]

        return [_SLOT.sub(value, each) for each in templates]


def _between(rng: random.Random, filler: _Filler, frame: Frame) -> tuple[str, ...]:
    """What is told in between: other things, and the older sentence about something else where that can be."""
    if rng.random() >= _DISTRACTED:
        return ()
    said = rng.sample(_ASIDES[frame.language], rng.randint(2, 4))
    if any(found[1][0].isupper() for found in _SLOT.finditer(frame.older)):
        for _ in range(rng.randint(1, 2)):
            said += filler.fill(frame.older) or []
    rng.shuffle(said)
    return tuple(said)


def _pair(rng: random.Random, frame: Frame, group: str, wording: str) -> Pair | None:
    filler = _Filler(rng, frame.language)
    said = filler.fill(frame.older, frame.newer)
    if said is None:
        return None
    apart = frame.why == "another interval"
    return Pair(
        "",
        frame.language,
        group,
        wording,
        frame.why,
        said[0],
        said[1],
        _between(rng, filler, frame),
        stranger=frame.why == "two authors",
        same=frame.why == "says the same",
        older_from=JANUARY if apart else None,
        older_to=MARCH if apart else None,
        newer_from=JUNE if apart else None,
    )


def _cell(rng: random.Random, group: str, wording: str, count: int) -> Iterator[Pair]:
    """As many different pairs, every frame used about as often as every other."""
    seen: set[tuple[str, str]] = set()
    made = 0
    while made < count:
        before = made
        order = frames(group, wording)
        rng.shuffle(order)
        for frame in order:
            for _ in range(_TRIES):
                pair = _pair(rng, frame, group, wording)
                if made < count and pair and (pair.older, pair.newer) not in seen:
                    seen.add((pair.older, pair.newer))
                    yield pair
                    made += 1
                    break
        if made == before:
            raise ValueError(f"The frames give only {made} different pairs that are {group} and {wording}.")


def pairs(seed: int, count: int = 400) -> list[Pair]:
    """As many pairs (a multiple of 4), half of them true, half of each group free."""
    rng = generator(seed)
    return [
        replace(pair, id=f"{group}-{wording}-{number:03}")
        for group, wording in CELLS
        for number, pair in enumerate(_cell(rng, group, wording, count // len(CELLS)))
    ]
