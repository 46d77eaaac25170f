"""Small files: read whole or not at all, replaced whole or not at all."""

from __future__ import annotations

import os

from perdure.system.spool import sync_directory

PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700
PROGRAM = 0o700


def read_text(path: str, limit: int = 1 << 20) -> str | None:
    """The text of a file up to ``limit`` bytes; None where there is no such file or it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return None


def replace_text(path: str, text: str, mode: int = PRIVATE_FILE) -> None:
    """Put ``text`` in place of a file, durably and in one step; its directory is made where it is missing."""
    directory = os.path.dirname(path)
    os.makedirs(directory, PRIVATE_DIRECTORY, exist_ok=True)
    temporary = f"{path}.{os.getpid():x}.tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
    sync_directory(directory)


def append_line(path: str, line: str, cap: int = 1 << 20) -> None:
    """Add a line to a log; a log that has grown over ``cap`` bytes is first set aside as ``<path>.1``."""
    try:
        if os.path.getsize(path) > cap:
            os.replace(path, f"{path}.1")
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), PRIVATE_DIRECTORY, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        os.write(handle, f"{line}\n".encode("utf-8", "replace"))
    finally:
        os.close(handle)
