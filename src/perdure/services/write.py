"""The one door: every change of the ledger, whoever asks for it, goes through ``commit``.

Here and nowhere else a change is authorised, redacted, validated, checked for novelty, entered in the audit and
written, all in one transaction. What a caller must expect comes back as a value of ``Outcome``.
"""

from __future__ import annotations

from perdure.domain.access import audience
from perdure.domain.change import (
    Add,
    Close,
    Conflicted,
    Denied,
    Edit,
    Feedback,
    Forget,
    Pin,
    Supersede,
    Unchanged,
    Undo,
    Written,
)
from perdure.domain.ledger import AuditRow, ChangeRow
from perdure.domain.memory import (
    KINDS,
    LATEST,
    SUPERSEDES,
    Cause,
    Link,
    Memory,
    Revision,
    Scope,
    State,
    Statement,
    Type,
    handle,
)
from perdure.domain.record import record, replace
from perdure.domain.wording import digest, same_words
from perdure.services import cleaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from perdure.domain.access import Reader
    from perdure.domain.change import Change, Draft, Outcome
    from perdure.domain.memory import Entry, Provenance
    from perdure.ports import Clock, Ids, Store, Unit
    from perdure.safety.redaction import Redactor

MAX_EXCERPT = 400
FEEDBACK_STEP = 0.1
FEEDBACK_RANGE = (0.05, 0.99)
NO_AUTHOR = "Nobody said who is writing. Set author in config.toml, or PERDURE_AUTHOR; then try again."


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


def commit(door: Door, reader: Reader, change: Change) -> Outcome:
    """Make one change in a transaction of its own. Durable once this returns ``Written``.

    Raises the errors of the store (``Busy``, ``Unavailable``, ``Corrupt``); then nothing was written.
    """
    with door.store.unit(reader, write=True) as unit:
        return commit_in(door, unit, change)


def commit_all(door: Door, reader: Reader, changes: Iterable[Change]) -> list[Outcome]:
    """Make several changes in one transaction: all are durable, or none."""
    cleaned = cleaning.clean_all(changes, door.redactor)
    with door.store.unit(reader, write=True) as unit:
        return [_commit_cleaned(door, unit, change, secrets) for change, secrets in cleaned]


def commit_in(door: Door, unit: Unit, change: Change) -> Outcome:
    """Make one change inside a unit that the caller commits."""
    return _commit_cleaned(door, unit, *cleaning.clean(change, door.redactor))


def _commit_cleaned(door: Door, unit: Unit, change: Change, secrets: tuple[str, ...]) -> Outcome:
    if not unit.reader.author:
        return Denied(NO_AUTHOR)
    key = change.key if isinstance(change, Add | Supersede) else ""
    if key and (made := unit.changes.made(key)):
        return Unchanged(made.memory, "It was recorded before.")
    outcome = _MAKERS[type(change)](door, unit, change)
    if not isinstance(outcome, Written):
        return outcome
    if key:
        unit.changes.remember(key, ChangeRow(outcome.change, outcome.memory, outcome.revision))
    return replace(outcome, redacted=secrets) if secrets else outcome


def _enter(door: Door, unit: Unit, change: Change, memory: str) -> Entering:
    now = door.clock.now()
    row = AuditRow(now, unit.reader.author, type(change).__name__.lower(), memory, change.provenance.channel.value)
    return Entering(unit, door.ids, unit.changes.begin(row), now, _shortened(change.provenance))


def _shortened(origin: Provenance) -> Provenance:
    return origin if len(origin.excerpt) <= MAX_EXCERPT else replace(origin, excerpt=origin.excerpt[:MAX_EXCERPT])


def _place(reader: Reader, draft: Draft) -> tuple[Scope, Type]:
    """Scope and type of a draft: preferences are private, all else is shared with its project if it has one."""
    kind = KINDS[draft.kind]
    sort = draft.type or kind.type
    scope = draft.scope
    if scope is None:
        private = not draft.project or sort is Type.PREFERENCE or draft.project not in reader.projects
        scope = Scope.PRIVATE if private else kind.scope
    return scope, sort


def _statement(draft: Draft, sort: Type, now: int) -> Statement:
    return Statement(
        title=draft.title,
        body=draft.body,
        type=sort,
        valid_from=now if draft.valid_from is None else draft.valid_from,
        valid_to=draft.valid_to,
        importance=draft.importance,
        confidence=draft.confidence,
        pinned=draft.pinned,
        expires=draft.expires,
        tags=tuple(dict.fromkeys(draft.tags)),
        attrs=draft.attrs,
    )


def _add(door: Door, unit: Unit, change: Add | Supersede) -> Outcome:
    draft = change.draft
    scope, sort = _place(unit.reader, draft)
    statement = _statement(draft, sort, door.clock.now())
    if flaw := cleaning.flaw(statement):
        return Denied(flaw)
    if scope is Scope.PROJECT and not unit.reader.may_write(scope, draft.project):
        where = f"project '{draft.project}'" if draft.project else "a project, since none is named"
        return Denied(f"You cannot share with {where}: you are not a member of it. Keep it private, or join first.")
    words = digest(statement)
    if not KINDS[draft.kind].repeats:
        known = unit.memories.said(audience(unit.reader.author, scope, draft.project), words)
        if known:
            return Unchanged(known, f"This is known already, as {handle(known)}.")
    memory = Memory(door.ids.new(), draft.kind, unit.reader.author, scope, draft.project, door.clock.now())
    entering = _enter(door, unit, change, memory.id)
    revision = entering.create(memory, statement, words)
    return Written(memory.id, revision.id, entering.number)


def _own(unit: Unit, target: str) -> Entry | Denied:
    """The target as it stands, where the reader may change it. What is hidden is missing, in the same words."""
    entry = unit.memories.get(target, LATEST)
    if entry is None:
        return Denied(f"There is no memory {handle(target)}.")
    if entry.memory.author != unit.reader.author:
        return Denied(f"{handle(target)} is {entry.memory.author}'s. Record your own view instead: perdure remember.")
    return entry


def _supersede(door: Door, unit: Unit, change: Supersede) -> Outcome:
    entry = _own(unit, change.target)
    if isinstance(entry, Denied):
        return entry
    old = entry.revision.statement
    if old.state is not State.ACTIVE:
        return Denied(f"{handle(change.target)} is already {old.state}.")
    if digest(old) == digest(replace(old, title=change.draft.title or old.title, body=change.draft.body)):
        return Unchanged(change.target, f"{handle(change.target)} says this already.")
    heir = change.draft
    if not heir.project and heir.scope is None:
        heir = replace(heir, project=entry.memory.project, scope=entry.memory.scope)
    outcome = _add(door, unit, replace(change, draft=replace(heir, kind=entry.memory.kind, type=heir.type or old.type)))
    if not isinstance(outcome, Written):
        return outcome
    successor = unit.memories.get(outcome.memory, LATEST)
    start = successor.revision.statement.valid_from if successor else door.clock.now()
    ends = max(old.valid_from, start if old.valid_to is None else min(old.valid_to, start))
    entering = Entering(unit, door.ids, outcome.change, door.clock.now(), _shortened(change.provenance))
    entering.append(entry, replace(old, state=State.SUPERSEDED, valid_to=ends, pinned=False), Cause.SUPERSEDED)
    unit.memories.link(Link(outcome.memory, change.target, SUPERSEDES))
    return replace(outcome, closed=(change.target,))


def _revise(
    door: Door, unit: Unit, change: Change, into: Callable[[Statement], Statement | str], cause: Cause
) -> Outcome:
    """Write one next revision of the change's target; ``into`` gives the new statement, or why there is none."""
    target: str = change.target  # type: ignore[union-attr]  # every change that comes here has one
    entry = _own(unit, target)
    if isinstance(entry, Denied):
        return entry
    statement = into(entry.revision.statement)
    if isinstance(statement, str):
        return Unchanged(target, statement)
    if flaw := cleaning.flaw(statement):
        return Denied(flaw)
    entering = _enter(door, unit, change, target)
    revision = entering.append(entry, statement, cause)
    return Written(target, revision.id, entering.number)


def _close(door: Door, unit: Unit, change: Close) -> Outcome:
    def into(old: Statement) -> Statement | str:
        if old.state is change.state:
            return f"{handle(change.target)} is already {old.state}."
        ends = max(old.valid_from, door.clock.now() if change.at is None else change.at)
        ends = ends if old.valid_to is None else min(old.valid_to, ends)
        return replace(old, state=change.state, valid_to=ends, pinned=False)

    return _revise(door, unit, change, into, change.cause)


def _forget(door: Door, unit: Unit, change: Forget) -> Outcome:
    closing = Close(change.target, State.RETRACTED, change.provenance, cause=Cause.FORGOTTEN)
    return _close(door, unit, closing)


def _edit(door: Door, unit: Unit, change: Edit) -> Outcome:
    entry = _own(unit, change.target)
    if isinstance(entry, Denied):
        return entry
    if entry.revision.id != change.expected:
        reason = (
            f"{handle(change.target)} was changed meanwhile. Look at it again: perdure show {handle(change.target)}"
        )
        return Conflicted(change.target, entry.revision.id, reason)

    def into(old: Statement) -> Statement | str:
        new = replace(
            old,
            body=old.body if change.body is None else change.body,
            title=old.title if change.title is None else change.title,
            tags=old.tags if change.tags is None else change.tags,
            valid_to=old.valid_to if change.valid_to is None else change.valid_to,
            attrs=old.attrs if change.attrs is None else {**old.attrs, **change.attrs},
        )
        return f"{handle(change.target)} says this already." if new == old else new

    return _revise(door, unit, change, into, change.cause)


def _pin(door: Door, unit: Unit, change: Pin) -> Outcome:
    def into(old: Statement) -> Statement | str:
        if old.pinned == change.pinned:
            return f"{handle(change.target)} is {'already' if old.pinned else 'not'} pinned."
        if old.state is not State.ACTIVE:
            return f"{handle(change.target)} is {old.state} and is given to nobody, so a pin changes nothing."
        return replace(old, pinned=change.pinned)

    return _revise(door, unit, change, into, Cause.PINNED if change.pinned else Cause.UNPINNED)


def _feedback(door: Door, unit: Unit, change: Feedback) -> Outcome:
    def into(old: Statement) -> Statement | str:
        low, high = FEEDBACK_RANGE
        step = FEEDBACK_STEP if change.helped else -FEEDBACK_STEP
        name = "helped" if change.helped else "misled"
        counted = old.attrs.get(name, 0)
        count = counted + 1 if isinstance(counted, int) else 1
        confidence = round(min(high, max(low, old.confidence + step)), 6)
        return replace(old, confidence=confidence, attrs={**old.attrs, name: count})

    verdict = "helped" if change.helped else "misled"
    origin = replace(change.provenance, excerpt=f"{verdict}: {change.note}" if change.note else verdict)
    return _revise(door, unit, replace(change, provenance=origin), into, Cause.FEEDBACK)


def _undo(door: Door, unit: Unit, change: Undo) -> Outcome:
    number = unit.changes.latest(unit.reader.author) if change.change is None else change.change
    written = unit.changes.revisions(number) if number is not None else []
    if number is None or not written:
        return Denied("There is nothing to undo." if number is None else f"There is no change {number}.")
    entries = [(revision, _own(unit, revision.memory)) for revision in written]
    for revision, entry in entries:
        if isinstance(entry, Denied):
            return entry
        if entry.revision.id != revision.id:
            later = entry.revision.change
            reason = f"{handle(revision.memory)} was changed again, by change {later}. Undo the later change first."
            return Conflicted(revision.memory, entry.revision.id, reason)
    entering = _enter(door, unit, change, written[0].memory)
    if not unit.changes.undone(number, entering.number):
        return Unchanged(written[0].memory, f"Change {number} was undone before.")
    last = ""
    for revision, entry in reversed(entries):
        if not isinstance(entry, Denied):
            last = _take_back(entering, revision, entry).id
    return Written(written[0].memory, last, entering.number, tuple(revision.memory for revision in written[1:]))


def _take_back(entering: Entering, revision: Revision, entry: Entry) -> Revision:
    """Bring back what stood before the revision; where nothing did, close the memory."""
    before = [known for known in entering.unit.memories.history(revision.memory) if known.id == revision.parent]
    if not before:
        now = max(entry.revision.statement.valid_from, entering.now)
        gone = replace(entry.revision.statement, state=State.RETRACTED, valid_to=now, pinned=False)
        return entering.append(entry, gone, Cause.UNDONE)
    return entering.append(entry, before[0].statement, Cause.UNDONE, wording=before[0].wording)


_MAKERS: dict[type, Callable[[Door, Unit, Any], Outcome]] = {
    Add: _add,
    Supersede: _supersede,
    Close: _close,
    Edit: _edit,
    Pin: _pin,
    Feedback: _feedback,
    Forget: _forget,
    Undo: _undo,
}
