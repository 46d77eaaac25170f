"""The clock: the only place that asks for the time."""

from __future__ import annotations

import time


class SystemClock:
    """``perdure.ports.Clock`` on the system's wall clock."""

    def now(self) -> int:
        """Microseconds since the epoch, UTC."""
        return time.time_ns() // 1000


class Deadline:
    """How long something may still take, on a clock that nobody sets."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float) -> None:
        """Start now."""
        self._end = time.monotonic() + seconds

    def expired(self) -> bool:
        """Whether the time is used up."""
        return time.monotonic() >= self._end

    def left(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self._end - time.monotonic())


def stopwatch() -> float:
    """Seconds on a clock that only runs forward, to be subtracted from one another."""
    return time.perf_counter()
