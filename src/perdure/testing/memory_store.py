"""The store port in plain dicts: the model of the engines, and a fast store for tests of services.

It says what each method means in the plainest way: every read looks at all rows. A unit works on a
copy of the rows, which replaces them when a writing unit ends well.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from contextlib import contextmanager, nullcontext

from perdure.domain import assertions
from perdure.domain.access import audience_of, visible
from perdure.domain.errors import Unavailable
from perdure.domain.ledger import Match
from perdure.domain.memory import KINDS, TRUST_RANK, Entry, Scope, State, Trust, stands_at
from perdure.domain.record import replace
from perdure.domain.terms import terms
from perdure.testing.memory_orders import MemoryOrders, MemorySpending
from perdure.testing.memory_proposals import MemoryProposals
from perdure.testing.memory_rows import (
    MemoryAccess,
    MemoryChanges,
    MemoryJobs,
    MemoryMeta,
    MemoryProjects,
    MemorySessions,
    Rows,
    refuse,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perdure.domain.access import Reader
    from perdure.domain.ledger import Criteria
    from perdure.domain.memory import Link, Memory, Moment, Revision
    from perdure.ports import Unit


class Memories:
    """``perdure.ports.Memories``."""

    def __init__(self, rows: Rows, reader: Reader) -> None:
        """See the rows as a reader."""
        self._rows = rows
        self._reader = reader

    def add(self, memory: Memory) -> None:
        refuse(when=memory.id in self._rows.memories, because=f"{memory.id} is taken")
        refuse(when=not memory.author, because="a memory has an author")
        refuse(when=memory.scope is Scope.PROJECT and not memory.project, because="a shared memory has a project")
        self._rows.memories[memory.id] = memory

    def append(self, revision: Revision) -> Revision:
        statement = revision.statement
        refuse(when=revision.memory not in self._rows.memories, because=f"there is no memory {revision.memory}")
        refuse(
            when=any(known.id == revision.id for known in self._rows.revisions),
            because=f"{revision.id} is taken",
        )
        refuse(when=not revision.recorded_by, because="a revision has an author")
        refuse(when=not 0 <= statement.importance <= 1, because="importance lies in 0..1")
        refuse(when=not 0 <= statement.confidence <= 1, because="confidence lies in 0..1")
        seq = len(self._rows.revisions) + 1
        revision = replace(revision, seq=seq, wording=revision.wording or seq)
        self._rows.revisions.append(revision)
        return revision

    def link(self, link: Link) -> None:
        for end in (link.src, link.dst):
            refuse(when=end not in self._rows.memories, because=f"there is no memory {end}")
        self._rows.links[link] = None

    def get(self, memory_id: str, at: Moment) -> Entry | None:
        entry = self._rows.known(memory_id, at.known_at) if self._may_read(memory_id) else None
        return entry if entry and stands_at(entry.revision.statement, at) else None

    def _may_read(self, memory_id: str) -> bool:
        memory = self._rows.memories.get(memory_id)
        return memory is not None and self._reader.may_read(memory)

    def resolve(self, name: str, limit: int) -> Sequence[str]:
        exact = [known for known in self._rows.memories if known == name]
        found = exact or [known for known in self._rows.memories if known.rpartition("-")[2].startswith(name)]
        return sorted(filter(self._may_read, found))[:limit]

    def history(self, memory_id: str) -> Sequence[Revision]:
        chain = [revision for revision in self._rows.revisions if revision.memory == memory_id]
        return chain if self._may_read(memory_id) else []

    def links(self, memory_id: str) -> Sequence[Link]:
        found = [
            link
            for link in self._rows.links
            if memory_id in {link.src, link.dst} and self._may_read(link.src) and self._may_read(link.dst)
        ]
        return sorted(found, key=lambda link: (link.kind, link.src, link.dst))

    def _in_scope(self, known_at: int | None = None) -> Iterator[Entry]:
        for memory in self._rows.memories.values():
            entry = self._rows.known(memory.id, known_at)
            if entry and visible(memory, self._reader):
                yield entry

    def heads(self, criteria: Criteria) -> Sequence[Entry]:
        found = [entry for entry in self._in_scope(criteria.at.known_at) if _meets(entry, criteria)]
        found.sort(key=lambda entry: (entry.revision.statement.valid_from, entry.revision.seq), reverse=True)
        return found[: criteria.limit]

    def untouched(self, criteria: Criteria, since: int) -> Sequence[Entry]:
        found = [
            entry
            for entry in self._in_scope()
            if entry.memory.author == self._reader.author
            and entry.memory.kind in criteria.kinds
            and entry.revision.statement.type in criteria.types
            and entry.revision.statement.state is State.ACTIVE
            and not entry.revision.statement.pinned
            and max(entry.revision.recorded_at, self._rows.reads.get(entry.memory.id, (0, 0))[1]) < since
        ]
        return sorted(found, key=lambda entry: entry.revision.seq)[: criteria.limit]

    def entries(self, seqs: Sequence[int], at: Moment) -> Mapping[int, Entry]:
        standing = {
            entry.revision.wording: entry
            for entry in self._in_scope(at.known_at)
            if stands_at(entry.revision.statement, at)
        }
        return {seq: standing[seq] for seq in seqs if seq in standing}

    def about(self, audience: str, subject: str, relation: str, limit: int) -> Sequence[int]:
        found = []
        for revision in self._rows.revisions:
            memory = self._rows.memories[revision.memory]
            if revision.wording == revision.seq and KINDS[memory.kind].corrects and audience_of(memory) == audience:
                assertion = assertions.of(revision.statement.body)
                if assertion is not None and assertion.key == (subject, relation):
                    found.append(revision.seq)
        return found[::-1][:limit]

    def said(self, audience: str, digest: str) -> Sequence[str]:
        found = [
            entry
            for entry in map(self._rows.known, self._rows.memories)
            if entry
            and self._reader.may_read(entry.memory)
            and not KINDS[entry.memory.kind].repeats
            and (audience_of(entry.memory), entry.revision.digest) == (audience, digest)
            and entry.revision.statement.state is State.ACTIVE
        ]
        return [entry.memory.id for entry in sorted(found, key=lambda entry: entry.revision.seq)]

    def count(self) -> int:
        return sum(entry.revision.statement.state is State.ACTIVE for entry in self._in_scope())


def _meets(entry: Entry, criteria: Criteria) -> bool:
    statement, trust = entry.revision.statement, entry.revision.provenance.trust
    return (
        (not criteria.kinds or entry.memory.kind in criteria.kinds)
        and (not criteria.types or statement.type in criteria.types)
        and (not criteria.pinned or statement.pinned)
        and (not criteria.injectable or TRUST_RANK[trust] >= TRUST_RANK[Trust.MODEL])
        and stands_at(statement, criteria.at)
    )


class Search:
    """``perdure.ports.Search``: BM25 over title, tags and body alike."""

    SATURATION = 1.2
    LENGTH = 0.75

    def __init__(self, rows: Rows, reader: Reader) -> None:
        """See the rows as a reader."""
        self._rows = rows
        self._reader = reader

    def _texts(self) -> dict[int, Counter[str]]:
        """The terms of each wording with their counts."""
        said = {known.seq: known.statement for known in self._rows.revisions if known.wording == known.seq}
        return {
            seq: Counter([*terms(f"{known.title} {' '.join(known.tags)}"), *terms(known.body)])
            for seq, known in said.items()
        }

    def frequencies(self, terms: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        texts = self._texts().values()
        return len(texts), {term: sum(term in text for text in texts) for term in terms}

    def lexical(self, terms: Sequence[str], *, superseded: bool, limit: int) -> Sequence[Match]:
        texts = self._texts()
        total, frequencies = self.frequencies(terms)
        average = sum(text.total() for text in texts.values()) / total if total else 1.0
        found = []
        for seq, text in texts.items():
            if self._listed(seq, superseded=superseded) and any(term in text for term in terms):
                weight = 1 - self.LENGTH + self.LENGTH * text.total() / average
                found.append(Match(seq, self._bm25(text, total, frequencies, weight)))
        return sorted(found, key=lambda match: (-match.score, match.seq))[:limit]

    def _bm25(self, text: Counter[str], total: int, frequencies: Mapping[str, int], weight: float) -> float:
        score = 0.0
        for term, known in frequencies.items():
            rarity = math.log(1 + (total - known + 0.5) / (known + 0.5))
            count = text[term]
            score += rarity * count * (self.SATURATION + 1) / (count + self.SATURATION * weight)
        return score

    def _listed(self, seq: int, *, superseded: bool) -> bool:
        """Whether a wording is searched: in scope, and among those that stand unless all are asked for."""
        memory = self._rows.memories[self._rows.revisions[seq - 1].memory]
        head = self._rows.known(memory.id)
        standing = head is not None and head.revision.wording == seq and _stands(head.revision)
        return visible(memory, self._reader) and (standing or superseded)


def _stands(revision: Revision) -> bool:
    """Whether a statement held when its revision was recorded, as far as its end was known then."""
    statement = revision.statement
    if statement.state in {State.SUPERSEDED, State.EXPIRED}:
        return statement.valid_to is not None and statement.valid_to > revision.recorded_at
    return statement.state is State.ACTIVE


class MemoryUnit:
    """``perdure.ports.Unit``."""

    def __init__(self, rows: Rows, reader: Reader) -> None:
        """See a copy of the rows as a reader."""
        self.reader = reader
        self.memories = Memories(rows, reader)
        self.search = Search(rows, reader)
        self.changes = MemoryChanges(rows)
        self.sessions = MemorySessions(rows, reader)
        self.projects = MemoryProjects(rows)
        self.jobs = MemoryJobs(rows)
        self.proposals = MemoryProposals(rows, reader)
        self.orders = MemoryOrders(rows, reader)
        self.spending = MemorySpending(rows, reader)
        self.access = MemoryAccess(rows)
        self.meta = MemoryMeta(rows)


class Ledger:
    """The rows that several stores share, and the lock that writers take in turn."""

    def __init__(self) -> None:
        """Begin empty."""
        self.rows = Rows()
        self.writing = threading.Lock()


class MemoryStore:
    """``perdure.ports.Store`` in memory; several on one ``Ledger`` are like processes on one file."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        """Open a ledger, or a new one."""
        self._ledger = ledger or Ledger()
        self._open = False

    @contextmanager
    def unit(self, reader: Reader, *, write: bool = False) -> Iterator[Unit]:
        """See the port."""
        if self._open:
            raise Unavailable("This store is within a unit already.")
        with self._ledger.writing if write else nullcontext():
            self._open = True
            try:
                rows = self._ledger.rows.copy()
                yield MemoryUnit(rows, reader)
                if write:
                    self._ledger.rows = rows
            finally:
                self._open = False
