"""What may be asked of the ledger, and what it may answer.

A ``Change`` goes through ``perdure.services.write``; an ``Outcome`` comes back as a value, since a
duplicate or a conflict is an answer and not a failure.
"""

from __future__ import annotations

from perdure.domain.memory import Cause, Provenance, Scope, State, Type
from perdure.domain.record import NOTHING, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.domain.json import Json
    from perdure.domain.memory import Kind
    from perdure.domain.proposal import Member


@record
class Draft:
    """The words and attributes of a new statement; what is None takes the kind's default."""

    kind: Kind
    body: str
    title: str = ""
    type: Type | None = None
    scope: Scope | None = None
    project: str = ""
    importance: float = 0.5
    confidence: float = 0.8
    valid_from: int | None = None
    valid_to: int | None = None
    expires: int | None = None
    pinned: bool = False
    tags: tuple[str, ...] = ()
    attrs: Mapping[str, Json] = NOTHING


@record
class Add:
    """Record a new memory. The same ``key`` twice is the same memory once.

    With ``anyway`` it is recorded even where it says nearly what another says.
    """

    draft: Draft
    provenance: Provenance
    key: str = ""
    anyway: bool = False


@record
class Supersede:
    """Record a new statement in place of ``target``, which stays true of its own time."""

    target: str
    draft: Draft
    provenance: Provenance
    key: str = ""


@record
class Close:
    """End a memory's life: without a successor, or in favour of ``heir``, a memory that is there already."""

    target: str
    state: State
    provenance: Provenance
    at: int | None = None
    cause: Cause = Cause.CLOSED
    heir: str = ""


@record
class Merge:
    """Record one statement in place of several, each as its ``members`` names it: memory and expected revision."""

    members: tuple[Member, ...]
    draft: Draft
    provenance: Provenance


@record
class Edit:
    """Change the words of a memory in place: what is None stays.

    ``expected`` is the revision the editor saw; if the head is another one, the answer is ``Conflict``.
    """

    target: str
    expected: str
    provenance: Provenance
    body: str | None = None
    title: str | None = None
    tags: tuple[str, ...] | None = None
    valid_to: int | None = None
    attrs: Mapping[str, Json] | None = None
    cause: Cause = Cause.EDITED


@record
class Pin:
    """Give a memory at every session start (or stop doing so)."""

    target: str
    provenance: Provenance
    pinned: bool = True


@record
class Feedback:
    """Say whether a memory helped: its confidence rises or falls, within 0.05 and 0.99."""

    target: str
    helped: bool
    provenance: Provenance
    note: str = ""


@record
class Forget:
    """Close a memory as retracted. It can be undone; nothing is destroyed."""

    target: str
    provenance: Provenance


@record
class Undo:
    """Take back one change whole: a change number, or None for the author's latest."""

    provenance: Provenance
    change: int | None = None


@record
class Written:
    """Recorded, durably once the unit has committed."""

    memory: str
    revision: str
    change: int
    closed: tuple[str, ...] = ()
    """Other memories that this change ended or brought back."""
    redacted: tuple[str, ...] = ()
    """The kinds of secrets that were taken out of the text."""
    proposed: tuple[str, ...] = ()
    """Proposals that the change raised, such as to retire an older statement."""


@record
class Unchanged:
    """Nothing to record: ``memory`` says it already."""

    memory: str
    reason: str


@record
class Conflicted:
    """The memory changed since the editor looked."""

    memory: str
    head: str
    reason: str


@record
class Parked:
    """The change awaits a person in the review queue."""

    proposal: str
    reason: str


@record
class Denied:
    """The change may not be made, and why."""

    reason: str


if TYPE_CHECKING:
    Change = Add | Supersede | Close | Merge | Edit | Pin | Feedback | Forget | Undo
    Outcome = Written | Unchanged | Conflicted | Parked | Denied
