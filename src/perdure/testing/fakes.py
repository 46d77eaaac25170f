"""Fakes of the small ports, and builders with defaults, so that a test says only what it is about."""

from __future__ import annotations

from perdure.domain.change import Draft
from perdure.domain.instants import DAY, SECOND
from perdure.domain.ledger import AuditRow
from perdure.domain.memory import (
    Cause,
    Channel,
    Entry,
    Kind,
    Memory,
    Provenance,
    Revision,
    Scope,
    Statement,
    Trust,
    Type,
)
from perdure.domain.record import replace
from perdure.domain.wording import digest, same_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from perdure.domain.spool import Pointer
    from perdure.ports import Unit

START = 20_000 * DAY
"""When a fake's time begins: 2024-10-04T00:00:00+00:00."""

BY_USER = Provenance(Channel.USER_MESSAGE, Trust.USER)


class FakeClock:
    """``perdure.ports.Clock`` that goes on by ``step`` microseconds each time it is asked."""

    def __init__(self, at: int = START, step: int = SECOND) -> None:
        """Begin at an instant; a ``step`` of 0 makes time stand still."""
        self.at = at
        self.step = step

    def now(self) -> int:
        at = self.at
        self.at += self.step
        return at

    def pass_by(self, microseconds: int) -> None:
        """Let time pass."""
        self.at += microseconds


class SequentialIds:
    """``perdure.ports.Ids`` that counts: ids are valid UUIDv7 texts in order, as are their short names."""

    def __init__(self, after: int = 0) -> None:
        """Begin with the next number."""
        self._ids = after
        self._nonces = 0

    def new(self) -> str:
        self._ids += 1
        return f"01900000-0000-7000-8000-{self._ids:08x}0000"

    def nonce(self) -> str:
        self._nonces += 1
        return f"{self._nonces:032x}"


class FakeSpool:
    """``perdure.ports.Spool`` in a dict."""

    def __init__(self, pointers: Iterable[Pointer] = ()) -> None:
        """Begin with what has arrived already."""
        self._kept: dict[str, Pointer] = {}
        self._arrived = 0
        for pointer in pointers:
            self.put(pointer)

    def put(self, pointer: Pointer) -> None:
        self._arrived += 1
        self._kept[f"{self._arrived:08}"] = pointer

    def pending(self) -> Iterator[tuple[str, Pointer]]:
        yield from list(self._kept.items())

    def remove(self, names: Iterable[str]) -> None:
        for name in names:
            self._kept.pop(name, None)


def memory(memory_id: str, **changes: Any) -> Memory:  # noqa: ANN401 - fields of Memory
    """An identity: ana's private fact of no project, unless told otherwise."""
    return replace(Memory(memory_id, Kind.FACT, "ana", Scope.PRIVATE, "", START), **changes)


def statement(body: str = "The build runs on make.", **changes: Any) -> Statement:  # noqa: ANN401
    """A statement that holds from the start of time, unless told otherwise."""
    return replace(Statement(body, Type.SEMANTIC, valid_from=0), **changes)


def draft(body: str = "The build runs on make.", **changes: Any) -> Draft:  # noqa: ANN401
    """A fact to be recorded, unless told otherwise."""
    return replace(Draft(Kind.FACT, body), **changes)


def revision(memory_id: str, said: Statement, **changes: Any) -> Revision:  # noqa: ANN401
    """A first revision with new words, recorded by ana from a user's message, unless told otherwise."""
    first = Revision(
        seq=0,
        id=f"r/{memory_id}",
        memory=memory_id,
        parent="",
        statement=said,
        recorded_at=START,
        recorded_by="ana",
        cause=Cause.ADDED,
        digest=digest(said),
        wording=0,
        change=0,
        provenance=BY_USER,
    )
    return replace(first, **changes)


class Scribe:
    """Writes memories into a unit as the one door does, without its checks."""

    def __init__(self, after: int = 0) -> None:
        """Name memories and revisions in order, beginning with the next number."""
        self.ids = SequentialIds(after)

    @classmethod
    def anew(cls, unit: Unit) -> Scribe:
        """Begin where no scribe has been in this store, with room for a hundred names."""
        return cls(after=1_000_000 + 100 * cls.change(unit, memory("anew"), START))

    def add(self, unit: Unit, said: Statement, at: int = START, **identity: Any) -> Entry:  # noqa: ANN401
        """Record a new memory; ``identity`` changes fields of ``memory``, ``change`` or ``provenance``."""
        origin, change = identity.pop("provenance", BY_USER), identity.pop("change", 0)
        named = memory(identity.pop("id", "") or self.ids.new(), **({"created": at} | identity))
        unit.memories.add(named)
        first = revision(
            named.id,
            said,
            id=self.ids.new(),
            recorded_at=at,
            recorded_by=named.author,
            change=change or self.change(unit, named, at),
            provenance=origin,
        )
        return Entry(named, unit.memories.append(first))

    def revise(self, unit: Unit, entry: Entry, said: Statement, at: int, **changes: Any) -> Entry:  # noqa: ANN401
        """Record the next revision of an entry's memory; words that stay keep their wording."""
        head = entry.revision
        fresh = {
            "id": self.ids.new(),
            "parent": head.id,
            "recorded_at": at,
            "recorded_by": entry.memory.author,
            "cause": Cause.EDITED,
            "wording": head.wording if same_words(head.statement, said) else 0,
        }
        if "change" not in changes:
            fresh["change"] = self.change(unit, entry.memory, at)
        following = revision(entry.memory.id, said, **(fresh | changes))
        return Entry(entry.memory, unit.memories.append(following))

    @staticmethod
    def change(unit: Unit, named: Memory, at: int, action: str = "add") -> int:
        """Number a change of the memory's author."""
        return unit.changes.begin(AuditRow(at, named.author, action, named.id, Channel.USER_MESSAGE.value))
