"""Reflection: one page for each project that says on a screen what is known, rebuilt whole from what stands.

Only what the project shares goes in. Without a model the page lists the weightiest statements by sort; a model writes
prose from the same statements. A new page takes the place of the author's former one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perdure.domain.access import Reader
from perdure.domain.change import Add, Draft, Supersede, Unchanged, Written
from perdure.domain.instants import day
from perdure.domain.ledger import Criteria
from perdure.domain.memory import Channel, Kind, Scope, State, Type, least_trust, provenance
from perdure.domain.orders import Built, WorkOrder
from perdure.domain.record import record, replace
from perdure.domain.wording import digest_of
from perdure.safety.fence import fence
from perdure.services import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from perdure.domain.change import Outcome
    from perdure.domain.json import Json
    from perdure.domain.memory import Entry
    from perdure.ports import Unit
    from perdure.services.write import Door

REFLECT = "reflect"
PAGE = "reflection"
"""What marks such a page in its attributes."""
MOST_LOOKED_AT = 5_000
IMPORTANCE, CONFIDENCE = 0.6, 0.7
WORDS = 250
LINE_WORDS = 32
PAGE_CHARACTERS = 6_000
_SECTIONS = (
    (Type.SEMANTIC, "What holds"),
    (Type.PROCEDURAL, "How it is done"),
    (Type.PROSPECTIVE, "Ahead"),
    (Type.EPISODIC, "What happened"),
    (Type.SUMMARY, "In short"),
    (Type.PREFERENCE, "What is preferred"),
)


@record
class Bounds:
    """From how many statements on a project gets a page, and from how many at most it is made."""

    least: int = 5
    most: int = 80


@dataclass(slots=True)
class Report:
    """Which projects were looked at: ``written`` pages by project, ``same`` as before, ``small`` ones, ``asked``."""

    written: dict[str, str] = field(default_factory=dict)
    same: list[str] = field(default_factory=list)
    small: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    """The text of each page, of those that a dry run would write too."""


def reflect(
    door: Door, author: str, projects: Sequence[str], bounds: Bounds, *, ask: bool = False, dry_run: bool = False
) -> Report:
    """Rebuild the page of each project. With ``ask`` a model is to write it; with ``dry_run`` nothing is written."""
    report = Report()
    for project in projects:
        reader = Reader(author, frozenset((project,)), project)
        with door.store.unit(reader, write=not dry_run) as unit:
            shared = _shared(unit, bounds.most)
            if len(shared) < bounds.least:
                report.small.append(project)
            elif ask and not dry_run:
                unit.orders.put(_order(unit, project, shared, door.clock.now()))
                report.asked.append(project)
            else:
                report.pages[project] = text = page(shared)
                if not dry_run:
                    _note(report, project, _keep(door, unit, project, text, shared))
    return report


def _note(report: Report, project: str, outcome: Outcome) -> None:
    if isinstance(outcome, Written):
        report.written[project] = outcome.memory
    elif isinstance(outcome, Unchanged):
        report.same.append(project)


def _shared(unit: Unit, most: int) -> list[Entry]:
    """The active statements that the project shares, weightiest first; no pages, and nothing private."""
    kinds = tuple(kind for kind in Kind if kind not in {Kind.PAGE, Kind.EPISODE, Kind.NOTE, Kind.SESSION})
    found = [
        entry
        for entry in unit.memories.heads(Criteria(kinds=kinds, injectable=True, limit=MOST_LOOKED_AT))
        if entry.memory.scope is Scope.PROJECT and entry.revision.statement.state is State.ACTIVE
    ]
    return sorted(found, key=_weight, reverse=True)[:most]


def _weight(entry: Entry) -> tuple[bool, float, int, int]:
    statement = entry.revision.statement
    return (statement.pinned, statement.importance, statement.valid_from, entry.revision.seq)


def page(shared: Sequence[Entry]) -> str:
    """The page without a model: statements by sort, weightiest first, in at most ``WORDS`` words."""
    left = WORDS
    parts: list[str] = []
    for sort, heading in _SECTIONS:
        lines = []
        for entry in shared:
            statement = entry.revision.statement
            words = statement.body.split()
            if statement.type is not sort or left < min(len(words), LINE_WORDS):
                continue
            kept = " ".join(words[:LINE_WORDS]) + (" …" if len(words) > LINE_WORDS else "")
            left -= len(kept.split())
            lines.append(f"- {kept} ({day(statement.valid_from)})")
        if lines:
            parts.append(f"## {heading}\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _former(unit: Unit) -> Entry | None:
    """The author's page of the project as it stands."""
    for entry in unit.memories.heads(Criteria(kinds=(Kind.PAGE,), limit=MOST_LOOKED_AT)):
        statement = entry.revision.statement
        own = entry.memory.author == unit.reader.author and statement.state is State.ACTIVE
        if own and statement.attrs.get("page") == PAGE:
            return entry
    return None


def _keep(door: Door, unit: Unit, project: str, text: str, shared: Sequence[Entry]) -> Outcome:
    """Write a page in place of the former one, no more trusted than the least of what it is made from."""
    draft = Draft(
        Kind.PAGE,
        text,
        title=f"What is known of {project}",
        type=Type.SEMANTIC,
        scope=Scope.PROJECT,
        project=project,
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
        attrs={"page": PAGE},
    )
    least = least_trust(*(entry.revision.provenance.trust for entry in shared))
    origin = replace(provenance(Channel.CONSOLIDATION), trust=least)
    former = _former(unit)
    change = Add(draft, origin) if former is None else Supersede(former.memory.id, draft, origin)
    return write.commit_in(door, unit, change)


def _order(unit: Unit, project: str, shared: Sequence[Entry], now: int) -> WorkOrder:
    heads = digest_of("", repr(sorted(entry.revision.id for entry in shared)))
    subject: dict[str, Json] = {"heads": heads, "most": len(shared)}
    return WorkOrder(REFLECT, project, unit.reader.author, now, project=project, subject=subject, due=now)


def build(door: Door, unit: Unit, order: WorkOrder, room: int) -> Built | None:
    """The statements of the project that fit, weightiest first; None where nothing is left."""
    from perdure.domain import tokens

    lines: list[str] = []
    shared = _asked(unit, order)
    for entry in shared:
        statement = entry.revision.statement
        line = f"- ({statement.type.value}, {day(statement.valid_from)}) {' '.join(statement.body.split())}"
        room -= tokens.count(line)
        if room < 0:
            break
        lines.append(line)
    if not lines:
        return None
    told = "\n".join(door.redactor.redact_joined(lines))
    left = len(shared) - len(lines)
    contract: dict[str, Json] = {"type": "string", "minLength": 1, "maxLength": PAGE_CHARACTERS}
    variables = {"project": order.project, "statements": fence("statements", told, door.ids.nonce())}
    return Built(variables, contract, f"the {left} least important statements were left out" if left else "")


def _asked(unit: Unit, order: WorkOrder) -> list[Entry]:
    most = order.subject.get("most")
    return _shared(unit, most if isinstance(most, int) else Bounds().most)


def apply(door: Door, unit: Unit, order: WorkOrder, value: Any) -> list[Outcome]:  # noqa: ANN401 - meets the contract
    """Keep the page that the model wrote."""
    shared = _asked(unit, order)
    return [_keep(door, unit, order.project, value, shared)] if shared else []
