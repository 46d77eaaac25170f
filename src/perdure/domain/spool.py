"""What a hook leaves behind: a pointer to where something was said, never the words themselves."""

from __future__ import annotations

VERSION = 1


class Pointer:
    """One event of a host session, as small as it can be.

    ``at`` is microseconds; ``size`` is how long the transcript was then; ``memories`` and ``via`` say what the event
    gave to the session. A plain class for the same reason as ``HostEvent``.
    """

    __slots__ = (
        "agent",
        "at",
        "cwd",
        "event",
        "host",
        "memories",
        "session",
        "size",
        "source",
        "transcript",
        "turn",
        "via",
    )

    def __init__(self, host: str, event: str, session: str, at: int, **more: str | int | list[str]) -> None:
        """Take the four things every pointer has, and those of ``__slots__`` that this one carries."""
        self.host = host
        self.event = event
        self.session = session
        self.at = at
        self.transcript = str(more.get("transcript", ""))
        self.cwd = str(more.get("cwd", ""))
        self.source = str(more.get("source", ""))
        self.agent = str(more.get("agent", ""))
        self.turn = str(more.get("turn", ""))
        self.via = str(more.get("via", ""))
        size = more.get("size", 0)
        self.size = size if isinstance(size, int) else 0
        memories = more.get("memories", [])
        self.memories = [str(name) for name in memories] if isinstance(memories, list) else []

    def __eq__(self, other: object) -> bool:
        """Equal when all fields are."""
        if not isinstance(other, Pointer):
            return NotImplemented
        return self.fields() == other.fields()

    __hash__ = None  # type: ignore[assignment]  # it holds a list

    def __repr__(self) -> str:
        """Show the fields that say something."""
        return f"Pointer({ {name: value for name, value in self.fields().items() if value} })"

    def fields(self) -> dict[str, str | int | list[str]]:
        """All fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}
