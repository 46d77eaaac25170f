"""What a person wants to know about the store itself: what is in it, what waits, what is wrong."""

from __future__ import annotations

from perdure.domain.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perdure.domain.ledger import ProjectRow
    from perdure.domain.session import Defect, Session
    from perdure.ports import Unit

LATEST_DEFECTS = 20
LATEST_SESSIONS = 5


@record
class Status:
    """A look at the store. ``memories`` counts what stands and the reader may see in scope."""

    memories: int
    counts: Mapping[str, int]
    projects: Sequence[ProjectRow]
    jobs: Mapping[str, int]
    sessions: Sequence[Session]
    unread: Sequence[Session]
    defects: Sequence[Defect]
    proposals: int


def status(unit: Unit) -> Status:
    """Count and list what a person asks for first."""
    return Status(
        memories=unit.memories.count(),
        counts=unit.sessions.counts(),
        projects=[row for row in unit.projects.all() if row.slug in unit.reader.projects],
        jobs=unit.jobs.waiting(),
        sessions=unit.sessions.latest(LATEST_SESSIONS),
        unread=unit.sessions.pending(),
        defects=unit.sessions.defects(LATEST_DEFECTS),
        proposals=unit.proposals.count(),
    )
