"""A model's verdict on statements that are alike: keep them, merge them, or let one take the others' place."""

from __future__ import annotations

import math

from perdure.domain import drafts
from perdure.domain.change import Close, Draft, Merge, Parked
from perdure.domain.instants import day
from perdure.domain.memory import LATEST, Channel, State, Type, handle, provenance
from perdure.domain.orders import Built
from perdure.domain.proposal import Action, Member, Proposal
from perdure.domain.record import replace
from perdure.safety.fence import fence
from perdure.services import consolidate, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from perdure.domain.change import Outcome
    from perdure.domain.json import Json
    from perdure.domain.memory import Entry
    from perdure.domain.orders import WorkOrder
    from perdure.ports import Unit
    from perdure.services.write import Door

MOST_IMPORTANT = 0.7
LONGEST = 2_000
KEEP, MERGE, SUPERSEDE = "keep", "merge", "supersede"


def build(door: Door, unit: Unit, order: WorkOrder, room: int) -> Built | None:  # noqa: ARG001 - a group is small
    """The statements of the group with their numbers; None where one of them has changed since."""
    group = _group(unit, order)
    if not group:
        return None
    lines = [
        f"[{number}] ({day(entry.revision.statement.valid_from)}) {entry.revision.statement.body[:LONGEST]}"
        for number, entry in enumerate(group, 1)
    ]
    told = fence("statements", "\n".join(door.redactor.redact_joined(lines)), door.ids.nonce())
    return Built({"statements": told}, _contract(len(group)))


def _group(unit: Unit, order: WorkOrder) -> list[Entry]:
    """The members as they were when the verdict was ordered; none where one has changed."""
    group: list[Entry] = []
    members = order.subject["members"]
    for memory, revision in members if isinstance(members, list) else []:
        entry = unit.memories.get(str(memory), LATEST)
        if entry is None or entry.revision.id != revision or entry.revision.statement.state is not State.ACTIVE:
            return []
        group.append(entry)
    return group


def _contract(count: int) -> dict[str, Json]:
    sure: dict[str, Json] = {"type": "number"}
    words: dict[str, Json] = {"type": "string", "minLength": 1, "maxLength": LONGEST}
    return {
        "type": "object",
        "properties": {
            "verdict": {"enum": [KEEP, MERGE, SUPERSEDE]},
            "confidence": sure,
            "content": words,
            "importance": sure,
            "type": {"enum": [sort.value for sort in Type]},
            "winner": {"type": "integer", "minimum": 1, "maximum": count},
        },
        "required": ["verdict"],
        "allOf": [
            {"if": _is(MERGE), "then": {"required": ["content"]}},
            {"if": _is(SUPERSEDE), "then": {"required": ["winner"]}},
        ],
    }


def _is(verdict: str) -> dict[str, Json]:
    return {"properties": {"verdict": {"const": verdict}}}


def _share(value: Any, default: float = 0.0) -> float:  # noqa: ANN401 - a number of an answer, or nothing
    """A number of the answer within 0..1; what is missing or no number counts as nothing."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return default
    return min(1.0, max(0.0, float(value)))


def apply(door: Door, unit: Unit, order: WorkOrder, value: Any) -> list[Outcome]:  # noqa: ANN401 - meets the contract
    """Do what the verdict says where it is sure enough, and propose it where it is not."""
    group = _group(unit, order)
    if not group or value["verdict"] == KEEP:
        return []
    confidence = _share(value.get("confidence"))
    sure = confidence >= _share(order.subject.get("threshold"), default=1.0)
    if value["verdict"] == SUPERSEDE:
        winner = group[value["winner"] - 1]
        losers = [entry for entry in group if entry is not winner]
        return [_give_way(door, unit, (entry, winner), confidence, sure=sure) for entry in losers]
    first = group[0]
    draft = Draft(
        first.memory.kind,
        value["content"],
        type=Type(value["type"]) if "type" in value else first.revision.statement.type,
        project=first.memory.project,
        importance=min(_share(value.get("importance"), default=0.5), MOST_IMPORTANT),
        confidence=min(confidence, *(entry.revision.statement.confidence for entry in group)),
        valid_from=min(entry.revision.statement.valid_from for entry in group),
    )
    return [_merge(door, unit, group, draft, confidence, sure=sure)]


def _give_way(door: Door, unit: Unit, pair: tuple[Entry, Entry], confidence: float, *, sure: bool) -> Outcome:
    old, heir = pair
    if sure:
        origin = provenance(Channel.CONSOLIDATION)
        return write.commit_in(door, unit, Close(old.memory.id, State.SUPERSEDED, origin, heir=heir.memory.id))
    reason = f"A model holds that {handle(heir.memory.id)} says it better."
    return Parked(consolidate.propose(door, unit, pair, confidence, reason), reason)


def _merge(door: Door, unit: Unit, group: Sequence[Entry], draft: Draft, confidence: float, *, sure: bool) -> Outcome:
    members = tuple(Member(entry.memory.id, entry.revision.id) for entry in group)
    if sure:
        return write.commit_in(door, unit, Merge(members, draft, provenance(Channel.CONSOLIDATION)))
    reason = "A model holds that these say the same."
    asked = Proposal(
        id=door.ids.new(),
        author=unit.reader.author,
        action=Action.MERGE,
        members=members,
        confidence=confidence,
        reason=reason,
        created=door.clock.now(),
        draft=drafts.to_json(replace(draft, body=door.redactor.clean(draft.body))),
    )
    return Parked(unit.proposals.put(asked), reason)
