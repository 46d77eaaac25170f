"""The review queue: what was detected, decided by the person whose memory it is.

An approval and the change that it makes are one transaction, so that of two approvals at once one applies. A proposal
whose members have changed since is stale for good: it says so and is not applied.

``perdure undo`` takes back what an approval did, as it does any change. The proposal stays approved and is told to be
undone: who took it back has decided, and is not asked the same again.
"""

from __future__ import annotations

from perdure.domain import drafts
from perdure.domain.change import Close, Conflicted, Denied, Merge, Supersede, Unchanged, Written
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
    from perdure.domain.change import Change, Draft, Outcome
    from perdure.domain.memory import Entry
    from perdure.domain.proposal import Proposal
    from perdure.ports import Unit
    from perdure.services.write import Door

SHORTEST_NAME = 4
NAMED = 5
LONGEST_NOTE = 1_000
STALE_DAYS = 180
MOST_STALE = 50
LOOKED_AT = (Kind.FACT, Kind.EPISODE, Kind.FORESIGHT, Kind.CASE, Kind.NOTE)
FADING = (Type.SEMANTIC, Type.EPISODIC, Type.PROSPECTIVE)


@record
class View:
    """A proposal as it would be applied now.

    ``members`` are those that the reader may see, as they are now. ``draft`` is the statement that would be recorded,
    None where none would or it cannot be read. ``stale`` says what has changed since, and ``hindrance`` what else
    keeps it from being approved; both are empty for most. ``undone`` is the change that took an approval back.
    """

    proposal: Proposal
    members: tuple[Entry, ...]
    draft: Draft | None = None
    stale: str = ""
    hindrance: str = ""
    undone: int | None = None

    @property
    def old(self) -> tuple[Entry, ...]:
        """The members whose words would give way."""
        return tuple(entry for entry in self.members if entry is not self.heir)

    @property
    def heir(self) -> Entry | None:
        """The member that would stand in place of the other, where it is recorded already."""
        if self.proposal.action is not Action.SUPERSEDE:
            return None
        name = self.proposal.members[-1].memory
        return next((entry for entry in self.members if entry.memory.id == name), None)

    @property
    def new(self) -> tuple[str, str]:
        """Title and words of what would stand."""
        if self.heir is not None:
            return self.heir.revision.statement.title, self.heir.revision.statement.body
        return (self.draft.title, self.draft.body) if self.draft is not None else ("", "")


@record
class Queue:
    """What awaits the reader: the first of it, and how much it is in all."""

    views: tuple[View, ...]
    waiting: int


def find(unit: Unit, name: str) -> Proposal:
    """The reader's proposal that a full id or the start of its short name means.

    Raises ``NotFound`` where none does, ``UsageError`` where several do.
    """
    wanted = name.strip().lower().encode("utf-8", "replace").decode()
    found = unit.proposals.resolve(wanted, NAMED) if len(wanted) >= SHORTEST_NAME else ()
    if len(found) > 1:
        raise UsageError(f"'{name}' could be several proposals: {', '.join(found)}. Use the full id.")
    proposal = unit.proposals.get(found[0]) if found else None
    if proposal is None:
        raise NotFound(f"There is no proposal '{name}'. See: perdure review list")
    return proposal


def view(unit: Unit, proposal: Proposal) -> View:
    """A proposal as it would be applied now."""
    members: list[Entry] = []
    stale = hindrance = ""
    for member in proposal.members:
        name, entry = handle(member.memory), unit.memories.get(member.memory, LATEST)
        if entry is None:
            hindrance = f"{name} is not yours to see any more."
            continue
        members.append(entry)
        if entry.revision.id != member.revision:
            stale = stale or f"{name} was changed since this was proposed."
    draft = _draft(proposal)
    if draft is None and proposal.action is not Action.SUPERSEDE:
        hindrance = hindrance or "The proposal holds no statement that can be read."
    undone = _taken_back(unit, proposal.change)
    if proposal.standing is not Standing.PENDING:
        return View(proposal, tuple(members), draft, undone=undone)
    return View(proposal, tuple(members), draft, stale, hindrance)


def _draft(proposal: Proposal) -> Draft | None:
    """The statement to be recorded; it holds from when it was said, unless it tells its time itself."""
    try:
        draft = drafts.from_json(proposal.draft)
    except (ValueError, TypeError, KeyError):
        return None
    return replace(draft, valid_from=proposal.created) if draft.valid_from is None else draft


def _taken_back(unit: Unit, change: int | None) -> int | None:
    """The last of the changes that undid a change, one the other, where they leave it undone."""
    undone = False
    while change is not None and (by := unit.changes.undoing(change)) is not None:
        change, undone = by, not undone
    return change if undone else None


def waiting(door: Door, reader: Reader, limit: int) -> Queue:
    """What awaits the reader, surest first; what is found to be stale is set aside as such."""
    while True:
        with door.store.unit(reader) as unit:
            views = [view(unit, proposal) for proposal in unit.proposals.pending(limit)]
            queue = Queue(tuple(views), unit.proposals.count())
        stale = [each for each in views if each.stale]
        if not stale:
            return queue
        with door.store.unit(reader, write=True) as unit:
            for each in stale:
                unit.proposals.decide(_settled(door, each.proposal, Standing.STALE, each.stale))


def approve(door: Door, reader: Reader, name: str) -> Outcome:
    """Make the change that a proposal names, and settle the proposal with it.

    What may not be changed is ``Denied`` and still waits. Raises ``NotFound``, ``UsageError``, and ``Conflict`` where
    it was decided before.
    """
    with door.store.unit(reader, write=True) as unit:
        proposal = _undecided(unit, name)
        shown = view(unit, proposal)
        if shown.stale:
            _settle(unit, _settled(door, proposal, Standing.STALE, shown.stale))
            first = proposal.members[0]
            reason = f"{shown.stale} The proposal is stale, and was not applied."
            return Conflicted(first.memory, first.revision, reason)
        if shown.hindrance:
            return Denied(f"{shown.hindrance} Nothing was changed.")
        outcome = write.commit_in(door, unit, _change(shown))
        if isinstance(outcome, Written):
            approved = _settled(door, proposal, Standing.APPROVED)
            _settle(unit, replace(approved, change=outcome.change))
        elif isinstance(outcome, Unchanged) and proposal.action is Action.REPEAT:
            _settle(unit, _settled(door, proposal, Standing.STALE, outcome.reason))
        return outcome


def _undecided(unit: Unit, name: str) -> Proposal:
    proposal = find(unit, name)
    if proposal.standing is not Standing.PENDING:
        raise Conflict(f"Proposal {handle(proposal.id)} is {proposal.standing} already.")
    return proposal


def _settled(door: Door, proposal: Proposal, standing: Standing, note: str = "") -> Proposal:
    return replace(proposal, standing=standing, note=note, resolved=door.clock.now())


def _settle(unit: Unit, decided: Proposal) -> None:
    """Record a decision; where another came first, the unit is given up with all that it did."""
    if not unit.proposals.decide(decided):
        raise Conflict(f"Proposal {handle(decided.id)} was decided elsewhere just now.")


def _change(shown: View) -> Change:
    """What an approval does. It is the person's own word from then on."""
    proposal = shown.proposal
    origin = provenance(Channel.HAND, excerpt=proposal.reason)
    first = proposal.members[0].memory
    if shown.draft is None or proposal.action is Action.SUPERSEDE:
        return Close(first, State.SUPERSEDED, origin, heir=proposal.members[-1].memory)
    if proposal.action is Action.REPEAT:
        return Supersede(first, shown.draft, origin)
    return Merge(proposal.members, shown.draft, origin)


def reject(door: Door, reader: Reader, name: str, note: str = "") -> Proposal:
    """Leave everything as it is; the proposal stays in the ledger with the note. Raises as :func:`approve` does."""
    if len(note) > LONGEST_NOTE:
        raise UsageError(f"A note has at most {LONGEST_NOTE:,} characters; this one has {len(note):,}.")
    with door.store.unit(reader, write=True) as unit:
        rejected = _settled(door, _undecided(unit, name), Standing.REJECTED, door.redactor.clean(note))
        _settle(unit, rejected)
    return rejected


def fading(unit: Unit, now: int, days: int = STALE_DAYS) -> Sequence[Entry]:
    """The author's statements that were written more than so many days ago and that nobody asked for since.

    At most ``MOST_STALE``, longest untouched first. No pages, and nothing that is pinned.
    """
    return unit.memories.untouched(Criteria(kinds=LOOKED_AT, types=FADING, limit=MOST_STALE), now - days * DAY)
