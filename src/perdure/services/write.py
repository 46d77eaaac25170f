"""The one door: every change of the ledger, whoever asks for it, goes through ``commit``.

Here and nowhere else a change is authorised, redacted, validated, checked for novelty, entered in the audit and
written, all in one transaction. What a caller must expect comes back as a value of ``Outcome``.
"""

from __future__ import annotations

from perdure.domain.change import (
    Add,
    Close,
    Denied,
    Edit,
    Feedback,
    Forget,
    Merge,
    Pin,
    Supersede,
    Unchanged,
    Undo,
    Written,
)
from perdure.domain.ledger import ChangeRow
from perdure.domain.record import replace
from perdure.services import adding, cleaning, revising
from perdure.services.door import Door

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from perdure.domain.access import Reader
    from perdure.domain.change import Change, Outcome
    from perdure.ports import Unit

__all__ = ["Door", "commit", "commit_all", "commit_in"]

NO_AUTHOR = "Nobody said who is writing. Set author in config.toml, or PERDURE_AUTHOR; then try again."


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
        made = dict(unit.changes.made([key for change, _secrets in cleaned if (key := _key(change))]))
        return [_commit_cleaned(door, unit, change, secrets, made) for change, secrets in cleaned]


def commit_in(door: Door, unit: Unit, change: Change) -> Outcome:
    """Make one change inside a unit that the caller commits."""
    key = _key(change)
    made = dict(unit.changes.made([key])) if key else {}
    return _commit_cleaned(door, unit, *cleaning.clean(change, door.redactor), made)


def _key(change: Change) -> str:
    return change.key if isinstance(change, Add | Supersede) else ""


def _commit_cleaned(
    door: Door, unit: Unit, change: Change, secrets: tuple[str, ...], made: dict[str, ChangeRow]
) -> Outcome:
    """Make a change whose texts may be kept, unless its key is among those that ``made`` one; note it there."""
    if not unit.reader.author:
        return Denied(NO_AUTHOR)
    key = _key(change)
    if key in made:
        return Unchanged(made[key].memory, "It was recorded before.")
    outcome = _MAKERS[type(change)](door, unit, change)
    if not isinstance(outcome, Written):
        return outcome
    if key:
        made[key] = ChangeRow(outcome.change, outcome.memory, outcome.revision)
        unit.changes.remember(key, made[key])
    return replace(outcome, redacted=secrets) if secrets else outcome


_MAKERS: dict[type, Callable[[Door, Unit, Any], Outcome]] = {
    Add: adding.add,
    Supersede: adding.supersede,
    Merge: adding.merge,
    Close: revising.close,
    Edit: revising.edit,
    Pin: revising.pin,
    Feedback: revising.feedback,
    Forget: revising.forget,
    Undo: revising.undo,
}
