"""Starting a process that outlives its parent, without the cost of ``subprocess``."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def detach(argv: Sequence[str], environment: Mapping[str, str]) -> None:
    """Start ``argv`` in a session of its own, with nothing of ours on its standard streams.

    The child belongs to init once we are gone. Raises ``OSError`` where the program cannot be started.
    """
    null = os.devnull
    streams = [
        (os.POSIX_SPAWN_OPEN, number, null, os.O_RDONLY if number == 0 else os.O_WRONLY, 0) for number in range(3)
    ]
    os.posix_spawn(argv[0], list(argv), dict(environment), file_actions=streams, setsid=True)
