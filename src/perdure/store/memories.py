"""Memories, their revisions and heads, over an engine's connection. What each method promises is said in the port.

Access is decided in one place: a row leaves only when ``perdure.domain.access`` says that the reader may see it.
"""

from __future__ import annotations

from perdure.domain.access import audience_of
from perdure.domain.errors import Refused
from perdure.domain.memory import KINDS, TRUST_RANK, Entry, Kind, Link, State, Trust, Type, stands_at
from perdure.domain.record import as_dict, replace
from perdure.store import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from perdure.domain.access import Reader
    from perdure.domain.ledger import Criteria
    from perdure.domain.memory import Memory, Moment, Revision
    from perdure.store.rows import Row
    from perdure.store.statements import Statements

    class TextIndex(Protocol):
        """The write side of the lexical index."""

        def put(self, entry: Entry, *, live: bool) -> None:
            """Index a new wording."""
            ...

        def move(self, entry: Entry, *, live: bool) -> None:
            """List a known wording among those that stand, or among those of the past."""
            ...


_ALL = 1 << 62


class SqlMemories:
    """``perdure.ports.Memories``."""

    def __init__(self, run: Statements, reader: Reader, index: TextIndex) -> None:
        """Work for one reader on one connection."""
        self._run = run
        self._reader = reader
        self._index = index
        self._fresh: dict[str, Memory] = {}
        self._saying: set[tuple[str, str]] | None = set()

    def add(self, memory: Memory) -> None:
        self._run.later("add_memory", rows.memory_params(memory))
        self._fresh[memory.id] = memory

    def append(self, revision: Revision) -> Revision:
        fresh = self._fresh.pop(revision.memory, None)
        memory = fresh or self._identity(revision.memory)
        if memory is None:
            raise Refused(f"The ledger refused the change: there is no memory {revision.memory}.")
        seq = self._run.number("newest")
        revision = replace(revision, seq=seq, wording=revision.wording or seq)
        self._run.later("append_revision", rows.revision_params(revision))
        self._run.later("add_source", rows.source_params(revision))
        live = is_live(revision)
        if revision.wording == seq and KINDS[memory.kind].corrects:
            self._index_assertion(revision, audience_of(memory))
        if fresh:
            self._index.put(Entry(memory, revision), live=live)
        else:
            self._index_words(Entry(memory, revision), live=live)
        head = rows.head_params(memory, revision, audience_of(memory), live=live)
        self._run.later("add_head" if fresh else "set_head", head)
        self._note_saying(head, fresh=fresh is not None)
        return revision

    def _index_assertion(self, revision: Revision, audience: str) -> None:
        """List what new words say of whom, where the rules can tell."""
        from perdure.domain import assertions

        found = assertions.of(revision.statement.body)
        if found is not None:
            self._run.later("add_assertion", rows.assertion_params(revision, audience, found))

    def _note_saying(self, head: Mapping[str, Any], *, fresh: bool) -> None:
        """Know what a unit that only adds has said: ``said`` need not have the rest written first."""
        if not fresh:
            self._saying = None
        elif self._saying is not None and head["digest"]:
            self._saying.add((head["audience"], head["digest"]))

    def _index_words(self, entry: Entry, *, live: bool) -> None:
        """List the head's words among those that stand or those of the past, and retire the words before it."""
        revision = entry.revision
        [(wording, was_live)] = self._run("head_of", memory=revision.memory)
        if wording != revision.wording:
            self._index.move(rows.entry_of(self._run("revision", seq=wording)[0]), live=False)
        if revision.wording == revision.seq:
            self._index.put(entry, live=live)
        elif (wording, bool(was_live)) != (revision.wording, live):
            self._index.move(entry, live=live)

    def link(self, link: Link) -> None:
        self._run.later("add_link", as_dict(link))

    def _visible(self, found: list[Row]) -> list[Entry]:
        return [entry for entry in map(rows.entry_of, found) if self._reader.may_read(entry.memory)]

    def get(self, memory_id: str, at: Moment) -> Entry | None:
        if at.known_at is None:
            found = self._visible(self._run("latest_revision", memory=memory_id))
        else:
            found = self._visible(self._run("revision_known_at", memory=memory_id, known_at=at.known_at))
        return found[0] if found and stands_at(found[0].revision.statement, at) else None

    def resolve(self, name: str, limit: int) -> Sequence[str]:
        found = self._run("identity", memory=name) or self._run("handle", low=name, high=name + "\U0010ffff")
        return [memory.id for memory in map(rows.memory_of, found) if self._reader.may_read(memory)][:limit]

    def history(self, memory_id: str) -> Sequence[Revision]:
        return [entry.revision for entry in self._visible(self._run("chain", memory=memory_id))]

    def links(self, memory_id: str) -> Sequence[Link]:
        found = [Link(*row) for row in self._run("links_of", memory=memory_id)]
        seen = {name: self._readable(name) for link in found for name in (link.src, link.dst)}
        return [link for link in found if seen[link.src] and seen[link.dst]]

    def _identity(self, memory_id: str) -> Memory | None:
        found = self._run("identity", memory=memory_id)
        return rows.memory_of(found[0]) if found else None

    def _readable(self, memory_id: str) -> bool:
        memory = self._identity(memory_id)
        return memory is not None and self._reader.may_read(memory)

    def heads(self, criteria: Criteria) -> Sequence[Entry]:
        found: list[Entry] = []
        for audience in self._reader.audiences():
            for statement, params in self._listings(criteria):
                found += self._visible(self._run(statement, audience=audience, as_of=criteria.at.as_of, **params))
        chosen = {entry.memory.id: entry for entry in found if meets(entry, criteria)}
        ordered = sorted(chosen.values(), key=_newest_first, reverse=True)
        return ordered[: criteria.limit]

    @staticmethod
    def _listings(criteria: Criteria) -> list[tuple[str, dict[str, Any]]]:
        if criteria.at.known_at is not None:
            return [("heads_known_at", {"known_at": criteria.at.known_at})]
        common = {"trust": TRUST_RANK[Trust.MODEL] if criteria.injectable else 0, "limit": criteria.limit}
        if criteria.pinned:
            limit = {"limit": _ALL} if criteria.kinds or criteria.types else {}
            return [("heads_pinned", common | limit)]
        if criteria.types:
            limit = {"limit": _ALL} if criteria.kinds else {}
            if criteria.types == (Type.PREFERENCE,):  # the one sort that every session asks for has its own index
                return [("heads_of_preferences", common | limit)]
            return [("heads_by_type", {"type": kind.value} | common | limit) for kind in criteria.types]
        kinds = criteria.kinds or tuple(Kind)
        return [("heads_by_kind", {"kind": kind.value} | common) for kind in kinds]

    def entries(self, seqs: Sequence[int], at: Moment) -> Mapping[int, Entry]:
        allowed = set(self._reader.audiences())
        return {
            entry.revision.wording: entry
            for entry in self._entries_of_wordings(seqs, at)
            if audience_of(entry.memory) in allowed and stands_at(entry.revision.statement, at)
        }

    def _entries_of_wordings(self, seqs: Sequence[int], at: Moment) -> list[Entry]:
        if at.known_at is None:
            return self._visible(self._run("latest_of_wordings", seqs=f"[{','.join(map(str, seqs))}]"))
        known: list[Entry] = []
        for seq in seqs:
            for (memory,) in self._run("memory_of_wording", seq=seq):
                known += self._visible(self._run("revision_known_at", memory=memory, known_at=at.known_at))
        return [entry for entry in known if entry.revision.wording in seqs]

    def about(self, audience: str, subject: str, relation: str, limit: int) -> Sequence[int]:
        found = self._run("about", audience=audience, subject=subject, relation=relation, limit=limit)
        return [row[0] for row in found]

    def said(self, audience: str, digest: str) -> Sequence[str]:
        known = self._saying is not None and (audience, digest) not in self._saying
        found = (self._run.aside if known else self._run)("said", audience=audience, digest=digest)
        return [row[0] for row in found if self._readable(row[0])]

    def untouched(self, criteria: Criteria, since: int) -> Sequence[Entry]:
        common = {"author": self._reader.author, "since": since, "limit": criteria.limit}
        found = [
            entry
            for audience in self._reader.audiences()
            for kind in criteria.kinds
            for sort in criteria.types
            for entry in self._visible(
                self._run("untouched", audience=audience, kind=kind.value, type=sort.value, **common)
            )
        ]
        return sorted(found, key=lambda entry: entry.revision.seq)[: criteria.limit]

    def count(self) -> int:
        return sum(self._run("count_active", audience=audience)[0][0] for audience in self._reader.audiences())


def is_live(revision: Revision) -> bool:
    """Whether the index lists the statement among those that stand, as far as was known when it was written."""
    statement = revision.statement
    return statement.state is State.ACTIVE or (
        statement.state is not State.RETRACTED
        and statement.valid_to is not None
        and statement.valid_to > revision.recorded_at
    )


def meets(entry: Entry, criteria: Criteria) -> bool:
    """Whether an entry meets the criteria: the one definition, which statements may only anticipate."""
    statement = entry.revision.statement
    return (
        (not criteria.kinds or entry.memory.kind in criteria.kinds)
        and (not criteria.types or statement.type in criteria.types)
        and (not criteria.pinned or statement.pinned)
        and (not criteria.injectable or TRUST_RANK[entry.revision.provenance.trust] >= TRUST_RANK[Trust.MODEL])
        and stands_at(statement, criteria.at)
    )


def _newest_first(entry: Entry) -> tuple[int, int]:
    return (entry.revision.statement.valid_from, entry.revision.seq)
