"""Repositories of the ledger for where knowledge comes from: sessions, projects, jobs, work orders."""

from __future__ import annotations

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perdure.domain.ledger import Job, ProjectRow
    from perdure.domain.orders import OrderState, Spent, WorkOrder
    from perdure.domain.session import Defect, Session, Turn


class Sessions(Protocol):
    """Sessions, their turns, what they were given and what could not be read."""

    def register(self, session: Session) -> Session:
        """Record a session, or return the one already known by its host and reference."""
        ...

    def find(self, host: str, ref: str) -> Session | None:
        """The session known by its host and reference."""
        ...

    def pending(self) -> Sequence[Session]:
        """Sessions whose transcript is known to be longer than what was taken in."""
        ...

    def grow(self, session_id: str, size: int, ended: int | None) -> None:
        """Note that a transcript has at least ``size`` bytes, and when the session ended."""
        ...

    def record(self, session: Session, turns: Sequence[Turn]) -> int:
        """Record turns; those whose uuid is known are left as they are. Returns how many are new."""
        ...

    def advance(self, session: Session, end: int) -> bool:
        """Move the offset from ``session.offset`` to ``end``; False where someone else moved it."""
        ...

    def settle(self, session_id: str, size: int) -> None:
        """Note that all is read that can be, unless the session has grown past ``size`` meanwhile."""
        ...

    def last_prompt(self, session_id: str, before: int) -> int:
        """The offset of the user's last turn that lies before a byte; 0 where there is none."""
        ...

    def turns(self, session_id: str, *, since: int = 0) -> Sequence[Turn]:
        """The session's turns from byte ``since`` on, in file order."""
        ...

    def mark(self, session_ref: str, memories: Sequence[str], via: str, at: int) -> None:
        """Note that memories were given to a host's session."""
        ...

    def marked(self, session_ref: str) -> Mapping[str, str]:
        """Memories already given to a host's session, and where (``start`` or ``prompt``)."""
        ...

    def defect(self, defect: Defect, at: int) -> None:
        """Note an unreadable place, once."""
        ...

    def defects(self, limit: int) -> Sequence[Defect]:
        """The latest unreadable places."""
        ...

    def latest(self, limit: int) -> Sequence[Session]:
        """The latest sessions that the reader may see."""
        ...

    def counts(self) -> Mapping[str, int]:
        """``sessions``, ``turns`` and ``defects`` in all."""
        ...


class Projects(Protocol):
    """Projects, the keys they are known by, and their members."""

    def by_key(self, key: str) -> ProjectRow | None:
        """The project known by a key such as ``remote:github.com/org/repo``."""
        ...

    def create(self, row: ProjectRow, keys: Sequence[str]) -> ProjectRow:
        """Record a project with its keys; a taken slug gets a number."""
        ...

    def add_keys(self, slug: str, keys: Sequence[str]) -> None:
        """Let the project be known by further keys; a key that is taken stays where it is."""
        ...

    def keys(self, slug: str) -> Sequence[str]:
        """All keys that the project is known by."""
        ...

    def admit(self, slug: str, author: str, at: int) -> None:
        """Make an author a member, also one who was expelled."""
        ...

    def expel(self, slug: str, author: str) -> bool:
        """End a membership; False where there was none."""
        ...

    def expelled(self, slug: str, author: str) -> bool:
        """Whether an author was a member and is kept out since."""
        ...

    def members(self, slug: str) -> Mapping[str, int]:
        """Who is a member, in order of name, and since when."""
        ...

    def of(self, author: str) -> frozenset[str]:
        """The slugs of the projects that an author is a member of."""
        ...

    def all(self) -> Sequence[ProjectRow]:
        """Every project, in order of its slug."""
        ...

    def watermark(self, slug: str, name: str) -> str:
        """A remembered position of the project, such as the last commit taken in."""
        ...

    def set_watermark(self, slug: str, name: str, value: str) -> None:
        """Remember a position."""
        ...


class Jobs(Protocol):
    """Work to do after a commit: leased, repeatable, at most one of a kind and key."""

    def put(self, kind: str, key: str, payload: str, at: int) -> None:
        """Queue a job, or make a finished one of the same name due again."""
        ...

    def lease(self, kind: str, worker: str, now: int, until: int) -> Job | None:
        """Take the oldest due job whose lease is free."""
        ...

    def done(self, job: Job) -> bool:
        """Finish a job; False where the lease was lost meanwhile."""
        ...

    def failed(self, job: Job, error: str, retry_at: int) -> bool:
        """Give a job back to be tried again; False where the lease was lost meanwhile."""
        ...

    def waiting(self) -> Mapping[str, int]:
        """How many jobs of each kind are unfinished."""
        ...


class Orders(Protocol):
    """Work orders. Every author sees and answers their own."""

    def put(self, order: WorkOrder) -> WorkOrder:
        """Queue an order and return it as it is kept.

        About one thing there is one unfinished order of a kind: one that waits is given the new subject, one that is
        being answered stays as it is. What was asked already, with the same subject, is not asked again.
        """
        ...

    def get(self, order_id: int) -> WorkOrder | None:
        """The reader's own order."""
        ...

    def newest(self, kind: str, about: str) -> WorkOrder | None:
        """The reader's latest order of a kind about a thing."""
        ...

    def lease(self, kinds: Sequence[str], token: str, now: int, until: int) -> WorkOrder | None:
        """Take the order that has been due the longest and that nobody holds; one more attempt is counted."""
        ...

    def settle(self, order: WorkOrder) -> bool:
        """Record how an order stands; False where it was answered before."""
        ...

    def release(self, order: WorkOrder) -> bool:
        """The same for who holds its lease; False where the lease was lost meanwhile."""
        ...

    def listed(self, states: Sequence[OrderState], limit: int) -> Sequence[WorkOrder]:
        """The reader's orders that stand so, latest first."""
        ...

    def counts(self) -> Mapping[OrderState, int]:
        """How many of the reader's orders stand so, of those that are any."""
        ...


class Spending(Protocol):
    """What the reader's models cost."""

    def add(self, day: str, role: str, calls: int, tokens: int) -> None:
        """Count calls and tokens of a role; a correction may be below zero."""
        ...

    def of(self, day: str) -> Sequence[Spent]:
        """What was spent on a day, by role in order of name."""
        ...


class Meta(Protocol):
    """Named facts about the store itself."""

    def get(self, name: str) -> str:
        """The value, or an empty text."""
        ...

    def set(self, name: str, value: str) -> None:
        """Keep a value."""
        ...
