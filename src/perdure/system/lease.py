"""The worker's lease: one worker a home, however many hooks ask for one."""

from __future__ import annotations

import fcntl
import os


class Lease:
    """An exclusive lock on a file, free again when the process that holds it ends, however it ends."""

    def __init__(self, path: str) -> None:
        """Name the lock file, which is made where it is missing."""
        self._path = path
        self._handle = -1

    def take(self) -> bool:
        """Take the lease now or not at all."""
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            return False
        self._handle = handle
        return True

    def release(self) -> None:
        """Give it back."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def is_held(path: str) -> bool:
    """Whether some process holds the lease."""
    lease = Lease(path)
    if lease.take():
        lease.release()
        return False
    return True
