"""The review queue over an engine's connection. What each method promises is said in the port."""

from __future__ import annotations

import json

from perdure.domain.errors import Corrupt
from perdure.domain.proposal import Action, Member, Proposal, Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.access import Reader
    from perdure.store.rows import Row
    from perdure.store.statements import Statements


def _proposal_of(row: Row) -> Proposal:
    name, author, action, members, confidence, reason, created, draft, standing, note, resolved, change = row
    try:
        return Proposal(
            id=name,
            author=author,
            action=Action(action),
            members=tuple(Member(*each) for each in json.loads(members)),
            confidence=confidence,
            reason=reason,
            created=created,
            draft=json.loads(draft),
            standing=Standing(standing),
            note=note,
            resolved=resolved,
            change=change,
        )
    except (ValueError, TypeError) as error:
        raise Corrupt(f"The proposal {name} is damaged ({error}). Run: perdure doctor") from error


def _members(proposal: Proposal) -> str:
    return json.dumps([[member.memory, member.revision] for member in proposal.members], separators=(",", ":"))


class SqlProposals:
    """``perdure.ports.Proposals``."""

    def __init__(self, run: Statements, reader: Reader) -> None:
        """Work for one reader on one connection."""
        self._run = run
        self._author = reader.author

    def put(self, proposal: Proposal) -> str:
        names = {"author": self._author, "action": proposal.action.value, "members": _members(proposal)}
        made = self._run(
            "put",
            **names,
            id=proposal.id,
            draft=json.dumps(dict(proposal.draft), ensure_ascii=False, separators=(",", ":")),
            confidence=proposal.confidence,
            reason=proposal.reason,
            created=proposal.created,
        )
        found: str = (made or self._run("same", **names))[0][0]
        return found

    def get(self, proposal_id: str) -> Proposal | None:
        found = self._run("get", id=proposal_id, author=self._author)
        return _proposal_of(found[0]) if found else None

    def resolve(self, name: str, limit: int) -> Sequence[str]:
        if self.get(name) is not None:
            return [name]
        found = self._run("handle", author=self._author, low=name, high=name + "\U0010ffff", limit=limit)
        return [row[0] for row in found]

    def pending(self, limit: int) -> Sequence[Proposal]:
        return [_proposal_of(row) for row in self._run("pending", author=self._author, limit=limit)]

    def decide(self, decided: Proposal) -> bool:
        told = {"note": decided.note, "resolved": decided.resolved, "change": decided.change}
        standing = decided.standing.value
        return bool(self._run("decide", id=decided.id, author=self._author, standing=standing, **told))

    def count(self) -> int:
        count: int = self._run("count", author=self._author)[0][0]
        return count
