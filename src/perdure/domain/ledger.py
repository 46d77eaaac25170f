"""Rows of the ledger that are neither memories nor sessions, and the criteria of a listing."""

from __future__ import annotations

from perdure.domain.memory import LATEST, Kind, Moment, Type
from perdure.domain.record import record


@record
class Criteria:
    """What a listing asks for; an empty tuple asks for all.

    ``injectable`` leaves out what must never be given unasked.
    """

    kinds: tuple[Kind, ...] = ()
    types: tuple[Type, ...] = ()
    pinned: bool = False
    injectable: bool = False
    limit: int = 50
    at: Moment = LATEST


@record
class Match:
    """A wording that the lexical index found; ``score`` is BM25, larger is better."""

    seq: int
    score: float


@record
class AuditRow:
    """Who asked for which change."""

    at: int
    author: str
    action: str
    memory: str
    channel: str
    detail: str = ""


@record
class ChangeRow:
    """A change that an idempotency key made."""

    change: int
    memory: str
    revision: str


@record
class ProjectRow:
    """A project: ``slug`` names it everywhere, ``name`` is what people call it."""

    slug: str
    name: str
    created: int


@record
class Job:
    """A leased job; ``token`` proves the lease."""

    id: int
    kind: str
    key: str
    payload: str
    token: str
    attempts: int
