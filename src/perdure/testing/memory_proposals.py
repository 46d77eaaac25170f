"""The review queue of the in-memory store."""

from __future__ import annotations

from perdure.domain.proposal import Standing
from perdure.domain.record import replace
from perdure.testing.memory_rows import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.access import Reader
    from perdure.domain.proposal import Proposal
    from perdure.testing.memory_rows import Rows


class MemoryProposals:
    """``perdure.ports.Proposals``."""

    def __init__(self, rows: Rows, reader: Reader) -> None:
        """See the rows as a reader."""
        self._rows = rows
        self._author = reader.author

    def _own(self) -> list[Proposal]:
        return [known for known in self._rows.proposals.values() if known.author == self._author]

    def put(self, proposal: Proposal) -> str:
        for known in self._own():
            if (known.action, known.members) == (proposal.action, proposal.members):
                return known.id
        refuse(when=proposal.id in self._rows.proposals, because=f"{proposal.id} is taken")
        refuse(when=not 0 <= proposal.confidence <= 1, because="confidence lies in 0..1")
        fresh = replace(proposal, standing=Standing.PENDING, note="", resolved=None, change=None)
        self._rows.proposals[proposal.id] = replace(fresh, author=self._author)
        return proposal.id

    def get(self, proposal_id: str) -> Proposal | None:
        return next((known for known in self._own() if known.id == proposal_id), None)

    def resolve(self, name: str, limit: int) -> Sequence[str]:
        if self.get(name) is not None:
            return [name]
        return sorted(known.id for known in self._own() if known.id.rpartition("-")[2].startswith(name))[:limit]

    def pending(self, limit: int) -> Sequence[Proposal]:
        found = [known for known in self._own() if known.standing is Standing.PENDING]
        return sorted(found, key=lambda known: (-known.confidence, known.created, known.id))[:limit]

    def decide(self, decided: Proposal) -> bool:
        known = self.get(decided.id)
        if known is None or known.standing is not Standing.PENDING:
            return False
        told = {"note": decided.note, "resolved": decided.resolved, "change": decided.change}
        self._rows.proposals[decided.id] = replace(known, standing=decided.standing, **told)
        return True

    def count(self) -> int:
        return len(self.pending(len(self._rows.proposals)))
