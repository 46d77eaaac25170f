"""Proposals: changes that were detected and that a person decides.

What is detected is never applied unseen unless it is certain. A proposal names the revisions that it was made from:
where one of them is no longer the head of its memory, the proposal is stale and is not applied.
"""

from __future__ import annotations

from enum import StrEnum

from perdure.domain.record import NOTHING, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.domain.json import Json


class Action(StrEnum):
    """What approving a proposal does."""

    SUPERSEDE = "supersede"
    """The first member is superseded by the second, which is recorded already."""
    REPEAT = "repeat"
    """The draft says nearly what the only member says: approved, it takes the member's place."""
    MERGE = "merge"
    """The draft takes the place of all members."""


class Standing(StrEnum):
    """How a proposal stands."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    STALE = "stale"


@record
class Member:
    """A memory as it was when the proposal was made: its id and the id of its head."""

    memory: str
    revision: str


@record
class Proposal:
    """A change that awaits a person.

    ``draft`` holds the fields of a new statement as JSON, for the actions that record one; ``confidence`` lies in 0..1;
    ``change`` is the number of the change that an approval made.
    """

    id: str
    author: str
    action: Action
    members: tuple[Member, ...]
    confidence: float
    reason: str
    created: int
    draft: Mapping[str, Json] = NOTHING
    standing: Standing = Standing.PENDING
    note: str = ""
    resolved: int | None = None
    change: int | None = None
