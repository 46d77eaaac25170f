"""A session of an agent host, and what was said in it."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType

from perdure.domain.record import NOTHING, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.domain.json import Json


NONE_COUNTED: Mapping[str, int] = MappingProxyType({})


class Role(StrEnum):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@record
class Turn:
    """One thing said. ``uuid`` is the host's own id of it, ``at`` its time in microseconds.

    Tool turns hold what was called and the bounded head of what came back. ``attrs`` may carry ``tool``, ``files``,
    ``failed`` and ``command``.
    """

    uuid: str
    role: Role
    at: int
    text: str
    offset: int = 0
    attrs: Mapping[str, Json] = NOTHING


@record
class Defect:
    """A place in a file that could not be read: named once, never taken for empty."""

    path: str
    offset: int
    reason: str


@record
class Transcript:
    """What one reading of a transcript gave: whole records only, up to ``end``.

    ``offset``..``end`` is the byte range that was consumed; ``skipped`` counts records of types that carry nothing for
    us, by type. ``cwd`` is that of the last record that named one.
    """

    turns: tuple[Turn, ...]
    offset: int
    end: int
    defects: tuple[Defect, ...] = ()
    skipped: Mapping[str, int] = NONE_COUNTED
    cwd: str = ""
    more: bool = False
    """Whether the reading stopped at its size bound rather than at the end of the file."""


@record
class SessionRef:
    """A session that a host keeps on this machine."""

    host: str
    ref: str
    transcript: str
    cwd: str = ""
    parent: str = ""
    """The session that started this one as a subagent."""


@record
class Session:
    """A session as the ledger knows it. ``offset`` is how far its transcript has been taken in."""

    id: str
    ref: SessionRef
    project: str
    author: str
    offset: int = 0
    size: int = 0
    started: int | None = None
    ended: int | None = None
