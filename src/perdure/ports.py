"""What the services need from the world outside, as Protocols. Adapters live in the rooms above."""

from __future__ import annotations

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from perdure.domain.access import Reader
    from perdure.domain.commit import Commit
    from perdure.domain.event import HostEvent
    from perdure.domain.json import Json
    from perdure.domain.ledger import AuditRow, ChangeRow, Criteria, Job, Match, ProjectRow
    from perdure.domain.memory import Entry, Link, Memory, Moment, Revision
    from perdure.domain.orders import Answer, OrderState, Question, Spent, WorkOrder
    from perdure.domain.proposal import Proposal
    from perdure.domain.session import Defect, Session, SessionRef, Transcript, Turn
    from perdure.domain.spool import Pointer


class Clock(Protocol):
    """The only source of the time."""

    def now(self) -> int:
        """Microseconds since the epoch, UTC."""
        ...


class Ids(Protocol):
    """The only source of new names."""

    def new(self) -> str:
        """A fresh UUIDv7 in its text form."""
        ...

    def nonce(self) -> str:
        """128 random bits as 32 hexadecimal digits."""
        ...


class Memories(Protocol):
    """Identities, revisions, heads and links. Every read is filtered by the unit's reader."""

    def add(self, memory: Memory) -> None:
        """Record a new identity."""
        ...

    def append(self, revision: Revision) -> Revision:
        """Record a revision as the memory's head and return it with its ``seq`` and ``wording`` set.

        ``wording`` 0 means that the words are new.
        """
        ...

    def link(self, link: Link) -> None:
        """Record a relation; the same one twice is one."""
        ...

    def get(self, memory_id: str, at: Moment) -> Entry | None:
        """The entry as it stood at the two times, or None where the reader may not see one."""
        ...

    def resolve(self, name: str, limit: int) -> Sequence[str]:
        """Ids that a full id or the start of an id's last group can mean, at most ``limit``."""
        ...

    def history(self, memory_id: str) -> Sequence[Revision]:
        """All revisions in order; empty where the reader may not see the memory."""
        ...

    def links(self, memory_id: str) -> Sequence[Link]:
        """Relations of the memory in both directions, to visible memories only."""
        ...

    def heads(self, criteria: Criteria) -> Sequence[Entry]:
        """Entries that meet the criteria, newest event time first."""
        ...

    def entries(self, seqs: Sequence[int], at: Moment) -> Mapping[int, Entry]:
        """For wordings found by a search: the entry that stands at the two times, where its words are those found."""
        ...

    def about(self, audience: str, subject: str, relation: str, limit: int) -> Sequence[int]:
        """Wordings in one audience whose assertion has this subject and relation, newest first."""
        ...

    def said(self, audience: str, digest: str) -> Sequence[str]:
        """The ids of the active memories of the audience with exactly these words, oldest first.

        Kinds that may say a thing twice are not asked.
        """
        ...

    def count(self) -> int:
        """How many active memories the reader may see in scope."""
        ...


class Search(Protocol):
    """The lexical index."""

    def frequencies(self, terms: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        """How many texts are indexed, and in how many each term occurs; of common terms about how many."""
        ...

    def lexical(self, terms: Sequence[str], *, superseded: bool, limit: int) -> Sequence[Match]:
        """The best wordings in the reader's audiences that hold any of the terms, best first.

        Found are the words of heads that are active, or whose end was still to come when they were written; with
        ``superseded`` all other wordings too.
        """
        ...


class Changes(Protocol):
    """The audit of changes, and the memory of those already made."""

    def begin(self, row: AuditRow) -> int:
        """Record who asks for what, and return the change's number."""
        ...

    def audit(self, change: int) -> AuditRow | None:
        """What was entered for a change of that number."""
        ...

    def made(self, key: str) -> ChangeRow | None:
        """The change that an idempotency key already made."""
        ...

    def remember(self, key: str, made: ChangeRow) -> None:
        """Bind an idempotency key to the change it made."""
        ...

    def latest(self, author: str) -> int | None:
        """The author's latest change of a memory that isn't undone."""
        ...

    def revisions(self, change: int) -> Sequence[Revision]:
        """The revisions that a change wrote, in order."""
        ...

    def undone(self, change: int, by: int) -> bool:
        """Mark a change as undone by another; False where it already was."""
        ...


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


class Proposals(Protocol):
    """The review queue. Every author sees and decides their own."""

    def put(self, proposal: Proposal) -> str:
        """Queue a proposal and return its id: that of the one already made for the same action and members, if any.

        What was decided once about the same revisions is not asked again.
        """
        ...

    def get(self, proposal_id: str) -> Proposal | None:
        """The reader's own proposal."""
        ...

    def resolve(self, name: str, limit: int) -> Sequence[str]:
        """Ids of the reader's proposals that a full id or the start of an id's last group can mean."""
        ...

    def pending(self, limit: int) -> Sequence[Proposal]:
        """The reader's undecided proposals, surest first, then oldest first."""
        ...

    def decide(self, decided: Proposal) -> bool:
        """Record standing, note, time and change of a pending proposal; False where it was decided before."""
        ...

    def count(self) -> int:
        """How many proposals await the reader."""
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


class Access(Protocol):
    """How often a memory was asked for. Automatic injection is not a read."""

    def read(self, memories: Sequence[str], actor: str, at: int) -> None:
        """Count a read of each memory."""
        ...

    def reads(self, memory_id: str) -> int:
        """How often the memory was read."""
        ...


class Meta(Protocol):
    """Named facts about the store itself."""

    def get(self, name: str) -> str:
        """The value, or an empty text."""
        ...

    def set(self, name: str, value: str) -> None:
        """Keep a value."""
        ...


class Unit(Protocol):
    """One transaction, seen through narrow repositories."""

    @property
    def reader(self) -> Reader: ...  # noqa: D102 - each is named by its type

    @property
    def memories(self) -> Memories: ...  # noqa: D102

    @property
    def search(self) -> Search: ...  # noqa: D102

    @property
    def changes(self) -> Changes: ...  # noqa: D102

    @property
    def sessions(self) -> Sessions: ...  # noqa: D102

    @property
    def projects(self) -> Projects: ...  # noqa: D102

    @property
    def jobs(self) -> Jobs: ...  # noqa: D102

    @property
    def proposals(self) -> Proposals: ...  # noqa: D102

    @property
    def orders(self) -> Orders: ...  # noqa: D102

    @property
    def spending(self) -> Spending: ...  # noqa: D102

    @property
    def access(self) -> Access: ...  # noqa: D102

    @property
    def meta(self) -> Meta: ...  # noqa: D102


class Store(Protocol):
    """The ledger."""

    def unit(self, reader: Reader, *, write: bool = False) -> AbstractContextManager[Unit]:
        """One transaction for a reader: committed when the block ends, rolled back when it raises."""
        ...


class Spool(Protocol):
    """Where hooks leave what happened, one small durable file an event."""

    def put(self, pointer: Pointer) -> None:
        """Keep a pointer durably before returning."""
        ...

    def pending(self) -> Iterable[tuple[str, Pointer]]:
        """Names and pointers in order of arrival; an unreadable file is set aside and named."""
        ...

    def remove(self, names: Iterable[str]) -> None:
        """Drop what has been recorded."""
        ...


class Repo(Protocol):
    """The git repositories that sessions work in: read, never written."""

    def head(self, root: str) -> str:
        """The commit that is checked out; empty where there is none."""
        ...

    def history(self, root: str, *, after: str, since: int, limit: int) -> Sequence[Commit]:
        """Commits that HEAD reaches and ``after`` does not, oldest first, none committed before ``since``."""
        ...

    def email(self, root: str) -> str:
        """The address that the user commits with there; empty where git has none."""
        ...


class Host(Protocol):
    """One agent host: its events, its replies and its transcripts."""

    name: str

    def parse(self, event: str, payload: Mapping[str, Json]) -> HostEvent | None:
        """Read a hook payload; None where the event says nothing to us."""
        ...

    def render(self, event: HostEvent, text: str) -> str:
        """The host's reply that puts ``text`` before its model."""
        ...

    def transcripts(self, root: str) -> Iterable[SessionRef]:
        """Sessions that the host keeps below ``root``."""
        ...

    def read(self, path: str, offset: int, limit: int) -> Transcript:
        """Whole records from byte ``offset`` on, about ``limit`` bytes at most."""
        ...


class Model(Protocol):
    """A language model, or whatever answers in its place."""

    @property
    def name(self) -> str:
        """The backend and the model, for people; never a key."""
        ...

    def complete(self, question: Question) -> Answer:
        """Ask once. Raises ``ModelUnavailable``, ``ModelRefused`` or ``ModelInvalid``."""
        ...


class Deadline(Protocol):
    """How long something may still take."""

    def expired(self) -> bool:
        """Whether the time is used up."""
        ...

    def left(self) -> float:
        """Seconds left, never below zero."""
        ...
