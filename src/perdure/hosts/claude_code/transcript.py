"""Transcripts of Claude Code: which there are, and what was said in them from a place on.

A transcript only grows, so it is read from where the last reading ended, whole lines only. It may also be
cut off, torn by a crash or rewritten by its owner: what stands whole is read, and what does not is named
once.
"""

from __future__ import annotations

import os
import stat

from perdure.domain import instants
from perdure.domain.errors import NotFound, Unavailable, UsageError
from perdure.domain.session import Defect, SessionRef, Transcript
from perdure.hosts import jsonl
from perdure.hosts.claude_code import records
from perdure.hosts.claude_code.events import NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.domain.session import Turn

HEAD = 1 << 16
LOOK_BACK = 1 << 18
MAX_CWD = 4_096
MAX_KINDS = 100

SHORTER = "The file is shorter than what was read of it; it is read anew from its beginning."


def read(path: str, offset: int, limit: int) -> Transcript:
    """Read whole records from byte ``offset`` on, about ``limit`` bytes at most but at least one line.

    A file that became shorter than ``offset`` is read from its beginning; turns known by their uuid
    are the same again. A last line without a newline is left for later unless it is a whole record.
    Raises ``NotFound`` where there is no file and ``Unavailable`` where it can't be opened or is
    none; whatever stands in it raises nothing.
    """
    descriptor = _open(path)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unavailable(f"{path} is not a file.")
        reading = _Reading(path, descriptor, status)
        return reading.run(max(0, offset), max(1, limit))
    finally:
        os.close(descriptor)


def _open(path: str) -> int:
    """Open for reading, without waiting for a writer where the path is a pipe."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise NotFound(f"There is no transcript at {path!r}.") from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be opened: {error.strerror}.") from None


class _Reading:
    """One reading of an open transcript."""

    def __init__(self, path: str, descriptor: int, status: os.stat_result) -> None:
        self._path = path
        self._descriptor = descriptor
        self._size = status.st_size
        self._changed = status.st_mtime_ns // 1_000
        self._turns: list[Turn] = []
        self._defects: dict[int, str] = {}
        self._skipped: dict[str, int] = {}
        self._cwd = ""
        self._at: int | None = None

    def run(self, offset: int, limit: int) -> Transcript:
        if offset > self._size:
            self._defects[self._size] = SHORTER
            offset = 0
        end, more = offset, False
        chunk = min(jsonl.CHUNK, max(limit, HEAD))
        try:
            for line in jsonl.lines(self._descriptor, offset, self._size, chunk=chunk):
                found, fault = jsonl.records(line)
                if jsonl.is_torn(line, found):
                    break
                for at, record in found:
                    self._take(record, at)
                if fault:
                    self._defects.setdefault(line.start, fault)
                end = line.end
                if end - offset >= limit:
                    more = end < self._size
                    break
        except OSError as error:
            self._defects.setdefault(end, f"The file cannot be read on from here: {error.strerror}.")
        defects = tuple(Defect(self._path, start, reason) for start, reason in self._defects.items())
        return Transcript(tuple(self._turns), offset, end, defects, self._skipped, self._cwd, more)

    def _take(self, record: jsonl.Record, offset: int) -> None:
        at = _time(record)
        if at is None:
            at = self._previous(offset) if self._at is None else self._at
        self._at = at
        cwd = record.get("cwd")
        if isinstance(cwd, str) and 0 < len(cwd) <= MAX_CWD:
            self._cwd = records.clean(cwd)
        turns, reason = records.turns(record, offset, at)
        self._turns.extend(turns)
        if not turns:
            kind = reason if reason in self._skipped or len(self._skipped) < MAX_KINDS else "other"
            self._skipped[kind] = self._skipped.get(kind, 0) + 1

    def _previous(self, offset: int) -> int:
        """The time of the last record before ``offset`` that has one, else when the file was last changed."""
        found = None
        for line in jsonl.lines(self._descriptor, max(0, offset - LOOK_BACK), offset, chunk=HEAD):
            for _at, record in jsonl.records(line)[0]:
                at = _time(record)
                found = found if at is None else at
        return self._changed if found is None else found


def _time(record: jsonl.Record) -> int | None:
    """When a record was written, in microseconds."""
    text = record.get("timestamp")
    if not isinstance(text, str):
        return None
    try:
        return instants.parse(text)
    except UsageError:
        return None


def transcripts(root: str) -> Iterator[SessionRef]:
    """The sessions below a directory such as ``~/.claude``, oldest first by when their file was last changed.

    Subagents' own files come with ``parent`` set. Links that lead out of ``root`` are not followed.
    Directories that can't be listed are named by ``Unavailable`` after all others were given.
    """
    listing = _Listing(os.path.realpath(root))
    top = os.path.join(root, "projects")
    for project in listing.directories(top):
        for file in listing.files(project, ""):
            listing.add(file, "")
        for session in listing.directories(project):
            for agent in listing.files(os.path.join(session, "subagents"), "agent-"):
                listing.add(agent, os.path.basename(session))
    for _changed, path, parent in sorted(listing.found):
        yield _session(path, parent)
    if listing.closed:
        raise Unavailable(f"These could not be listed: {', '.join(listing.closed)}.")


class _Listing:
    """What lies below a root, without leaving it."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._seen: set[str] = set()
        self.found: list[tuple[int, str, str]] = []
        self.closed: list[str] = []

    def directories(self, path: str) -> Iterable[str]:
        return [entry.path for entry in self._entries(path) if self._inside(entry) and entry.is_dir()]

    def files(self, path: str, prefix: str) -> Iterable[os.DirEntry[str]]:
        return [
            entry
            for entry in self._entries(path)
            if entry.name.startswith(prefix)
            and entry.name.endswith(".jsonl")
            and self._inside(entry)
            and entry.is_file()
        ]

    def add(self, entry: os.DirEntry[str], parent: str) -> None:
        try:
            changed = entry.stat().st_mtime_ns
        except OSError:
            return  # it was removed meanwhile
        real = os.path.realpath(entry.path)
        if real not in self._seen:
            self._seen.add(real)
            self.found.append((changed, entry.path, parent))

    def _entries(self, path: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(path) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            self.closed.append(f"{path} ({error.strerror})")
            return []

    def _inside(self, entry: os.DirEntry[str]) -> bool:
        if not entry.is_symlink():
            return True
        return os.path.commonpath([self._root, os.path.realpath(entry.path)]) == self._root


def _session(path: str, parent: str) -> SessionRef:
    """A session by its file. Older clients left subagents' files among the sessions of their parents."""
    name = os.path.basename(path).removesuffix(".jsonl")
    cwd, owner = _peek(path)
    if name.startswith("agent-"):
        parent = parent or owner
        name = f"{parent}/{name}" if parent else name
    return SessionRef(NAME, name, path, cwd, parent)


def _peek(path: str) -> tuple[str, str]:
    """The first working directory and session id that the head of a transcript names."""
    cwd = session = ""
    try:
        descriptor = _open(path)
    except (NotFound, Unavailable):
        return cwd, session
    try:
        data = os.pread(descriptor, HEAD, 0)
    except OSError:
        data = b""
    finally:
        os.close(descriptor)
    for text in data.split(b"\n"):
        for _at, record in jsonl.records(jsonl.Line(0, 0, len(text), text))[0]:
            cwd = cwd or _named(record, "cwd")
            session = session or _named(record, "sessionId")
        if cwd and session:
            break
    return cwd, session


def _named(record: jsonl.Record, key: str) -> str:
    value = record.get(key)
    return records.clean(value) if isinstance(value, str) and len(value) <= MAX_CWD else ""
