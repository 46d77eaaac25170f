"""Memories with duplicates planted among them, and with look-alikes that only seem to be duplicates.

Each memory carries what it *means*: two are duplicates if and only if they mean the same.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks._corpus import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator

NEAR, PARAPHRASE, NUMBER, NAME, NEGATION, SERIES, PLAIN = (
    "nearly the same words",
    "a paraphrase",
    "another number",
    "another name",
    "a negation",
    "a series",
    "plain",
)
DUPLICATES = (NEAR, PARAPHRASE)
LOOK_ALIKES = (NUMBER, NAME, NEGATION)
PLANTED = 30
"""One memory in so many begins a family: it has a twin, which is a duplicate or a look-alike."""
LONGEST_SERIES = 40

FRAMES = (
    (
        "The {name} job removes stale {noun} entries from the {other} table every {number} minutes.",
        "The {name} task deletes outdated {noun} rows in the {other} table once per {number} minutes.",
        "The {name} job doesn't remove stale {noun} entries from the {other} table every {number} minutes.",
    ),
    (
        "Always run the {name} check before a {noun} release, it takes {number} seconds on {other}.",
        "Before you ship a {noun} release, make sure to run the {name} check ({number} seconds on {other}).",
        "Never run the {name} check before a {noun} release, it takes {number} seconds on {other}.",
    ),
    (
        "{name} retries a failed {noun} request {number} times before it falls back to {other}.",
        "When a {noun} request fails, {name} tries again {number} times and then resorts to {other}.",
        "{name} does not retry a failed {noun} request {number} times before it falls back to {other}.",
    ),
    (
        "The {noun} dashboard of {name} is built with {other} and refreshes each {number} seconds.",
        "{name} has a {noun} dashboard made with {other} that reloads every {number} seconds.",
        "The {noun} dashboard of {name} is not built with {other} and refreshes each {number} seconds.",
    ),
    (
        "{name} wants {noun} changes to be reviewed by {number} people from the {other} team.",
        "For {noun} changes {name} asks that {number} people of the {other} team look at them.",
        "{name} doesn't want {noun} changes to be reviewed by {number} people from the {other} team.",
    ),
    (
        "Uploads of {noun} files larger than {number} megabytes are rejected by {name} unless {other} is set.",
        "{name} refuses {noun} files above {number} megabytes on upload, except where {other} is set.",
        "Uploads of {noun} files larger than {number} megabytes are not rejected by {name} unless {other} is set.",
    ),
    (
        "The {name} server needs {number} GB of memory for the {noun} cache since {other} was added.",
        "Since {other} was added, {name} requires {number} GB of RAM to hold the {noun} cache.",
        "The {name} server no longer needs {number} GB of memory for the {noun} cache since {other} was added.",
    ),
    (
        "Our {noun} tests are flaky on {other} because {name} starts {number} seconds too late.",
        "On {other} the {noun} tests fail now and then, as {name} comes up {number} seconds late.",
        "Our {noun} tests are not flaky on {other} because {name} starts {number} seconds too late.",
    ),
)
"""A statement, a paraphrase of it, and its negation."""
_NOUNS = (
    "invoice",
    "shipment",
    "customer",
    "ledger",
    "thumbnail",
    "voucher",
    "calendar",
    "contract",
    "sensor",
    "atlas",
)
_SYLLABLES = ("ba", "dor", "fen", "gul", "hir", "jam", "kel", "lon", "mur", "nit", "pav", "quo", "ras", "tev", "wix")


@dataclass(frozen=True, slots=True)
class Planted:
    """A memory: its words, what it means, and how it is like the one that began its family."""

    body: str
    meaning: str
    sort: str = PLAIN
    family: int = -1


class Planter:
    """Writes memories from a seed."""

    def __init__(self, seed: int) -> None:
        """Begin."""
        self._writer = Writer(seed)
        self.rng = self._writer.rng

    def _name(self) -> str:
        return "".join(self.rng.choices(_SYLLABLES, k=3)).title()

    def _near(self, body: str) -> str:
        """The same in other letters, signs or with a word that says nothing."""
        plain = body.removesuffix(".")
        return self.rng.choice(
            (
                plain,
                plain + "!",
                plain.lower() + ".",
                "Note: " + body,
                "By the way, " + body[0].lower() + body[1:],
                body.replace(" the ", " the  ", 1) + " ",
            )
        )

    def family(self, number: int, sort: str) -> list[Planted]:
        """A statement and its twin of the given sort."""
        rng = self.rng
        said, again, negated = rng.choice(FRAMES)
        count = rng.randint(2, 900)
        values = {"name": self._name(), "other": self._name(), "noun": rng.choice(_NOUNS), "number": count}
        meaning = f"family {number}"
        body = said.format(**values)
        twin = {
            NEAR: self._near(body),
            PARAPHRASE: again.format(**values),
            NUMBER: said.format(**values | {"number": count + rng.randint(1, 90)}),
            NAME: said.format(**values | {"name": self._name()}),
            NEGATION: negated.format(**values),
        }[sort]
        told = meaning if sort in DUPLICATES else f"{meaning}, {sort}"
        return [Planted(body, meaning, sort, number), Planted(twin, told, sort, number)]

    def series(self, number: int) -> list[Planted]:
        """Many statements in a row of which each is like its neighbours and none is another's duplicate."""
        rng = self.rng
        name, other, noun = self._name(), self._name(), rng.choice(_NOUNS)
        return [
            Planted(
                f"Build {step} of {name} passed all {noun} tests on {other} after {rng.randint(40, 400)} seconds.",
                f"series {number}, {step}",
                SERIES,
                number,
            )
            for step in range(1000, 1000 + rng.randint(8, LONGEST_SERIES))
        ]

    def other(self, number: int) -> Planted:
        """A statement like no other."""
        return Planted(self._writer.sentence(), f"plain {number}")


def planted(seed: int, count: int) -> list[Planted]:
    """As many memories in a random order."""
    planter = Planter(seed)
    made = list(itertools.islice(_members(planter, count), count))
    planter.rng.shuffle(made)
    return made


def _members(planter: Planter, count: int) -> Iterator[Planted]:
    sorts = (*DUPLICATES, *LOOK_ALIKES)
    for number in range(count // PLANTED):
        yield from planter.family(number, sorts[number % len(sorts)])
    for number in range(max(1, count // 1_000)):
        yield from planter.series(number)
    for number in range(count):
        yield planter.other(number)
