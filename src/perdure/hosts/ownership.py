"""What we wrote into a host's settings, so that it can be taken back to the byte.

Beside Perdure's own data lie a copy of the file as it was before, and a record with the digests of what
was there and of what we wrote. As long as the file is what we wrote, the copy goes back; once its owner
changed it, only our entries go.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass

from perdure.domain.errors import Conflict, Corrupt, Refused, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

RECORD = "record.json"
BEFORE = "settings.before"
MAX_SETTINGS = 16 << 20


@dataclass(frozen=True, slots=True)
class Ownership:
    """One installation.

    ``before`` and ``after`` are SHA-256 digests of the file, ``before`` empty where there was none. ``made``
    says that the file's directory is ours too.
    """

    settings: str
    before: str
    after: str
    made: bool = False


def digest(data: bytes | None) -> str:
    """The SHA-256 of a file's bytes, empty where there is no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def load(directory: str) -> Ownership | None:
    """The record in a directory. Raises ``Corrupt`` where there is one that can't be read."""
    path = os.path.join(directory, RECORD)
    data = read(path)
    if data is None:
        return None
    try:
        fields = json.loads(data)
        found = Ownership(
            str(fields["settings"]), str(fields["before"]), str(fields["after"]), made=fields["made"] is True
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Corrupt(
            f"{path} is damaged. Move it away: then only our own entries are taken out of the settings."
        ) from None
    return found


def save(directory: str, ownership: Ownership, before: bytes | None) -> None:
    """Keep the copy, then the record that counts on it."""
    with _explained(directory, "written"):
        os.makedirs(directory, mode=0o700, exist_ok=True)
    if before is not None:
        replace(os.path.join(directory, BEFORE), before)
    record = json.dumps(asdict(ownership), indent=2, ensure_ascii=True) + "\n"
    replace(os.path.join(directory, RECORD), record.encode())


def original(directory: str, ownership: Ownership) -> bytes | None:
    """The file as it was before, None where there was none. Raises ``Corrupt`` where the copy isn't that."""
    if not ownership.before:
        return None
    path = os.path.join(directory, BEFORE)
    data = read(path)
    if digest(data) != ownership.before:
        raise Corrupt(f"{path} is not the copy that was made of {ownership.settings}.")
    return data


def discard(directory: str) -> None:
    """Drop the record, then the copy, and the directory where nothing else is in it."""
    for name in (RECORD, BEFORE):
        remove(os.path.join(directory, name))
    with contextlib.suppress(OSError):
        os.rmdir(directory)


def read(path: str) -> bytes | None:
    """A small file's bytes, None where there is none."""
    with _explained(path, "read"):
        try:
            with open(path, "rb") as file:
                data = file.read(MAX_SETTINGS + 1)
        except FileNotFoundError:
            return None
    if len(data) > MAX_SETTINGS:
        raise Refused(f"{path} is larger than 16 MiB. It was left as it is.")
    return data


def replace(path: str, data: bytes) -> None:
    """Put new bytes in a file's place at once and durably; it keeps its mode, a new one is its owner's alone.

    Where the path is a link, the file that it leads to is replaced. Nothing is left behind on failure.
    """
    target = os.path.realpath(path)
    directory = os.path.dirname(target)
    with _explained(target, "written"):
        prefix = f".{os.path.basename(target)}."
        descriptor, temporary = tempfile.mkstemp(prefix=prefix, suffix=".tmp", dir=directory)
        try:
            with os.fdopen(descriptor, "wb") as file:
                _keep_mode(target, descriptor)
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
        sync(directory)


def remove(path: str) -> None:
    """Delete a file durably; it may be gone already."""
    target = os.path.realpath(path)
    with _explained(target, "deleted"):
        try:
            os.unlink(target)
        except FileNotFoundError:
            return
        sync(os.path.dirname(target))


def check(path: str, expected: bytes | None) -> None:
    """Raise ``Conflict`` where the file is no longer what it was when the change was planned."""
    if read(path) != expected:
        raise Conflict(f"{path} was changed by someone else just now. Try again.")


def sync(directory: str) -> None:
    """Make a directory's entries durable."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _keep_mode(target: str, descriptor: int) -> None:
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return
    os.fchmod(descriptor, status.st_mode & 0o7777)
    if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, status.st_uid, status.st_gid)


@contextlib.contextmanager
def _explained(path: str, done: str) -> Iterator[None]:
    """Say of a failure which file it was and what could not be done."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Unavailable(f"{path} cannot be {done}: {reason}.") from error
