"""Import: the sessions that a host keeps on this machine already, with their own times."""

from __future__ import annotations

from perdure.domain.access import Reader
from perdure.domain.record import record
from perdure.services import capture as capturing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perdure.domain.place import Place
    from perdure.domain.session import SessionRef
    from perdure.services.capture import Capture


@record
class Found:
    """What is there to take in: ``sessions`` to be read, ``subagents`` that are not, and the ``bytes`` unread."""

    sessions: int
    subagents: int
    ignored: int
    bytes: int


def of_project(capture: Capture, refs: Sequence[SessionRef], place: Place) -> list[SessionRef]:
    """The sessions that worked in a place's project."""
    keys = {str(key) for key in place.keys}
    known: dict[str, bool] = {}
    for ref in refs:
        if ref.cwd not in known:
            other = capture.locate(ref.cwd)
            known[ref.cwd] = other is not None and str(other.keys[0]) in keys
    return [ref for ref in refs if known[ref.cwd]]


def register(capture: Capture, refs: Sequence[SessionRef], size_of: Callable[[str], int]) -> Found:
    """Record the sessions with how long their transcripts are, for the worker's next round to read."""
    places = {ref.cwd: capture.locate(ref.cwd) for ref in refs}
    sessions = subagents = ignored = unread = 0
    with capture.door.store.unit(Reader(capture.author), write=True) as unit:
        for ref in refs:
            place = places[ref.cwd]
            if capturing.is_ignored(ref.cwd, capture.ignored) or (place is not None and not place.captures):
                ignored += 1
                continue
            session = capturing.register(capture, unit, ref, place)
            if ref.parent:
                subagents += 1
                continue
            size = size_of(ref.transcript)
            unit.sessions.grow(session.id, size, None)
            sessions += 1
            unread += max(0, size - session.offset)
    return Found(sessions, subagents, ignored, unread)
