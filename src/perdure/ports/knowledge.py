"""Repositories of the ledger for what is known: memories, their search, changes, proposals."""

from __future__ import annotations

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perdure.domain.ledger import AuditRow, ChangeRow, Criteria, Match
    from perdure.domain.memory import Entry, Link, Memory, Moment, Revision
    from perdure.domain.proposal import Proposal


class Memories(Protocol):
    """Identities, revisions, heads and links. Every read is filtered by the unit's reader."""

    def add(self, memory: Memory) -> None:
        """Record a new identity."""
        ...

    def append(self, revision: Revision) -> Revision:
        """Record a revision as the memory's head and return it with its ``seq`` and ``wording`` set.

        ``wording`` 0 means that the words are new.
        """
        ...

    def link(self, link: Link) -> None:
        """Record a relation; the same one twice is one."""
        ...

    def get(self, memory_id: str, at: Moment) -> Entry | None:
        """The entry as it stood at the two times, or None where the reader may not see one."""
        ...

    def resolve(self, name: str, limit: int) -> Sequence[str]:
        """Ids that a full id or the start of an id's last group can mean, at most ``limit``."""
        ...

    def history(self, memory_id: str) -> Sequence[Revision]:
        """All revisions in order; empty where the reader may not see the memory."""
        ...

    def links(self, memory_id: str) -> Sequence[Link]:
        """Relations of the memory in both directions, to visible memories only."""
        ...

    def heads(self, criteria: Criteria) -> Sequence[Entry]:
        """Entries that meet the criteria, newest event time first."""
        ...

    def entries(self, seqs: Sequence[int], at: Moment) -> Mapping[int, Entry]:
        """For wordings found by a search: the entry that stands at the two times, where its words are those found."""
        ...

    def about(self, audience: str, subject: str, relation: str, limit: int) -> Sequence[int]:
        """Wordings in one audience whose assertion has this subject and relation, newest first."""
        ...

    def said(self, audience: str, digest: str) -> Sequence[str]:
        """The ids of the active memories of the audience with exactly these words, oldest first.

        Kinds that may say a thing twice are not asked.
        """
        ...

    def untouched(self, criteria: Criteria, since: int) -> Sequence[Entry]:
        """The reader's own active entries in scope that nobody wrote or read since a time, longest unwritten first.

        Of the criteria kinds and types are asked, each of them named, and the limit. What is pinned is left out.
        """
        ...

    def count(self) -> int:
        """How many active memories the reader may see in scope."""
        ...


class Search(Protocol):
    """The lexical index."""

    def frequencies(self, terms: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        """How many texts are indexed, and in how many each term occurs; of common terms about how many."""
        ...

    def lexical(self, terms: Sequence[str], *, superseded: bool, limit: int) -> Sequence[Match]:
        """The best wordings in the reader's audiences that hold any of the terms, best first.

        Found are the words of heads that are active, or whose end was still to come when they were written; with
        ``superseded`` all other wordings too.
        """
        ...


class Changes(Protocol):
    """The audit of changes, and the memory of those already made."""

    def begin(self, row: AuditRow) -> int:
        """Record who asks for what, and return the change's number."""
        ...

    def audit(self, change: int) -> AuditRow | None:
        """What was entered for a change of that number."""
        ...

    def made(self, keys: Sequence[str]) -> Mapping[str, ChangeRow]:
        """The changes that idempotency keys already made, by key; keys that made none are left out."""
        ...

    def remember(self, key: str, made: ChangeRow) -> None:
        """Bind an idempotency key to the change it made."""
        ...

    def latest(self, author: str) -> int | None:
        """The author's latest change of a memory that isn't undone."""
        ...

    def revisions(self, change: int) -> Sequence[Revision]:
        """The revisions that a change wrote, in order."""
        ...

    def undone(self, change: int, by: int) -> bool:
        """Mark a change as undone by another; False where it already was."""
        ...

    def undoing(self, change: int) -> int | None:
        """The change that undid a change."""
        ...


class Proposals(Protocol):
    """The review queue. Every author sees and decides their own."""

    def put(self, proposal: Proposal) -> str:
        """Queue a proposal and return its id: that of the one already made for the same action and members, if any.

        What was decided once about the same revisions is not asked again.
        """
        ...

    def get(self, proposal_id: str) -> Proposal | None:
        """The reader's own proposal."""
        ...

    def resolve(self, name: str, limit: int) -> Sequence[str]:
        """Ids of the reader's proposals that a full id or the start of an id's last group can mean."""
        ...

    def pending(self, limit: int) -> Sequence[Proposal]:
        """The reader's undecided proposals, surest first, then oldest first."""
        ...

    def decide(self, decided: Proposal) -> bool:
        """Record standing, note, time and change of a pending proposal; False where it was decided before."""
        ...

    def count(self) -> int:
        """How many proposals await the reader."""
        ...


class Access(Protocol):
    """How often a memory was asked for. Automatic injection is not a read."""

    def read(self, memories: Sequence[str], actor: str, at: int) -> None:
        """Count a read of each memory."""
        ...

    def reads(self, memory_id: str) -> int:
        """How often the memory was read."""
        ...

    def last(self, memory_id: str) -> int:
        """When the memory was last read; 0 where it never was."""
        ...
