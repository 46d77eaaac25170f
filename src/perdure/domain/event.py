"""What a host tells us at one of its hook events, in words common to all hosts.

A plain class: the capture path has a budget of a few interpreter starts, and ``dataclasses`` alone costs two.
"""

from __future__ import annotations

START = "start"
PROMPT = "prompt"
TOOL = "tool"
STOP = "stop"
SUBAGENT_STOP = "subagent_stop"
COMPACT = "compact"
END = "end"

SETTLING = frozenset({STOP, SUBAGENT_STOP, COMPACT, END})
"""After these events a piece of work is complete, so that a worker is due."""


class HostEvent:
    """One event. Texts are empty where the host says nothing.

    ``source`` is why a session starts (startup, resume, clear, compact, fork) or ends; ``transcript`` is the file that
    the host writes; ``turn`` is the host's id of the current prompt.
    """

    __slots__ = ("agent", "cwd", "host", "name", "prompt", "session", "source", "transcript", "turn")

    def __init__(self, host: str, name: str, session: str, **texts: str) -> None:
        """Take the three names every event has, and those of ``__slots__`` that this one carries."""
        self.host = host
        self.name = name
        self.session = session
        self.transcript = texts.get("transcript", "")
        self.cwd = texts.get("cwd", "")
        self.prompt = texts.get("prompt", "")
        self.source = texts.get("source", "")
        self.agent = texts.get("agent", "")
        self.turn = texts.get("turn", "")

    def __eq__(self, other: object) -> bool:
        """Equal when all that was told is equal."""
        if not isinstance(other, HostEvent):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        """Agree with ``__eq__``."""
        return hash((self.host, self.name, self.session, self.turn))

    def __repr__(self) -> str:
        """Show what was told, and no empty field."""
        told = {name: getattr(self, name) for name in self.__slots__ if getattr(self, name)}
        return f"HostEvent({told})"
