"""The spool: one small durable file for each event, so that a hook needs no database.

A file is written beside its name, synced, renamed and the directory synced: once ``put`` returns, the event
survives a power loss. Names sort by arrival and tell marks of a session from captures, so that a hook can find what the
session was just given without opening the rest.
"""

from __future__ import annotations

import json
import os
import zlib

from perdure.domain.spool import VERSION, Pointer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DAMAGED = "damaged"
_MAX_BYTES = 1 << 20
_SUFFIX = ".json"


def _tag(session: str, *, marks: bool) -> str:
    return f"{'m' if marks else 'c'}{zlib.crc32(session.encode('utf-8', 'surrogatepass')):08x}"


def sync_directory(path: str) -> None:
    """Make the names in a directory durable."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class DirectorySpool:
    """``perdure.ports.Spool`` in one directory."""

    def __init__(self, directory: str) -> None:
        """Use a directory, which ``put`` makes where it is missing."""
        self.directory = directory

    def put(self, pointer: Pointer) -> None:
        """Keep a pointer durably before returning; an ``OSError`` means that it is not kept."""
        tag = _tag(pointer.session, marks=bool(pointer.via))
        name = f"{pointer.at:020d}-{os.getpid():x}-{tag}"
        data = json.dumps({"v": VERSION} | pointer.fields(), separators=(",", ":")).encode()
        temporary, handle = self._create(name)
        try:
            try:
                os.write(handle, data)
                os.fsync(handle)
            finally:
                os.close(handle)
            os.rename(temporary, temporary.removesuffix(".tmp") + _SUFFIX)
        except OSError:
            os.unlink(temporary)
            raise
        sync_directory(self.directory)

    def _create(self, name: str) -> tuple[str, int]:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        number = 0
        while True:
            path = os.path.join(self.directory, f"{name}-{number}.tmp")
            try:
                if not os.path.exists(path.removesuffix(".tmp") + _SUFFIX):
                    return path, os.open(path, flags, 0o600)
            except FileNotFoundError:
                os.makedirs(self.directory, 0o700, exist_ok=True)
                continue
            except FileExistsError:
                pass
            number += 1

    def names(self) -> list[str]:
        """The names of all kept events in order of arrival."""
        try:
            return sorted(name for name in os.listdir(self.directory) if name.endswith(_SUFFIX))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def pending(self) -> Iterator[tuple[str, Pointer]]:
        """See the port. What cannot be read is moved to ``damaged/`` and given as a pointer of host ``""``."""
        for name in self.names():
            pointer = self._read(name)
            if pointer is not None:
                yield name, pointer

    def _read(self, name: str) -> Pointer | None:
        path = os.path.join(self.directory, name)
        try:
            with open(path, "rb") as file:
                told = json.loads(file.read(_MAX_BYTES))
            return Pointer(
                str(told.pop("host")),
                str(told.pop("event")),
                str(told.pop("session")),
                int(told.pop("at")),
                **told,
            )
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._set_aside(name)
            return None

    def _set_aside(self, name: str) -> None:
        aside = os.path.join(self.directory, DAMAGED)
        os.makedirs(aside, 0o700, exist_ok=True)
        os.replace(os.path.join(self.directory, name), os.path.join(aside, name))

    def damaged(self) -> list[str]:
        """Paths of events that could not be read and were set aside."""
        aside = os.path.join(self.directory, DAMAGED)
        return [os.path.join(aside, name) for name in sorted(os.listdir(aside))] if os.path.isdir(aside) else []

    def holds(self, session: str) -> bool:
        """Whether a capture of the session waits already."""
        wanted = f"-{_tag(session, marks=False)}-"
        return any(wanted in name for name in self.names())

    def marks(self, session: str) -> dict[str, str]:
        """Memories that waiting marks say the session was given, and where."""
        wanted = _tag(session, marks=True)
        found: dict[str, str] = {}
        for name in self.names():
            if f"-{wanted}-" in name:
                pointer = self._read(name)
                if pointer is not None and pointer.session == session:
                    found |= dict.fromkeys(pointer.memories, pointer.via)
        return found

    def remove(self, names: Iterable[str]) -> None:
        """Drop what has been recorded; what is gone already is no error."""
        for name in names:
            try:
                os.unlink(os.path.join(self.directory, name))
            except FileNotFoundError:
                continue
