"""Sessions, projects, jobs, audit and access over an engine's connection.

What each method promises is said in the port.
"""

from __future__ import annotations

import json

from perdure.domain.instants import day
from perdure.domain.ledger import AuditRow, ChangeRow, Job, ProjectRow
from perdure.domain.record import as_dict, replace
from perdure.domain.session import Defect
from perdure.store import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perdure.domain.access import Reader
    from perdure.domain.memory import Revision
    from perdure.domain.session import Session, Turn
    from perdure.store.statements import Statements


class SqlChanges:
    """``perdure.ports.Changes``."""

    def __init__(self, run: Statements, chains: Statements) -> None:
        """Work on one connection; ``chains`` are the statements about memories."""
        self._run = run
        self._chains = chains
        self._made: dict[str, ChangeRow] = {}

    def begin(self, row: AuditRow) -> int:
        number = self._run.number("newest_change")
        told = {
            "change": number,
            "at": row.at,
            "author": row.author,
            "action": row.action,
            "memory": row.memory,
            "channel": row.channel,
            "detail": row.detail,
        }
        self._run.later("begin", told)
        return number

    def audit(self, change: int) -> AuditRow | None:
        found = self._run("audit", change=change)
        return AuditRow(*found[0]) if found else None

    def made(self, keys: Sequence[str]) -> Mapping[str, ChangeRow]:
        found = self._run.aside("made", keys=json.dumps(list(keys)))
        known = {row[0]: ChangeRow(*row[1:]) for row in found}
        return known | {key: self._made[key] for key in keys if key in self._made}

    def remember(self, key: str, made: ChangeRow) -> None:
        self._made[key] = made
        self._run.later("remember", as_dict(made) | {"key": key})

    def latest(self, author: str) -> int | None:
        found = self._run("latest", author=author)
        return found[0][0] if found else None

    def revisions(self, change: int) -> Sequence[Revision]:
        return [rows.entry_of(row).revision for row in self._chains("written_by_change", change=change)]

    def undone(self, change: int, by: int) -> bool:
        return bool(self._run("undone", change=change, by=by))

    def undoing(self, change: int) -> int | None:
        found = self._run("undoing", change=change)
        return found[0][0] if found else None


class SqlProjects:
    """``perdure.ports.Projects``."""

    def __init__(self, run: Statements) -> None:
        """Work on one connection."""
        self._run = run

    def by_key(self, key: str) -> ProjectRow | None:
        found = self._run("by_key", key=key)
        return ProjectRow(*found[0]) if found else None

    def create(self, row: ProjectRow, keys: Sequence[str]) -> ProjectRow:
        number, slug = 1, row.slug
        while not self._run("create", slug=slug, name=row.name, created=row.created):
            number += 1
            slug = f"{row.slug}-{number}"
        self.add_keys(slug, keys)
        return replace(row, slug=slug)

    def add_keys(self, slug: str, keys: Sequence[str]) -> None:
        for key in keys:
            self._run("add_key", key=key, project=slug)

    def keys(self, slug: str) -> Sequence[str]:
        return [row[0] for row in self._run("keys", project=slug)]

    def admit(self, slug: str, author: str, at: int) -> None:
        self._run("admit", author=author, project=slug, granted=at)

    def expel(self, slug: str, author: str) -> bool:
        return bool(self._run("expel", author=author, project=slug))

    def expelled(self, slug: str, author: str) -> bool:
        return bool(self._run("expelled", author=author, project=slug))

    def members(self, slug: str) -> Mapping[str, int]:
        return dict(self._run("members", project=slug))

    def of(self, author: str) -> frozenset[str]:
        return frozenset(row[0] for row in self._run("of", author=author))

    def all(self) -> Sequence[ProjectRow]:
        return [ProjectRow(*row) for row in self._run("all")]

    def watermark(self, slug: str, name: str) -> str:
        found = self._run("watermark", project=slug, name=name)
        return found[0][0] if found else ""

    def set_watermark(self, slug: str, name: str, value: str) -> None:
        self._run("set_watermark", project=slug, name=name, value=value)


class SqlJobs:
    """``perdure.ports.Jobs``."""

    def __init__(self, run: Statements) -> None:
        """Work on one connection."""
        self._run = run

    def put(self, kind: str, key: str, payload: str, at: int) -> None:
        self._run("put", kind=kind, key=key, payload=payload, due=at)

    def lease(self, kind: str, worker: str, now: int, until: int) -> Job | None:
        for number, name, key, payload, attempts in self._run("next", kind=kind, now=now):
            token = f"{worker}/{until}"
            if self._run("lease", id=number, until=until, worker=worker, token=token, now=now):
                return Job(number, name, key, payload, token, attempts + 1)
        return None

    def done(self, job: Job) -> bool:
        return bool(self._run("done", id=job.id, token=job.token))

    def failed(self, job: Job, error: str, retry_at: int) -> bool:
        return bool(self._run("failed", id=job.id, token=job.token, error=error, due=retry_at))

    def waiting(self) -> Mapping[str, int]:
        return dict(self._run("waiting"))


class SqlAccess:
    """``perdure.ports.Access``."""

    def __init__(self, run: Statements) -> None:
        """Work on one connection."""
        self._run = run

    def read(self, memories: Sequence[str], actor: str, at: int) -> None:
        for memory in memories:
            self._run("read", memory=memory, actor=actor, day=day(at), at=at)

    def reads(self, memory_id: str) -> int:
        count: int = self._run("reads", memory=memory_id)[0][0]
        return count

    def last(self, memory_id: str) -> int:
        at: int = self._run("last", memory=memory_id)[0][0]
        return at


class SqlMeta:
    """``perdure.ports.Meta``."""

    def __init__(self, run: Statements) -> None:
        """Work on one connection."""
        self._run = run

    def get(self, name: str) -> str:
        found = self._run("get", name=name)
        return found[0][0] if found else ""

    def set(self, name: str, value: str) -> None:
        self._run("set", name=name, value=value)


class SqlSessions:
    """``perdure.ports.Sessions``."""

    def __init__(self, run: Statements, reader: Reader) -> None:
        """Work for one reader on one connection."""
        self._run = run
        self._reader = reader

    def register(self, session: Session) -> Session:
        self._run("register", **rows.session_params(session))
        return rows.session_of(self._run("find", host=session.ref.host, ref=session.ref.ref)[0])

    def find(self, host: str, ref: str) -> Session | None:
        found = self._run("find", host=host, ref=ref)
        return rows.session_of(found[0]) if found else None

    def pending(self) -> Sequence[Session]:
        return [rows.session_of(row) for row in self._run("pending")]

    def grow(self, session_id: str, size: int, ended: int | None) -> None:
        self._run("grow", id=session_id, size=size, ended=ended)

    def record(self, session: Session, turns: Sequence[Turn]) -> int:
        return sum(len(self._run("record", **rows.turn_params(session.id, turn))) for turn in turns)

    def advance(self, session: Session, end: int) -> bool:
        found = self._run("advance", id=session.id, position=session.offset, end=end, started=session.started)
        return bool(found)

    def settle(self, session_id: str, size: int) -> None:
        self._run("settle", id=session_id, size=size)

    def last_prompt(self, session_id: str, before: int) -> int:
        offset: int = self._run("last_prompt", session=session_id, before=before)[0][0]
        return offset

    def turns(self, session_id: str, *, since: int = 0) -> Sequence[Turn]:
        return [rows.turn_of(row) for row in self._run("turns", session=session_id, since=since)]

    def mark(self, session_ref: str, memories: Sequence[str], via: str, at: int) -> None:
        for memory in memories:
            self._run("mark", session=session_ref, memory=memory, via=via, at=at)

    def marked(self, session_ref: str) -> Mapping[str, str]:
        return dict(self._run("marked", session=session_ref))

    def defect(self, defect: Defect, at: int) -> None:
        self._run("defect", path=defect.path, position=defect.offset, reason=defect.reason, at=at)

    def defects(self, limit: int) -> Sequence[Defect]:
        return [Defect(*row) for row in self._run("defects", limit=limit)]

    def latest(self, limit: int) -> Sequence[Session]:
        return [rows.session_of(row) for row in self._run("latest", author=self._reader.author, limit=limit)]

    def counts(self) -> Mapping[str, int]:
        names = ("sessions", "turns", "defects")
        return {name: self._run(f"count_{name}")[0][0] for name in names}
