"""The review queue: what was detected, decided by the person whose memory it is.

An approval and the change that it makes are one transaction, so that of two approvals at once one applies. A proposal
whose members have changed since is stale: it says so and is not applied.
"""

from __future__ import annotations

from perdure.domain import drafts
from perdure.domain.change import Close, Conflicted, Denied, Merge, Supersede, Written
from perdure.domain.errors import Conflict, NotFound, UsageError
from perdure.domain.instants import DAY
from perdure.domain.ledger import Criteria
from perdure.domain.memory import LATEST, Channel, Kind, State, Type, handle, provenance
from perdure.domain.proposal import Action, Standing
from perdure.domain.record import record, replace
from perdure.services import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.access import Reader
    from perdure.domain.change import Change, Outcome
    from perdure.domain.memory import Entry
    from perdure.domain.proposal import Proposal
    from perdure.ports import Unit
    from perdure.services.write import Door

SHORTEST_NAME = 4
STALE_DAYS = 180
MOST_STALE = 50
MOST_LOOKED_AT = 20_000
_FADING = (Type.SEMANTIC, Type.EPISODIC, Type.PROSPECTIVE)


@record
class View:
    """A proposal with its members as they are now, and ``new``, the words that would stand.

    ``stale`` says why it can no longer be approved, or is empty.
    """

    proposal: Proposal
    members: tuple[Entry, ...]
    new: str
    stale: str = ""

    @property
    def old(self) -> tuple[Entry, ...]:
        """The members whose words would give way."""
        return self.members[:1] if self.proposal.action is Action.SUPERSEDE else self.members


def find(unit: Unit, name: str) -> Proposal:
    """The reader's proposal that a full id or the start of its short name means.

    Raises ``NotFound`` where none does, ``UsageError`` where several do.
    """
    wanted = name.strip().lower().encode("utf-8", "replace").decode()
    found = unit.proposals.resolve(wanted, 5) if len(wanted) >= SHORTEST_NAME else ()
    if len(found) > 1:
        raise UsageError(f"'{name}' could be {len(found)} proposals: {', '.join(found)}. Use the full id.")
    proposal = unit.proposals.get(found[0]) if found else None
    if proposal is None:
        raise NotFound(f"There is no proposal '{name}'. See: perdure review list")
    return proposal


def view(unit: Unit, proposal: Proposal) -> View:
    """A proposal as it would be applied now."""
    members, stale = [], ""
    for member in proposal.members:
        entry = unit.memories.get(member.memory, LATEST)
        if entry is None:
            stale = stale or f"{handle(member.memory)} is no longer there."
            continue
        members.append(entry)
        if entry.revision.id != member.revision:
            stale = stale or f"{handle(member.memory)} was changed since this was proposed."
    if proposal.action is Action.SUPERSEDE:
        new = members[-1].revision.statement.body if len(members) > 1 else ""
    else:
        new = str(proposal.draft.get("body", ""))
    return View(proposal, tuple(members), new, stale)


def pending(unit: Unit, limit: int) -> list[View]:
    """What awaits the reader, surest first."""
    return [view(unit, proposal) for proposal in unit.proposals.pending(limit)]


def approve(door: Door, reader: Reader, name: str) -> Outcome:
    """Make the change that a proposal names, and settle the proposal with it.

    Raises ``NotFound``, ``UsageError``, and ``Conflict`` where it was decided before.
    """
    with door.store.unit(reader, write=True) as unit:
        proposal = _undecided(unit, name)
        shown = view(unit, proposal)
        now = door.clock.now()
        if shown.stale:
            unit.proposals.decide(replace(proposal, standing=Standing.STALE, note=shown.stale, resolved=now))
            first = proposal.members[0]
            return Conflicted(
                first.memory, first.revision, f"{shown.stale} The proposal is stale, and was not applied."
            )
        change = _change(proposal)
        if isinstance(change, Denied):
            return change
        outcome = write.commit_in(door, unit, change)
        if isinstance(outcome, Written):
            approved = replace(proposal, standing=Standing.APPROVED, resolved=now, change=outcome.change)
            unit.proposals.decide(approved)
        return outcome


def _undecided(unit: Unit, name: str) -> Proposal:
    proposal = find(unit, name)
    if proposal.standing is not Standing.PENDING:
        raise Conflict(f"Proposal {handle(proposal.id)} is {proposal.standing} already.")
    return proposal


def _change(proposal: Proposal) -> Change | Denied:
    """What an approval does. It is the person's own word from then on."""
    origin = provenance(Channel.HAND, excerpt=proposal.reason)
    members = [member.memory for member in proposal.members]
    if proposal.action is Action.SUPERSEDE:
        return Close(members[0], State.SUPERSEDED, origin, heir=members[1])
    try:
        draft = drafts.from_json(proposal.draft)
    except (ValueError, TypeError, KeyError):
        return Denied(f"Proposal {handle(proposal.id)} holds no statement that can be read. Reject it.")
    if proposal.action is Action.REPEAT:
        return Supersede(members[0], draft, origin)
    return Merge(proposal.members, draft, origin)


def reject(door: Door, reader: Reader, name: str, note: str = "") -> Proposal:
    """Leave everything as it is; the proposal stays in the ledger with the note. Raises as :func:`approve` does."""
    with door.store.unit(reader, write=True) as unit:
        proposal = _undecided(unit, name)
        told = door.redactor.clean(note)
        rejected = replace(proposal, standing=Standing.REJECTED, note=told, resolved=door.clock.now())
        unit.proposals.decide(rejected)
    return rejected


def fading(unit: Unit, now: int, days: int = STALE_DAYS) -> Sequence[Entry]:
    """The author's statements that nobody asked for in so many days and that are older than that; oldest first."""
    since = now - days * DAY
    kinds = tuple(kind for kind in Kind if kind not in {Kind.PAGE, Kind.SESSION, Kind.SKILL, Kind.DOCUMENT, Kind.TOPIC})
    found = [
        entry
        for entry in unit.memories.heads(Criteria(kinds=kinds, types=(), limit=MOST_LOOKED_AT))
        if entry.memory.author == unit.reader.author
        and entry.revision.statement.state is State.ACTIVE
        and entry.revision.statement.type in _FADING
        and not entry.revision.statement.pinned
        and entry.revision.recorded_at < since
        and unit.access.last(entry.memory.id) < since
    ]
    return sorted(found, key=lambda entry: entry.revision.recorded_at)[:MOST_STALE]
