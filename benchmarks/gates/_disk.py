"""A disk that can lose power: an APSW VFS that records what is written and synced, and what a crash would leave.

A crash keeps all that was synced. Of what came after a file's last sync it keeps each sector of 512 bytes, each
truncation and each deletion with a chance of one half, in any combination: what a drive's cache may do.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import apsw

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

SECTOR = 512
VOLATILE = "-shm"
DIRECTORY_IS_SYNCED_WITH = ("-journal", "-wal")
"""Files after whose first sync SQLite syncs the directory, below the interface of a VFS."""


@dataclass(frozen=True, slots=True)
class Op:
    """One thing that reached the disk: ``write``, ``truncate``, ``sync`` or ``delete`` of a file, or an ``ack``."""

    what: str
    file: str
    offset: int = 0
    data: bytes = b""


class RecordingVfs(apsw.VFS):
    """The system's own VFS, with a record of what it was asked to do."""

    def __init__(self, name: str, log: list[Op]) -> None:
        """Register as ``name``; what is done goes to ``log``."""
        self._log = log
        self._base = apsw.vfs_names()[0]
        super().__init__(name, self._base)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Open a file whose operations are recorded."""
        return _RecordingFile(self._base, name, flags, self._log)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802 - the interface is APSW's
        """Delete a file; durable where the directory is synced."""
        super().xDelete(filename, syncdir)
        self._log.append(Op("delete", os.path.basename(filename), offset=int(syncdir)))


class _RecordingFile(apsw.VFSFile):
    def __init__(self, base: str, name: str | apsw.URIFilename | None, flags: list[int], log: list[Op]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = os.path.basename(path or "")
        self._log = log
        super().__init__(base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self._log.append(Op("write", self._name, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self._log.append(Op("truncate", self._name, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._log.append(Op("sync", self._name))


@dataclass(slots=True)
class _File:
    """A file as it is after all operations so far: what is safe, and what is not yet."""

    safe: bytearray = field(default_factory=bytearray)
    exists: bool = False
    loose: list[Op] = field(default_factory=list)

    def sync(self) -> bool:
        """Make all safe, and say whether the file's name was new: then SQLite syncs the directory too."""
        new = not self.exists
        self.sync_name()
        for each in self.loose:
            _apply(self.safe, each)
        self.loose.clear()
        self.exists = True
        return new

    def sync_name(self) -> None:
        """Make what happened to the name safe: that it was made, or that it is gone."""
        deleted = [number for number, op in enumerate(self.loose) if op.what == "delete"]
        if deleted:
            self.safe.clear()
            del self.loose[: deleted[-1] + 1]
        self.exists = bool(self.loose) or (self.exists and not deleted)

    def after_crash(self, rng: random.Random) -> bytes | None:
        """What a crash leaves of it; None for no file."""
        data, exists = bytearray(self.safe), self.exists
        for op in self.loose:
            if op.what == "delete":
                if rng.random() < 0.5:  # noqa: PLR2004 - one half
                    data, exists = bytearray(), False
                continue
            exists = exists or rng.random() < 0.5  # noqa: PLR2004
            for piece in _sectors(op):
                if rng.random() < 0.5:  # noqa: PLR2004
                    _apply(data, piece)
        return bytes(data) if exists else None


def _happen(files: dict[str, _File], op: Op) -> None:
    """Let one operation happen to the files of a directory."""
    file = files.setdefault(op.file, _File())
    if op.what != "sync":
        file.loose.append(op)
    named = (op.what == "delete" and op.offset) or (
        op.what == "sync" and file.sync() and op.file.endswith(DIRECTORY_IS_SYNCED_WITH)
    )
    if named:
        for each in files.values():
            each.sync_name()


def _sectors(op: Op) -> Iterator[Op]:
    """A write cut at sector borders; anything else as it is."""
    if op.what != "write":
        yield op
        return
    start = op.offset
    while start < op.offset + len(op.data):
        end = min((start // SECTOR + 1) * SECTOR, op.offset + len(op.data))
        yield Op("write", op.file, start, op.data[start - op.offset : end - op.offset])
        start = end


def _apply(data: bytearray, op: Op) -> None:
    if op.what == "truncate":
        del data[op.offset :]
        data.extend(bytes(op.offset - len(data)))
    elif op.what == "write":
        if len(data) < op.offset:
            data.extend(bytes(op.offset - len(data)))
        data[op.offset : op.offset + len(op.data)] = op.data


@dataclass(frozen=True, slots=True)
class Crash:
    """What a crash left: files by name, and what had been acknowledged until then."""

    files: dict[str, bytes]
    acknowledged: tuple[str, ...]


def crashes(log: Sequence[Op], points: Sequence[int], rng: random.Random) -> Iterator[Crash]:
    """A crash after each of the first ``points`` operations of a log, in ascending order."""
    files: dict[str, _File] = {}
    acknowledged: list[str] = []
    done = 0
    for point in sorted(points):
        for op in log[done:point]:
            if op.what == "ack":
                acknowledged.append(op.file)
            elif not op.file.endswith(VOLATILE):
                _happen(files, op)
        done = point
        left: dict[str, Any] = {name: file.after_crash(rng) for name, file in files.items()}
        yield Crash({name: data for name, data in left.items() if data is not None}, tuple(acknowledged))
