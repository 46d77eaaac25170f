"""Fresh names: UUIDv7 for memories and revisions, random nonces for fences."""

from __future__ import annotations

import os


class SystemIds:
    """``perdure.ports.Ids`` from the operating system's randomness."""

    def new(self) -> str:
        """A UUIDv7: sortable by time to the millisecond, random in its last group."""
        import uuid_utils

        return str(uuid_utils.uuid7())

    def nonce(self) -> str:
        """128 random bits as 32 hexadecimal digits."""
        return os.urandom(16).hex()
