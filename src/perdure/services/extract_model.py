"""Facts from a session's turns, by a model: what lasts of what was said.

Beside it :mod:`perdure.services.extract` keeps, without a model, what the user said outright.
"""

from __future__ import annotations

from perdure.domain import tokens
from perdure.domain.change import Add, Draft
from perdure.domain.errors import ModelRefused
from perdure.domain.instants import MINUTE
from perdure.domain.instants import minute as minute_of
from perdure.domain.memory import Channel, Kind, Scope, Type, provenance
from perdure.domain.orders import Built, OrderState, WorkOrder
from perdure.domain.session import Role
from perdure.safety.fence import fence
from perdure.services import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from perdure.domain.change import Outcome
    from perdure.domain.json import Json
    from perdure.domain.session import Session, Turn
    from perdure.ports import Unit
    from perdure.services.write import Door

EXTRACT = "extract"
QUIET = 30 * MINUTE
"""After this long without a word a session counts as finished, for now."""
LOOKED_AT = 64
TURN_CHARACTERS = 2_000
CHARACTERS = 60_000
LEAST = 500
ITEMS = 6
ITEM_CHARACTERS = 2_000
MOST_IMPORTANT, SUREST = 0.7, 0.8
SORTS = (Type.PREFERENCE, Type.SEMANTIC, Type.EPISODIC, Type.PROCEDURAL, Type.PROSPECTIVE)
TRUNCATED = " [...]"


def queue(unit: Unit, now: int, quiet: int = QUIET) -> int:
    """Order the extraction of the reader's sessions that ended or have been quiet; returns how many are new.

    What was asked of a session once is not asked again; what it grew by is.
    """
    return sum(_queue(unit, session, now, quiet) for session in unit.sessions.latest(LOOKED_AT))


def _queue(unit: Unit, session: Session, now: int, quiet: int) -> bool:
    if session.author != unit.reader.author or session.ref.parent:
        return False
    known = unit.orders.newest(EXTRACT, session.id)
    since = asked = 0
    if known is not None:
        since, asked = _range(known)
        if known.state is not OrderState.WAITING:
            since = asked
    if session.offset <= asked or (known and known.state is OrderState.LEASED):
        return False
    said = [turn for turn in unit.sessions.turns(session.id, since=since) if _is_said(turn, session.offset)]
    if sum(len(turn.text[:TURN_CHARACTERS]) for turn in said) < LEAST:
        return False
    last = max(turn.at for turn in said)
    if not (max(0, now - last) >= quiet or (session.ended is not None and session.ended >= last)):
        return False
    subject: dict[str, Json] = {"since": since, "until": session.offset}
    order = WorkOrder(EXTRACT, session.id, session.author, now, project=session.project, subject=subject, due=now)
    unit.orders.put(order)
    return True


def _range(order: WorkOrder) -> tuple[int, int]:
    since, until = order.subject["since"], order.subject["until"]
    return (since, until) if isinstance(since, int) and isinstance(until, int) else (0, 0)


def _is_said(turn: Turn, until: int) -> bool:
    return turn.role in {Role.USER, Role.ASSISTANT} and turn.offset < until and bool(turn.text)


def _said(unit: Unit, order: WorkOrder) -> list[Turn]:
    """The turns that an order is about; a turn's number is its place among them, from 1."""
    since, until = _range(order)
    return [turn for turn in unit.sessions.turns(order.about, since=since) if _is_said(turn, until)]


def build(door: Door, unit: Unit, order: WorkOrder, room: int) -> Built | None:
    """The latest turns that fit, each with its number; None where too little was said.

    Raises ``ModelRefused`` where not even the last one fits.
    """
    said = _said(unit, order)
    lines = [_line(number, turn) for number, turn in enumerate(said, 1)]
    lines = list(door.redactor.redact_joined(lines))
    if sum(map(len, lines)) < LEAST:
        return None
    first = _first_that_fits(lines, room)
    if first == len(lines):
        raise ModelRefused("Not one turn fits into a question. Raise model.question_tokens.")
    shown = "\n\n".join(lines[first:])
    cut = f"the first {first:,} of {len(lines):,} turns were left out" if first else ""
    if cut:
        shown = f"[{cut}]\n\n{shown}"
    variables = {"project": order.project or "none", "transcript": fence("transcript", shown, door.ids.nonce())}
    return Built(variables, _contract(first + 1, len(lines)), cut)


def _line(number: int, turn: Turn) -> str:
    text = turn.text if len(turn.text) <= TURN_CHARACTERS else turn.text[:TURN_CHARACTERS] + TRUNCATED
    return f"[{number}] {turn.role.value}, {minute_of(turn.at)}: {text}"


def _first_that_fits(lines: Sequence[str], room: int) -> int:
    """The place of the first line such that all from there on fit."""
    characters, first = CHARACTERS, len(lines)
    while first:
        line = lines[first - 1]
        characters -= len(line)
        room -= tokens.count(line)
        if characters < 0 or room < 0:
            break
        first -= 1
    return first


def _contract(first: int, last: int) -> dict[str, Json]:
    share: dict[str, Json] = {"type": "number", "minimum": 0, "maximum": 1}
    sources: dict[str, Json] = {
        "type": "array",
        "minItems": 1,
        "items": {"type": "integer", "minimum": first, "maximum": last},
    }
    item: dict[str, Json] = {
        "type": "object",
        "properties": {
            "type": {"enum": [sort.value for sort in SORTS]},
            "content": {"type": "string", "minLength": 1, "maxLength": ITEM_CHARACTERS},
            "importance": share,
            "confidence": share,
            "sources": sources,
        },
        "required": ["type", "content", "importance", "confidence", "sources"],
    }
    return {"type": "array", "maxItems": ITEMS, "items": item}


def apply(door: Door, unit: Unit, order: WorkOrder, value: Any) -> list[Outcome]:  # noqa: ANN401 - meets the contract
    """Record the items. They are a model's word: never as important or as sure as what a person says."""
    said = _said(unit, order)
    return [_record(door, unit, order, said, item, place) for place, item in enumerate(value)]


def _record(
    door: Door, unit: Unit, order: WorkOrder, said: Sequence[Turn], item: dict[str, Any], place: int
) -> Outcome:
    sources = [said[number - 1] for number in sorted(set(item["sources"]))]
    sort = Type(item["type"])
    draft = Draft(
        Kind.FORESIGHT if sort is Type.PROSPECTIVE else Kind.FACT,
        item["content"],
        type=sort,
        scope=Scope.PRIVATE if sort is Type.PREFERENCE else None,
        project=order.project,
        importance=min(float(item["importance"]), MOST_IMPORTANT),
        confidence=min(float(item["confidence"]), SUREST),
        valid_from=max(turn.at for turn in sources),
        attrs={"turns": [turn.uuid for turn in sources]},
    )
    origin = provenance(Channel.ASSISTANT_INFERENCE, order.about, sources[0].text)
    since, until = _range(order)
    return write.commit_in(door, unit, Add(draft, origin, f"extract/{order.about}/{since}-{until}/{place}"))
