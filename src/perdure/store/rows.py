"""Between rows of the catalogue and the values of the domain, the same for every engine."""

from __future__ import annotations

import json

from perdure.domain.errors import Corrupt
from perdure.domain.memory import (
    KINDS,
    TRUST_RANK,
    Cause,
    Channel,
    Entry,
    Kind,
    Memory,
    Provenance,
    Revision,
    Scope,
    State,
    Statement,
    Trust,
    Type,
)
from perdure.domain.record import as_dict
from perdure.domain.session import Role, Session, SessionRef, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from perdure.domain.assertions import Assertion

    T = TypeVar("T")
    Row = tuple[Any, ...]
    Params = dict[str, Any]


ENTRY = (
    "m.id, m.kind, m.author, m.scope, m.project, m.created, r.seq, r.id, r.parent, r.title, r.body, r.tags, r.attrs,"
    " r.type, r.state, r.valid_from, r.valid_to, r.expires, r.importance, r.confidence, r.pinned, r.recorded_at,"
    " r.recorded_by, r.cause, r.digest, r.wording, r.change, s.channel, s.trust, s.session, s.excerpt"
)
SESSION = (
    "s.id, s.host, s.ref, s.transcript, s.cwd, s.parent, s.project, s.author, s.position, s.size, s.started, s.ended"
)
ORDER = (
    "id, kind, about, author, created, role, project, subject, state, due, lease, token, attempts, rejected, cut,"
    " answer, reason, served"
)
PROPOSAL = (
    "p.id, p.author, p.action, p.members, p.confidence, p.reason, p.created, p.draft, p.standing, p.note, p.resolved,"
    " p.change"
)
FRAGMENTS = {
    "{proposal}": PROPOSAL,
    "{entry}": ENTRY,
    "{order}": ORDER,
    "{session}": SESSION,
    "{of_head}": (
        "FROM head h JOIN revision r ON r.seq = h.revision"
        " JOIN memory m ON m.id = h.memory JOIN source s ON s.revision = r.seq"
    ),
    "{of_revision}": "FROM revision r JOIN memory m ON m.id = r.memory JOIN source s ON s.revision = r.seq",
    "{head_stands}": (
        "(:as_of IS NULL OR (h.state <> 'retracted' AND h.valid_from <= :as_of"
        " AND (h.valid_to IS NULL OR h.valid_to > :as_of)))"
    ),
}


def with_fragments(sql: str) -> str:
    """Put the column lists and joins that statements share where a statement names them."""
    for name, fragment in FRAGMENTS.items():
        sql = sql.replace(name, fragment)
    return sql


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _parsed(text: str) -> Any:
    return {} if text == "{}" else json.loads(text)


def _sound(read: Callable[[Row], T]) -> Callable[[Row], T]:
    """A value that no store wrote is damage, and is named by the row that holds it."""

    def read_or_name(row: Row) -> T:
        try:
            return read(row)
        except (ValueError, TypeError, RecursionError) as error:
            raise Corrupt(f"The record {row[0]} is damaged ({error}). Run: perdure doctor") from error

    return read_or_name


@_sound
def memory_of(row: Row) -> Memory:
    """The identity in the first six columns of a row."""
    return Memory(row[0], Kind(row[1]), row[2], Scope(row[3]), row[4], row[5])


@_sound
def entry_of(row: Row) -> Entry:
    """The entry of a row with the columns of ``ENTRY``."""
    statement = Statement(
        title=row[9],
        body=row[10],
        tags=tuple(json.loads(row[11])) if row[11] != "[]" else (),
        attrs=_parsed(row[12]),
        type=Type(row[13]),
        state=State(row[14]),
        valid_from=row[15],
        valid_to=row[16],
        expires=row[17],
        importance=row[18],
        confidence=row[19],
        pinned=bool(row[20]),
    )
    revision = Revision(
        seq=row[6],
        id=row[7],
        memory=row[0],
        parent=row[8],
        statement=statement,
        recorded_at=row[21],
        recorded_by=row[22],
        cause=Cause(row[23]),
        digest=row[24],
        wording=row[25],
        change=row[26],
        provenance=Provenance(Channel(row[27]), Trust(row[28]), row[29], row[30]),
    )
    return Entry(memory_of(row), revision)


def memory_params(memory: Memory) -> Params:
    """The parameters of ``add_memory``."""
    return as_dict(memory) | {"kind": memory.kind.value, "scope": memory.scope.value}


def source_params(revision: Revision) -> Params:
    """The parameters of ``add_source`` for a revision that has its ``seq``."""
    origin = revision.provenance
    return as_dict(origin) | {"revision": revision.seq, "channel": origin.channel.value, "trust": origin.trust.value}


def revision_params(revision: Revision) -> Params:
    """The parameters of ``append_revision`` for a revision that has its ``seq`` and ``wording``."""
    statement = revision.statement
    return {
        "seq": revision.seq,
        "id": revision.id,
        "memory": revision.memory,
        "parent": revision.parent,
        "title": statement.title,
        "body": statement.body,
        "tags": _json(list(statement.tags)) if statement.tags else "[]",
        "attrs": _json(dict(statement.attrs)) if statement.attrs else "{}",
        "type": statement.type.value,
        "state": statement.state.value,
        "valid_from": statement.valid_from,
        "valid_to": statement.valid_to,
        "expires": statement.expires,
        "importance": statement.importance,
        "confidence": statement.confidence,
        "pinned": int(statement.pinned),
        "recorded_at": revision.recorded_at,
        "recorded_by": revision.recorded_by,
        "cause": revision.cause.value,
        "digest": revision.digest,
        "wording": revision.wording,
        "change": revision.change,
    }


def head_params(memory: Memory, revision: Revision, audience: str, *, live: bool) -> Params:
    """The parameters of ``add_head`` and ``set_head`` for a revision that has its ``seq`` and ``wording``."""
    statement = revision.statement
    return {
        "memory": memory.id,
        "revision": revision.seq,
        "wording": revision.wording,
        "audience": audience,
        "kind": memory.kind.value,
        "type": statement.type.value,
        "state": statement.state.value,
        "live": int(live),
        "trust": TRUST_RANK[revision.provenance.trust],
        "valid_from": statement.valid_from,
        "valid_to": statement.valid_to,
        "expires": statement.expires,
        "importance": statement.importance,
        "pinned": int(statement.pinned),
        "digest": None if KINDS[memory.kind].repeats else revision.digest,
    }


def assertion_params(revision: Revision, audience: str, found: Assertion) -> Params:
    """The parameters of ``add_assertion`` for a revision that has its ``wording``."""
    return {
        "wording": revision.wording,
        "audience": audience,
        "subject": found.subject,
        "relation": found.relation,
        "object": found.object,
    }


@_sound
def session_of(row: Row) -> Session:
    """The session of a row with the columns of ``SESSION``."""
    ref = SessionRef(host=row[1], ref=row[2], transcript=row[3], cwd=row[4], parent=row[5])
    return Session(
        id=row[0],
        ref=ref,
        project=row[6],
        author=row[7],
        offset=row[8],
        size=row[9],
        started=row[10],
        ended=row[11],
    )


def session_params(session: Session) -> Params:
    """The parameters of ``register``."""
    return {
        "id": session.id,
        "host": session.ref.host,
        "ref": session.ref.ref,
        "transcript": session.ref.transcript,
        "cwd": session.ref.cwd,
        "parent": session.ref.parent,
        "project": session.project,
        "author": session.author,
        "position": session.offset,
        "size": session.size,
        "started": session.started,
        "ended": session.ended,
    }


@_sound
def turn_of(row: Row) -> Turn:
    """The turn of a row of ``turns``."""
    return Turn(uuid=row[0], role=Role(row[1]), at=row[2], text=row[3], offset=row[4], attrs=_parsed(row[5]))


def turn_params(session_id: str, turn: Turn) -> Params:
    """The parameters of ``record``."""
    return {
        "session": session_id,
        "uuid": turn.uuid,
        "role": turn.role.value,
        "at": turn.at,
        "position": turn.offset,
        "text": turn.text,
        "attrs": _json(dict(turn.attrs)) if turn.attrs else "{}",
    }
