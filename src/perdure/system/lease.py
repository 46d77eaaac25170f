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

    def adopt(self, handle: int) -> bool:
        """Go on with a lease that another process took and handed down as an open descriptor.

        A lock belongs to the open file, not to the process: who has it last holds it. False where the descriptor is not
        this lock file.
        """
        try:
            mine, given = os.stat(self._path), os.fstat(handle)
        except OSError:
            return False
        if (mine.st_dev, mine.st_ino) != (given.st_dev, given.st_ino):
            return False
        os.set_inheritable(handle, False)  # noqa: FBT003 - its signature
        self._handle = handle
        return True

    def hand_down(self) -> int:
        """The descriptor for a child to adopt."""
        os.set_inheritable(self._handle, True)  # noqa: FBT003 - its signature
        return self._handle

    def release(self) -> None:
        """Give it back."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
