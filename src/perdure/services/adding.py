"""New statements: added, put in place of others, merged from several. What they repeat or correct is found here."""

from __future__ import annotations

from perdure.domain import drafts
from perdure.domain.access import audience
from perdure.domain.change import Conflicted, Denied, Merge, Parked, Supersede, Unchanged, Written
from perdure.domain.memory import (
    KINDS,
    LATEST,
    MERGED_INTO,
    Link,
    Memory,
    Scope,
    State,
    Statement,
    Type,
    disjoint,
    handle,
    least_trust,
)
from perdure.domain.proposal import Action, Member, Proposal
from perdure.domain.record import record, replace
from perdure.domain.wording import digest
from perdure.services import cleaning, correct
from perdure.services.door import Entering, enter, own, retire, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.access import Reader
    from perdure.domain.change import Add, Draft, Outcome
    from perdure.domain.memory import Entry, Provenance
    from perdure.ports import Unit
    from perdure.services.door import Door

MERGED = 2
"""Fewer memories than these are not merged."""


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


def add(door: Door, unit: Unit, change: Add) -> Outcome:
    """Record a new memory, unless it is known; retire what it corrects for certain, and ask about the rest."""
    draft = change.draft
    scope, sort = _place(unit.reader, draft)
    statement = _statement(draft, sort, door.clock.now())
    outcome = _refusal(unit, draft, scope, statement)
    if outcome is not None:
        return outcome
    own = audience(unit.reader.author, scope, draft.project)
    found = correct.NONE
    if KINDS[draft.kind].corrects and not change.anyway:
        found = correct.compare(unit, statement, own, change.provenance)
    if found.repeated is not None:
        return _park(door, unit, draft, found.repeated)
    reasons = " ".join(dict.fromkeys(each.relation.reason for each in found.replaced))
    written = _write(door, unit, change, _Placed(draft, scope, statement, reasons))
    return _corrected(door, unit, change.provenance, written, found) if found is not correct.NONE else written


def _refusal(unit: Unit, draft: Draft, scope: Scope, statement: Statement) -> Denied | Unchanged | None:
    """Why a new statement is not recorded: it is flawed, it may not be shared, or it is known."""
    if flaw := cleaning.flaw(statement):
        return Denied(flaw)
    if scope is Scope.PROJECT and not unit.reader.may_write(scope, draft.project):
        where = f"project '{draft.project}'" if draft.project else "a project, since none is named"
        return Denied(f"You cannot share with {where}: you are not a member of it. Keep it private, or join first.")
    if KINDS[draft.kind].repeats:
        return None
    for known in unit.memories.said(audience(unit.reader.author, scope, draft.project), digest(statement)):
        entry = unit.memories.get(known, LATEST)
        if entry is not None and not disjoint(entry.revision.statement, statement):
            return Unchanged(known, f"This is known already, as {handle(known)}.")
    return None


@record
class _Placed:
    """A new statement with where it belongs, and why a rule lets it replace others."""

    draft: Draft
    scope: Scope
    statement: Statement
    reasons: str = ""


def _write(door: Door, unit: Unit, change: Add | Supersede | Merge, placed: _Placed) -> Written:
    """Record a new memory with its first revision."""
    draft = placed.draft
    memory = Memory(door.ids.new(), draft.kind, unit.reader.author, placed.scope, draft.project, door.clock.now())
    entering = enter(door, unit, change, memory.id, placed.reasons)
    revision = entering.create(memory, placed.statement, digest(placed.statement))
    return Written(memory.id, revision.id, entering.number)


def _park(door: Door, unit: Unit, draft: Draft, found: correct.Finding) -> Parked:
    """Keep a statement that another says already, nearly, for a person to decide."""
    known = found.entry
    proposal = Proposal(
        id=door.ids.new(),
        author=unit.reader.author,
        action=Action.REPEAT,
        members=(Member(known.memory.id, known.revision.id),),
        confidence=found.relation.confidence,
        reason=found.relation.reason,
        created=door.clock.now(),
        draft=drafts.to_json(draft),
    )
    return Parked(unit.proposals.put(proposal), f"Nearly the same is known, as {handle(known.memory.id)}.")


def _corrected(door: Door, unit: Unit, origin: Provenance, written: Written, found: correct.Findings) -> Written:
    """Retire what a new statement replaces for certain, and ask about what it may replace."""
    closed: list[str] = []
    successor = unit.memories.get(written.memory, LATEST)
    if successor is None:
        return written
    entering = Entering(unit, door.ids, written.change, door.clock.now(), shortened(origin))
    for each in found.replaced:
        old, heir = (successor, each.entry) if each.later else (each.entry, successor)
        if old.revision.statement.state is State.ACTIVE and old.memory.id not in closed:
            retire(entering, old, heir)
            closed.append(old.memory.id)
    proposed = [_propose(door, unit, each, successor) for each in found.doubtful] if not closed else []
    return replace(written, closed=tuple(name for name in closed if name != written.memory), proposed=tuple(proposed))


def _propose(door: Door, unit: Unit, found: correct.Finding, successor: Entry) -> str:
    old, new = (successor, found.entry) if found.later else (found.entry, successor)
    return unit.proposals.put(
        Proposal(
            id=door.ids.new(),
            author=unit.reader.author,
            action=Action.SUPERSEDE,
            members=(Member(old.memory.id, old.revision.id), Member(new.memory.id, new.revision.id)),
            confidence=found.relation.confidence,
            reason=found.relation.reason,
            created=door.clock.now(),
        )
    )


def supersede(door: Door, unit: Unit, change: Supersede) -> Outcome:
    """Record a statement in place of another."""
    entry = own(unit, change.target)
    if isinstance(entry, Denied):
        return entry
    old = entry.revision.statement
    if old.state is not State.ACTIVE:
        return Denied(f"{handle(change.target)} is already {old.state}.")
    if digest(old) == digest(replace(old, title=change.draft.title or old.title, body=change.draft.body)):
        return Unchanged(change.target, f"{handle(change.target)} says this already.")
    heir = replace(change.draft, kind=entry.memory.kind, type=change.draft.type or old.type)
    if not heir.project and heir.scope is None:
        heir = replace(heir, project=entry.memory.project, scope=entry.memory.scope)
    return _succeed(door, unit, change, heir, [entry])


def merge(door: Door, unit: Unit, change: Merge) -> Outcome:
    """Record one statement in place of several of one project: with the narrowest scope and the least trust of them."""
    entries: list[Entry] = []
    for member in change.members:
        entry = own(unit, member.memory)
        if isinstance(entry, Denied):
            return entry
        if entry.revision.id != member.revision:
            name = handle(member.memory)
            reason = f"{name} was changed meanwhile. Look at it again: perdure show {name}"
            return Conflicted(member.memory, entry.revision.id, reason)
        entries.append(entry)
    if len({entry.memory.id for entry in entries}) < MERGED:
        return Denied("There is nothing to merge: a merge needs two memories or more.")
    if any(entry.revision.statement.state is not State.ACTIVE for entry in entries):
        return Denied("Only active statements are merged.")
    projects = {entry.memory.project for entry in entries}
    if len(projects) > 1:
        return Denied("Memories of different projects are not merged.")
    narrowest = Scope.PRIVATE if any(entry.memory.scope is Scope.PRIVATE for entry in entries) else Scope.PROJECT
    least = least_trust(change.provenance.trust, *(entry.revision.provenance.trust for entry in entries))
    draft = replace(change.draft, project=projects.pop(), scope=narrowest, kind=entries[0].memory.kind)
    return _succeed(door, unit, replace(change, provenance=replace(change.provenance, trust=least)), draft, entries)


def _succeed(door: Door, unit: Unit, change: Supersede | Merge, draft: Draft, entries: Sequence[Entry]) -> Outcome:
    """Record a statement in place of those that are known; where one of them says it already, the others give way."""
    scope, sort = _place(unit.reader, draft)
    statement = _statement(draft, sort, door.clock.now())
    refused = _refusal(unit, draft, scope, statement)
    if (
        isinstance(refused, Unchanged)
        and isinstance(change, Merge)
        and refused.memory in {e.memory.id for e in entries}
    ):
        refused = None
    if refused is not None:
        return refused
    written = _write(door, unit, change, _Placed(draft, scope, statement))
    successor = unit.memories.get(written.memory, LATEST)
    if successor is None:
        return written
    entering = Entering(unit, door.ids, written.change, door.clock.now(), shortened(change.provenance))
    for entry in entries:
        retire(entering, entry, successor)
        if isinstance(change, Merge):
            unit.memories.link(Link(entry.memory.id, written.memory, MERGED_INTO))
    return replace(written, closed=tuple(entry.memory.id for entry in entries))
