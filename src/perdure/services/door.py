"""What every change of the ledger needs: the door's tools, the entry in the audit, the next revision."""

from __future__ import annotations

from perdure.domain.change import Denied
from perdure.domain.ledger import AuditRow
from perdure.domain.memory import LATEST, SUPERSEDES, Cause, Link, Revision, State, handle
from perdure.domain.record import record, replace
from perdure.domain.wording import digest, same_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.change import Change
    from perdure.domain.memory import Entry, Memory, Provenance, Statement
    from perdure.ports import Clock, Ids, Store, Unit
    from perdure.safety.redaction import Redactor

MAX_EXCERPT = 400


@record
class Door:
    """What the door needs."""

    store: Store
    clock: Clock
    ids: Ids
    redactor: Redactor


@record
class Entering:
    """One change on its way in: the unit it is written in, its number, time and origin."""

    unit: Unit
    ids: Ids
    number: int
    now: int
    provenance: Provenance

    def append(self, entry: Entry, statement: Statement, cause: Cause, *, wording: int = 0) -> Revision:
        """Write the next revision of a memory; words that did not change keep their wording."""
        head = entry.revision
        if not wording and same_words(head.statement, statement):
            wording = head.wording
        return self.unit.memories.append(
            Revision(
                seq=0,
                id=self.ids.new(),
                memory=entry.memory.id,
                parent=head.id,
                statement=statement,
                recorded_at=self.now,
                recorded_by=self.unit.reader.author,
                cause=cause,
                digest=digest(statement),
                wording=wording,
                change=self.number,
                provenance=self.provenance,
            )
        )

    def create(self, memory: Memory, statement: Statement, words: str) -> Revision:
        """Write a new identity with its first revision; ``words`` is the digest of the statement."""
        self.unit.memories.add(memory)
        return self.unit.memories.append(
            Revision(
                seq=0,
                id=self.ids.new(),
                memory=memory.id,
                parent="",
                statement=statement,
                recorded_at=self.now,
                recorded_by=memory.author,
                cause=Cause.ADDED,
                digest=words,
                wording=0,
                change=self.number,
                provenance=self.provenance,
            )
        )


def enter(door: Door, unit: Unit, change: Change, memory: str, detail: str = "") -> Entering:
    """Enter in the audit who asks for a change, and why where a rule did; what is written next belongs to it."""
    now = door.clock.now()
    row = AuditRow(
        now, unit.reader.author, type(change).__name__.lower(), memory, change.provenance.channel.value, detail
    )
    return Entering(unit, door.ids, unit.changes.begin(row), now, shortened(change.provenance))


def shortened(origin: Provenance) -> Provenance:
    """A provenance whose excerpt is at most ``MAX_EXCERPT`` characters long."""
    return origin if len(origin.excerpt) <= MAX_EXCERPT else replace(origin, excerpt=origin.excerpt[:MAX_EXCERPT])


def own(unit: Unit, target: str) -> Entry | Denied:
    """The target as it stands, where the reader may change it. What is hidden is missing, in the same words."""
    entry = unit.memories.get(target, LATEST)
    if entry is None:
        return Denied(f"There is no memory {handle(target)}.")
    if entry.memory.author != unit.reader.author:
        return Denied(f"{handle(target)} is {entry.memory.author}'s. Record your own view instead: perdure remember.")
    return entry


def retire(entering: Entering, old: Entry, heir: Entry) -> None:
    """End a statement when its heir begins, and say which that is."""
    known = old.revision.statement
    start = heir.revision.statement.valid_from
    ends = max(known.valid_from, start if known.valid_to is None else min(known.valid_to, start))
    entering.append(old, replace(known, state=State.SUPERSEDED, valid_to=ends, pinned=False), Cause.SUPERSEDED)
    entering.unit.memories.link(Link(heir.memory.id, old.memory.id, SUPERSEDES))
