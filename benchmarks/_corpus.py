"""Made-up memories with the statistics of real ones, and a store full of them.

Words follow Zipf's law over some hundred common ones and a long tail; names in code, paths and error codes stand among
them. The same seed gives the same texts.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from typing import TYPE_CHECKING, cast

from benchmarks._home import AUTHOR, REMOTE
from benchmarks._lib import BUILD, generator
from perdure.domain.access import Reader
from perdure.domain.change import Add, Draft
from perdure.domain.ledger import ProjectRow
from perdure.domain.memory import Channel, Kind, provenance
from perdure.domain.project import project_keys
from perdure.safety.redaction import default_redactor
from perdure.services.write import Door, commit_all
from perdure.store import catalogue
from perdure.store.sqlite import open_reader, open_store
from perdure.system.clock import SystemClock
from perdure.system.ids import SystemIds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perdure.store.sqlite import SqliteStore

BATCH = 500
PROJECT = "harbour"
OTHERS = ("lantern", "orchard", "quarry", "mill")
DAY = 86_400_000_000
START = 1_740_000_000_000_000
TAIL = 30_000
SHORTEST, LONGEST = 150, 400

_GLUE = """the a of to and in is for with on that by it as not from when then must only be this every after before
because so than into over under one all no we our each"""
_COMMON = """request response server client retry timeout database table index query test deploy build release branch
commit merge review file folder path cache token user account order invoice price discount payment report import export
schema column field value error warning log trace queue worker job batch event handler service module package version
config setting default limit window session login password email address customer product stock shipment delivery
timezone date parser encoder stream buffer socket thread lock transaction migration backup restore replica cluster node
container image volume network proxy header cookie route endpoint page button form input layout style theme color font
search filter sort cursor offset total count average median budget quota alert metric dashboard owner team member role
permission policy rule check verify decide keep replace remove rename split join move copy read write send receive start
stop fail pass skip wait block open close lock slow fast large small old new wrong right shared private public stable
flaky broken missing duplicate empty full partial daily weekly monthly nightly manual automatic"""
_SYLLABLES = "ba be bi bo ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to va ve"


class Writer:
    """Writes texts from a seed."""

    def __init__(self, seed: int) -> None:
        """Make the vocabulary, most common words first."""
        self.rng = generator(seed)
        syllables = _SYLLABLES.split()
        tail = {"".join(self.rng.choices(syllables, k=self.rng.randint(2, 5))) for _ in range(TAIL)}
        drawn = sorted(tail)
        self.rng.shuffle(drawn)
        self._words = [*_COMMON.split(), *drawn]
        self._glue = _GLUE.split()
        self._weights = list(itertools.accumulate((rank + 3) ** -1.1 for rank in range(1, len(self._words) + 1)))

    def _some(self, count: int) -> list[str]:
        return self.rng.choices(self._words, cum_weights=self._weights, k=count)

    def _identifier(self) -> str:
        one, two, three = self._some(3)
        return self.rng.choice(
            (
                f"{one}{two.title()}{three.title()}",
                f"{one}_{two}",
                f"src/{one}/{two}.py:{self.rng.randint(1, 900)}",
                f"{one[0].upper()}{self.rng.randint(1000, 9999)}",
                f"{one}.{two}()",
            )
        )

    def sentence(self) -> str:
        """One sentence of 6 to 18 words."""
        said = []
        for word in self._some(self.rng.randint(6, 18)):
            said.append(word if self.rng.random() > 0.06 else self._identifier())  # noqa: PLR2004 - one name in 17 words
            if self.rng.random() < 0.5:  # noqa: PLR2004 - half the words are followed by one that says nothing
                said.append(self.rng.choice(self._glue))
        text = " ".join(said)
        return f"{text[0].upper()}{text[1:]}."

    def text(self) -> str:
        """A memory's words, 150 to 400 characters."""
        wanted = self.rng.randint(SHORTEST, LONGEST - 60)
        text = self.sentence()
        while len(text) < wanted:
            text += " " + self.sentence()
        return text[:LONGEST].rstrip()

    def question(self, text: str) -> str:
        """Three to eight of a text's words in their order, most of them said next to each other."""
        words = text.split()
        count = min(self.rng.randint(3, 8), len(words))
        start = self.rng.randint(0, len(words) - count)
        near = words[start : start + count - 1]
        return " ".join([*near, self.rng.choice(words)]).rstrip(".")

    def draft(self, number: int) -> Draft:
        """A memory like those that a year of sessions leaves: half of it in the project that is asked later."""
        rng = self.rng
        kind = rng.choices((Kind.EPISODE, Kind.FACT, Kind.CASE, Kind.FORESIGHT, Kind.NOTE), weights=(60, 25, 8, 4, 3))[
            0
        ]
        project = rng.choices((PROJECT, *OTHERS, ""), weights=(50, 10, 10, 10, 10, 10))[0]
        at = START + number * 300_000_000
        return Draft(
            kind,
            self.text(),
            project=project,
            importance=rng.choice((0.3, 0.5, 0.7)),
            valid_from=at,
            valid_to=at + 30 * DAY if kind is Kind.FORESIGHT else None,
            pinned=rng.random() < 0.0005,  # noqa: PLR2004 - people pin few things
            attrs={"turn": f"turn-{number // 2}"} if kind in {Kind.EPISODE, Kind.FACT} else {},
        )


def changes(seed: int, count: int) -> Iterator[Add]:
    """As many additions."""
    writer = Writer(seed)
    for number in range(count):
        draft = writer.draft(number)
        channel = Channel.IMPORT if draft.kind is Kind.FACT else Channel.ASSISTANT_INFERENCE
        yield Add(draft, provenance(channel, f"session-{number // 40}"), key=f"bench/{number}")


def new_store(path: str) -> tuple[SqliteStore, Door]:
    """A new store at a path with the projects in it, and its door."""
    store = open_store(path)
    with store.unit(Reader(AUTHOR), write=True) as unit:
        for name in (PROJECT, *OTHERS):
            remote = REMOTE.replace(PROJECT, name)
            keys = [str(key) for key in project_keys(None, remote, (), f"/srv/{name}")]
            unit.projects.create(ProjectRow(name, name, START), keys)
            unit.projects.admit(name, AUTHOR, START)
    return store, Door(store, SystemClock(), SystemIds(), default_redactor())


def reader(*, everywhere: bool = False) -> Reader:
    """The author, asking in the project that holds half of the memories."""
    return Reader(AUTHOR, frozenset((PROJECT, *OTHERS)), PROJECT, everywhere)


def fill(door: Door, asking: Reader, adding: Iterator[Add]) -> int:
    """Put changes through the door in batches of ``BATCH``, and count those written."""
    written = 0
    while batch := list(itertools.islice(adding, BATCH)):
        written += len(commit_all(door, asking, batch))
    return written


def ledger(seed: int, count: int) -> str:
    """The path of a closed store with as many memories, built once for each schema and corpus."""
    shape = hashlib.sha256(repr((seed, count, catalogue.migrations("sqlite"))).encode())
    for module in (__file__, os.path.join(os.path.dirname(catalogue.__file__), "..", "domain", "terms.py")):
        with open(module, "rb") as file:
            shape.update(file.read())
    path = os.path.join(BUILD, f"ledger-{count}-{shape.hexdigest()[:12]}.db")
    if not os.path.exists(path):
        os.makedirs(BUILD, exist_ok=True)
        _forget(str(count))
        making = f"{path}.{os.getpid()}.tmp"
        store, door = new_store(making)
        fill(door, reader(), changes(seed, count))
        close(store)
        os.replace(making, path)
    return path


def close(store: SqliteStore) -> None:
    """Close a store with all of it in its one file."""
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()


def _forget(prefix: str) -> None:
    """Drop stores of the same size that an older schema or corpus made."""
    for name in os.listdir(BUILD):
        if name.startswith((f"ledger-{prefix}-", f"plain-{prefix}-")):
            os.unlink(os.path.join(BUILD, name))


def project_texts(path: str) -> list[tuple[int, str]]:
    """Number and words of the memories of the project that is asked."""
    store = open_reader(path, lambda: False)
    found = store.connection.execute(
        "SELECT r.seq, r.body FROM revision r JOIN memory m ON m.id = r.memory WHERE m.project = ?", (PROJECT,)
    ).fetchall()
    store.close()
    return cast("list[tuple[int, str]]", found)


def questions(texts: Sequence[tuple[int, str]], seed: int, count: int) -> list[str]:
    """Questions about texts drawn from those."""
    writer = Writer(seed)
    return [writer.question(writer.rng.choice(texts)[1]) for _ in range(count)]
