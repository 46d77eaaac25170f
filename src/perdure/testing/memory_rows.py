"""The rows of the in-memory store, and its repositories for all that is not a memory."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, fields

from perdure.domain.errors import Refused
from perdure.domain.ledger import ChangeRow, Job, ProjectRow
from perdure.domain.memory import Entry
from perdure.domain.record import record, replace
from perdure.domain.session import Role

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perdure.domain.access import Reader
    from perdure.domain.ledger import AuditRow
    from perdure.domain.memory import Link, Memory, Revision
    from perdure.domain.orders import Spent, WorkOrder
    from perdure.domain.proposal import Proposal
    from perdure.domain.session import Defect, Session, Turn


def refuse(*, when: bool, because: str) -> None:
    """Raise ``Refused`` as an engine does whose rules forbid a row."""
    if when:
        raise Refused(f"The ledger refused the change: {because}.")


@record
class Waiting:
    """A job that is not done, or was: ``lease`` is until when a worker holds it."""

    job: Job
    due: int
    lease: int = 0
    done: bool = False


@dataclass(slots=True)
class Rows:
    """All rows. Values are never changed in place, so that a shallow copy of each container is a snapshot."""

    memories: dict[str, Memory] = field(default_factory=dict)
    revisions: list[Revision] = field(default_factory=list)
    links: dict[Link, None] = field(default_factory=dict)
    audit: list[AuditRow] = field(default_factory=list)
    undone: dict[int, int] = field(default_factory=dict)
    made: dict[str, ChangeRow] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    turns: dict[tuple[str, str], Turn] = field(default_factory=dict)
    marks: dict[tuple[str, str], str] = field(default_factory=dict)
    defects: dict[tuple[str, int], tuple[int, Defect]] = field(default_factory=dict)
    projects: dict[str, ProjectRow] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    members: dict[tuple[str, str], int] = field(default_factory=dict)
    expelled: dict[tuple[str, str], None] = field(default_factory=dict)
    watermarks: dict[tuple[str, str], str] = field(default_factory=dict)
    jobs: dict[tuple[str, str], Waiting] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    orders: dict[int, WorkOrder] = field(default_factory=dict)
    spent: dict[tuple[str, str, str], Spent] = field(default_factory=dict)
    reads: dict[str, tuple[int, int]] = field(default_factory=dict)
    meta: dict[str, str] = field(default_factory=dict)

    def copy(self) -> Rows:
        """A snapshot that can be changed by itself."""
        return Rows(**{each.name: copy(getattr(self, each.name)) for each in fields(self)})

    def known(self, memory_id: str, known_at: int | None = None) -> Entry | None:
        """The latest revision of a memory among those recorded up to ``known_at``."""
        chain = [
            revision
            for revision in self.revisions
            if revision.memory == memory_id and (known_at is None or revision.recorded_at <= known_at)
        ]
        return Entry(self.memories[memory_id], chain[-1]) if chain else None


class Repository:
    """A repository that shows every reader the same."""

    def __init__(self, rows: Rows) -> None:
        """See the rows."""
        self._rows = rows


class MemoryChanges(Repository):
    """``perdure.ports.Changes``."""

    def begin(self, row: AuditRow) -> int:
        refuse(when=not row.author, because="a change has an author")
        self._rows.audit.append(row)
        return len(self._rows.audit)

    def audit(self, change: int) -> AuditRow | None:
        return self._rows.audit[change - 1] if 0 < change <= len(self._rows.audit) else None

    def made(self, keys: Sequence[str]) -> Mapping[str, ChangeRow]:
        return {key: self._rows.made[key] for key in keys if key in self._rows.made}

    def remember(self, key: str, made: ChangeRow) -> None:
        refuse(when=key in self._rows.made, because=f"{key} made a change before")
        self._rows.made[key] = made

    def latest(self, author: str) -> int | None:
        numbers = (
            number
            for number, row in enumerate(self._rows.audit, 1)
            if row.author == author and row.memory and row.action != "undo" and number not in self._rows.undone
        )
        return max(numbers, default=None)

    def revisions(self, change: int) -> Sequence[Revision]:
        return [revision for revision in self._rows.revisions if revision.change == change]

    def undone(self, change: int, by: int) -> bool:
        if not 0 < change <= len(self._rows.audit) or change in self._rows.undone:
            return False
        self._rows.undone[change] = by
        return True

    def undoing(self, change: int) -> int | None:
        return self._rows.undone.get(change)


class MemorySessions(Repository):
    """``perdure.ports.Sessions``."""

    def __init__(self, rows: Rows, reader: Reader) -> None:
        """See the rows as a reader."""
        super().__init__(rows)
        self._reader = reader

    def register(self, session: Session) -> Session:
        known = self.find(session.ref.host, session.ref.ref)
        if known is not None:
            return known
        refuse(when=session.id in self._rows.sessions, because=f"{session.id} is taken")
        self._rows.sessions[session.id] = session
        return session

    def find(self, host: str, ref: str) -> Session | None:
        found = (known for known in self._rows.sessions.values() if (known.ref.host, known.ref.ref) == (host, ref))
        return next(found, None)

    def pending(self) -> Sequence[Session]:
        return sorted((known for known in self._rows.sessions.values() if known.size > known.offset), key=_by_start)

    def grow(self, session_id: str, size: int, ended: int | None) -> None:
        known = self._rows.sessions.get(session_id)
        if known is not None:
            ended = known.ended if ended is None else ended
            self._rows.sessions[session_id] = replace(known, size=max(known.size, size), ended=ended)

    def record(self, session: Session, turns: Sequence[Turn]) -> int:
        before = len(self._rows.turns)
        for turn in turns:
            refuse(when=session.id not in self._rows.sessions, because=f"there is no session {session.id}")
            self._rows.turns.setdefault((session.id, turn.uuid), turn)
        return len(self._rows.turns) - before

    def advance(self, session: Session, end: int) -> bool:
        known = self._rows.sessions.get(session.id)
        if known is None or known.offset != session.offset:
            return False
        started = session.started if known.started is None else known.started
        self._rows.sessions[session.id] = replace(known, offset=end, size=max(known.size, end), started=started)
        return True

    def settle(self, session_id: str, size: int) -> None:
        known = self._rows.sessions.get(session_id)
        if known is not None and known.size == size:
            self._rows.sessions[session_id] = replace(known, size=known.offset)

    def last_prompt(self, session_id: str, before: int) -> int:
        prompts = (turn.offset for turn in self.turns(session_id) if turn.role is Role.USER and turn.offset < before)
        return max(prompts, default=0)

    def turns(self, session_id: str, *, since: int = 0) -> Sequence[Turn]:
        found = [turn for (session, _uuid), turn in self._rows.turns.items() if session == session_id]
        return sorted((turn for turn in found if turn.offset >= since), key=lambda turn: turn.offset)

    def mark(self, session_ref: str, memories: Sequence[str], via: str, at: int) -> None:
        del at  # kept by engines for people who look; the port never gives it back
        for memory in memories:
            self._rows.marks[session_ref, memory] = via

    def marked(self, session_ref: str) -> Mapping[str, str]:
        return {memory: via for (session, memory), via in self._rows.marks.items() if session == session_ref}

    def defect(self, defect: Defect, at: int) -> None:
        self._rows.defects.setdefault((defect.path, defect.offset), (at, defect))

    def defects(self, limit: int) -> Sequence[Defect]:
        latest = sorted(self._rows.defects.values(), key=lambda row: (-row[0], row[1].path, row[1].offset))
        return [defect for _at, defect in latest[:limit]]

    def latest(self, limit: int) -> Sequence[Session]:
        mine = [known for known in self._rows.sessions.values() if self._may_read(known)]
        return sorted(mine, key=_by_start, reverse=True)[:limit]

    def _may_read(self, session: Session) -> bool:
        return session.author == self._reader.author or session.project in self._reader.projects

    def counts(self) -> Mapping[str, int]:
        rows = self._rows
        return {"sessions": len(rows.sessions), "turns": len(rows.turns), "defects": len(rows.defects)}


def _by_start(session: Session) -> tuple[bool, int, str]:
    """By start, those that have not started first."""
    return (session.started is not None, session.started or 0, session.id)


class MemoryProjects(Repository):
    """``perdure.ports.Projects``."""

    def by_key(self, key: str) -> ProjectRow | None:
        return self._rows.projects[self._rows.keys[key]] if key in self._rows.keys else None

    def create(self, row: ProjectRow, keys: Sequence[str]) -> ProjectRow:
        number, slug = 1, row.slug
        while slug in self._rows.projects:
            number += 1
            slug = f"{row.slug}-{number}"
        self._rows.projects[slug] = replace(row, slug=slug)
        self.add_keys(slug, keys)
        return self._rows.projects[slug]

    def add_keys(self, slug: str, keys: Sequence[str]) -> None:
        for key in keys:
            if key not in self._rows.keys:
                self._know(slug)
                self._rows.keys[key] = slug

    def _know(self, slug: str) -> None:
        refuse(when=slug not in self._rows.projects, because=f"there is no project {slug}")

    def keys(self, slug: str) -> Sequence[str]:
        return sorted(key for key, project in self._rows.keys.items() if project == slug)

    def admit(self, slug: str, author: str, at: int) -> None:
        self._know(slug)
        self._rows.members.setdefault((author, slug), at)
        self._rows.expelled.pop((author, slug), None)

    def expel(self, slug: str, author: str) -> bool:
        if (author, slug) not in self._rows.members:
            return False
        del self._rows.members[author, slug]
        self._rows.expelled[author, slug] = None
        return True

    def expelled(self, slug: str, author: str) -> bool:
        return (author, slug) in self._rows.expelled

    def members(self, slug: str) -> Mapping[str, int]:
        return {author: at for (author, project), at in sorted(self._rows.members.items()) if project == slug}

    def of(self, author: str) -> frozenset[str]:
        return frozenset(slug for member, slug in self._rows.members if member == author)

    def all(self) -> Sequence[ProjectRow]:
        return [row for _slug, row in sorted(self._rows.projects.items())]

    def watermark(self, slug: str, name: str) -> str:
        return self._rows.watermarks.get((slug, name), "")

    def set_watermark(self, slug: str, name: str, value: str) -> None:
        self._know(slug)
        self._rows.watermarks[slug, name] = value


class MemoryJobs(Repository):
    """``perdure.ports.Jobs``."""

    def put(self, kind: str, key: str, payload: str, at: int) -> None:
        known = self._rows.jobs.get((kind, key))
        number = known.job.id if known else len(self._rows.jobs) + 1
        fresh = Waiting(Job(number, kind, key, payload, token="", attempts=0), due=at)
        if known is None or known.done:
            self._rows.jobs[kind, key] = fresh
        elif known.job.token or known.job.payload != payload:
            self._rows.jobs[kind, key] = replace(fresh, lease=known.lease)

    def lease(self, kind: str, worker: str, now: int, until: int) -> Job | None:
        free = [
            waiting
            for waiting in self._rows.jobs.values()
            if waiting.job.kind == kind and not waiting.done and waiting.due <= now and waiting.lease <= now
        ]
        if not free:
            return None
        oldest = min(free, key=lambda waiting: (waiting.due, waiting.job.id))
        job = replace(oldest.job, token=f"{worker}/{until}", attempts=oldest.job.attempts + 1)
        self._rows.jobs[job.kind, job.key] = replace(oldest, job=job, lease=until)
        return job

    def _held(self, job: Job) -> Waiting | None:
        """The row of a job whose lease is still the one that ``job`` was taken with."""
        known = self._rows.jobs.get((job.kind, job.key))
        return known if known and job.token and known.job.token == job.token else None

    def done(self, job: Job) -> bool:
        held = self._held(job)
        if held is not None:
            free = replace(held.job, token="")
            self._rows.jobs[job.kind, job.key] = replace(held, job=free, lease=0, done=True)
        return held is not None

    def failed(self, job: Job, error: str, retry_at: int) -> bool:
        del error  # kept by engines for people who look; the port never gives it back
        held = self._held(job)
        if held is not None:
            free = replace(held.job, token="")
            self._rows.jobs[job.kind, job.key] = replace(held, job=free, lease=0, due=retry_at)
        return held is not None

    def waiting(self) -> Mapping[str, int]:
        kinds = [waiting.job.kind for waiting in self._rows.jobs.values() if not waiting.done]
        return {kind: kinds.count(kind) for kind in sorted(kinds)}


class MemoryAccess(Repository):
    """``perdure.ports.Access``."""

    def read(self, memories: Sequence[str], actor: str, at: int) -> None:
        del actor  # kept by engines for ageing; the port gives the sum alone
        for memory in memories:
            refuse(when=memory not in self._rows.memories, because=f"there is no memory {memory}")
            self._rows.reads[memory] = (self.reads(memory) + 1, max(at, self.last(memory)))

    def reads(self, memory_id: str) -> int:
        return self._rows.reads.get(memory_id, (0, 0))[0]

    def last(self, memory_id: str) -> int:
        return self._rows.reads.get(memory_id, (0, 0))[1]


class MemoryMeta(Repository):
    """``perdure.ports.Meta``."""

    def get(self, name: str) -> str:
        return self._rows.meta.get(name, "")

    def set(self, name: str, value: str) -> None:
        self._rows.meta[name] = value
