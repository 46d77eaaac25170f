"""Next revisions of what is known: closed, edited, pinned, rated, forgotten, taken back."""

from __future__ import annotations

from perdure.domain.change import Close, Conflicted, Denied, Unchanged, Written
from perdure.domain.memory import Cause, State, handle
from perdure.domain.record import replace
from perdure.services import cleaning
from perdure.services.door import enter, own, retire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.domain.change import Change, Edit, Feedback, Forget, Outcome, Pin, Undo
    from perdure.domain.memory import Entry, Revision, Statement
    from perdure.ports import Unit
    from perdure.services.door import Door, Entering

FEEDBACK_STEP = 0.1
FEEDBACK_RANGE = (0.05, 0.99)


def _revise(
    door: Door, unit: Unit, change: Change, into: Callable[[Statement], Statement | str], cause: Cause
) -> Outcome:
    """Write one next revision of the change's target; ``into`` gives the new statement, or why there is none."""
    target: str = change.target  # type: ignore[union-attr]  # every change that comes here has one
    entry = own(unit, target)
    if isinstance(entry, Denied):
        return entry
    statement = into(entry.revision.statement)
    if isinstance(statement, str):
        return Unchanged(target, statement)
    if flaw := cleaning.flaw(statement):
        return Denied(flaw)
    entering = enter(door, unit, change, target)
    revision = entering.append(entry, statement, cause)
    return Written(target, revision.id, entering.number)


def close(door: Door, unit: Unit, change: Close) -> Outcome:
    """End a memory, or let it give way to one that is recorded already."""
    if change.heir:
        return _give_way(door, unit, change)

    def into(old: Statement) -> Statement | str:
        if old.state is change.state:
            return f"{handle(change.target)} is already {old.state}."
        ends = max(old.valid_from, door.clock.now() if change.at is None else change.at)
        ends = ends if old.valid_to is None else min(old.valid_to, ends)
        return replace(old, state=change.state, valid_to=ends, pinned=False)

    return _revise(door, unit, change, into, change.cause)


def _give_way(door: Door, unit: Unit, change: Close) -> Outcome:
    """End a statement in favour of one that is recorded already."""
    entry, heir = own(unit, change.target), own(unit, change.heir)
    for found in (entry, heir):
        if isinstance(found, Denied):
            return found
        if found.revision.statement.state is not State.ACTIVE:
            return Unchanged(found.memory.id, f"{handle(found.memory.id)} is already {found.revision.statement.state}.")
    assert not isinstance(entry, Denied)  # noqa: S101 - told above, for the type checker
    assert not isinstance(heir, Denied)  # noqa: S101
    entering = enter(door, unit, change, change.target)
    retire(entering, entry, heir)
    return Written(change.heir, heir.revision.id, entering.number, (change.target,))


def forget(door: Door, unit: Unit, change: Forget) -> Outcome:
    """Close a memory as retracted."""
    closing = Close(change.target, State.RETRACTED, change.provenance, cause=Cause.FORGOTTEN)
    return close(door, unit, closing)


def edit(door: Door, unit: Unit, change: Edit) -> Outcome:
    """Change the words of a memory in place."""
    entry = own(unit, change.target)
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


def pin(door: Door, unit: Unit, change: Pin) -> Outcome:
    """Give a memory at every session start, or stop doing so."""

    def into(old: Statement) -> Statement | str:
        if old.pinned == change.pinned:
            return f"{handle(change.target)} is {'already' if old.pinned else 'not'} pinned."
        if old.state is not State.ACTIVE:
            return f"{handle(change.target)} is {old.state} and is given to nobody, so a pin changes nothing."
        return replace(old, pinned=change.pinned)

    return _revise(door, unit, change, into, Cause.PINNED if change.pinned else Cause.UNPINNED)


def feedback(door: Door, unit: Unit, change: Feedback) -> Outcome:
    """Raise or lower the confidence of a memory that helped or misled."""

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


def undo(door: Door, unit: Unit, change: Undo) -> Outcome:
    """Take back one change whole."""
    number = unit.changes.latest(unit.reader.author) if change.change is None else change.change
    written = unit.changes.revisions(number) if number is not None else []
    if number is None or not written:
        return Denied("There is nothing to undo." if number is None else f"There is no change {number}.")
    entries = [(revision, own(unit, revision.memory)) for revision in written]
    for revision, entry in entries:
        if isinstance(entry, Denied):
            return entry
        if entry.revision.id != revision.id:
            later = entry.revision.change
            reason = f"{handle(revision.memory)} was changed again, by change {later}. Undo the later change first."
            return Conflicted(revision.memory, entry.revision.id, reason)
    entering = enter(door, unit, change, written[0].memory)
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
