"""Capture: from spooled pointers and transcripts to sessions, turns and what is kept of them.

A transcript is read from where the last reading ended, in bounded pieces. Turns, memories and the new offset are
written in one transaction, so that a crash in between reads the piece again and doubles nothing.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass

from perdure.domain import event as events
from perdure.domain.access import Reader
from perdure.domain.errors import NotFound, PerdureError
from perdure.domain.place import Place
from perdure.domain.project import PATH, ProjectKey
from perdure.domain.record import record, replace
from perdure.domain.session import Defect, Session, SessionRef, Transcript
from perdure.services import extract, projects
from perdure.services.cleaning import Cleaner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from perdure.domain.session import Turn
    from perdure.domain.spool import Pointer
    from perdure.ports import Host, Spool, Unit
    from perdure.services.write import Door

PIECE = 1 << 20
SPOOL_BATCH = 500
UNKNOWN = Place("unknown", (ProjectKey(PATH, "unknown"),), "")
"""Where a session worked that does not say where. No project is not the same as every project."""
GONE = "The transcript is gone. What had been read of it is kept."


@record
class Capture:
    """What capture needs.

    ``locate`` names the project of a directory; ``instructions`` gives the text of its instruction files; ``ignored``
    are patterns of directories whose sessions are not captured.
    """

    door: Door
    author: str
    hosts: Mapping[str, Host]
    locate: Callable[[str], Place | None]
    instructions: Callable[[str], str]
    ignored: tuple[str, ...] = ()


@dataclass(slots=True)
class Report:
    """What a run did."""

    events: int = 0
    sessions: int = 0
    turns: int = 0
    memories: int = 0
    skipped: int = 0

    def add(self, other: Report) -> None:
        """Add another run's counts."""
        self.events += other.events
        self.sessions += other.sessions
        self.turns += other.turns
        self.memories += other.memories
        self.skipped += other.skipped


def is_ignored(directory: str, patterns: Iterable[str]) -> bool:
    """Whether a directory, or one above it, matches a pattern such as ``/home/*/secret``."""
    parts = directory.rstrip("/").split("/")
    above = ["/".join(parts[:count]) or "/" for count in range(1, len(parts) + 1)]
    return any(fnmatch.fnmatchcase(path, pattern.rstrip("/") or "/") for path in above for pattern in patterns)


def reader_for(capture: Capture, project: str = "") -> Reader:
    """The author as a reader in a project, with the memberships as they are now."""
    asking = Reader(capture.author, project=project)
    with capture.door.store.unit(asking) as unit:
        return replace(asking, projects=unit.projects.of(capture.author))


def drain(capture: Capture, spool: Spool) -> Report:
    """Record all spooled pointers: which sessions grew, and what they were given."""
    report = Report()
    places = _Places(capture)
    batch: list[tuple[str, Pointer]] = []
    for item in spool.pending():
        batch.append(item)
        if len(batch) >= SPOOL_BATCH:
            report.events += _record(capture, spool, batch, places)
            batch = []
    if batch:
        report.events += _record(capture, spool, batch, places)
    return report


class _Places:
    """Looks each directory up once a run, before the transaction that needs it."""

    def __init__(self, capture: Capture) -> None:
        self._locate = capture.locate
        self._known: dict[str, Place | None] = {}

    def __call__(self, directory: str) -> Place | None:
        if directory not in self._known:
            self._known[directory] = self._locate(directory) if directory else None
        return self._known[directory]


def _record(capture: Capture, spool: Spool, batch: Sequence[tuple[str, Pointer]], places: _Places) -> int:
    for _name, pointer in batch:
        places(pointer.cwd)
    with capture.door.store.unit(Reader(capture.author), write=True) as unit:
        for _name, pointer in batch:
            if pointer.via:
                unit.sessions.mark(pointer.session, pointer.memories, pointer.via, pointer.at)
            else:
                _note(capture, unit, pointer, places(pointer.cwd))
    spool.remove(name for name, _pointer in batch)
    return len(batch)


def _note(capture: Capture, unit: Unit, pointer: Pointer, place: Place | None) -> None:
    """Note a session that an event names; subagents' own transcripts are registered and never read."""
    if pointer.host not in capture.hosts or is_ignored(pointer.cwd, capture.ignored) or (place and not place.captures):
        return
    # A path that is not absolute would mean another file wherever the worker happens to run.
    transcript, cwd = (path if path.startswith("/") else "" for path in (pointer.transcript, pointer.cwd))
    ref = SessionRef(pointer.host, pointer.session, transcript, cwd)
    if pointer.event == events.SUBAGENT_STOP:
        name = pointer.agent.rpartition("/")[2]
        own = replace(ref, ref=f"{pointer.session}/agent-{name}", parent=pointer.session)
        register(capture, unit, own, place)
        return
    session = register(capture, unit, ref, place)
    # Hosts write their transcripts late: an event means that there is something to read, whatever the size was then.
    size = max(pointer.size, session.offset + 1)
    unit.sessions.grow(session.id, size, pointer.at if pointer.event == events.END else None)


def register(capture: Capture, unit: Unit, ref: SessionRef, place: Place | None) -> Session:
    """Record a session with its project, or return the one that is known."""
    found = unit.sessions.find(ref.host, ref.ref)
    if found is not None:
        return found
    project = projects.ensure(unit.projects, place or UNKNOWN, capture.author, capture.door.clock.now())
    return unit.sessions.register(Session(capture.door.ids.new(), ref, project, capture.author))


def read_session(capture: Capture, session: Session, step: Callable[[int], None] | None = None) -> Report:
    """Read one session's transcript to its end, a piece and a transaction at a time."""
    report = Report(sessions=1)
    host = capture.hosts[session.ref.host]
    reader = reader_for(capture, session.project)
    instructions = capture.instructions(session.ref.cwd) if session.ref.cwd else ""
    while True:
        try:
            piece = host.read(session.ref.transcript, session.offset, PIECE)
        except NotFound:
            # A host may write its transcript after its first event: then there is nothing to read yet.
            unread = () if session.offset == 0 else (Defect(session.ref.transcript, session.offset, GONE),)
            piece = Transcript((), session.offset, session.offset, unread)
        except (OSError, PerdureError) as error:
            piece = Transcript((), session.offset, session.offset, (_unreadable(session, error),))
        moved = _take_in(capture, reader, session, piece, instructions, report)
        if step is not None:
            step(piece.end - piece.offset)
        if not moved or not piece.more:
            return report
        session = replace(session, offset=piece.end)


def _unreadable(session: Session, error: Exception) -> Defect:
    reason = f"The transcript cannot be read: {str(getattr(error, 'strerror', None) or error).rstrip('.')}."
    return Defect(session.ref.transcript, session.offset, reason)


def _take_in(
    capture: Capture, reader: Reader, session: Session, piece: Transcript, instructions: str, report: Report
) -> bool:
    """Write one piece with all that follows from it; False where another process took it first."""
    turns = _kept(capture, piece.turns)
    started = min((turn.at for turn in turns), default=None)
    with capture.door.store.unit(reader, write=True) as unit:
        if not unit.sessions.advance(replace(session, started=started), piece.end):
            return False
        for defect in piece.defects:
            unit.sessions.defect(defect, capture.door.clock.now())
        new = unit.sessions.record(session, turns)
        report.turns += new
        report.skipped += sum(piece.skipped.values())
        if new:
            since = unit.sessions.last_prompt(session.id, piece.offset)
            said = extract.known(unit, session, instructions)
            told = unit.sessions.turns(session.id, since=since)
            report.memories += extract.extract(capture.door, unit, session, told, said)
        if not piece.more:
            unit.sessions.settle(session.id, session.size)
    return True


def _kept(capture: Capture, turns: Sequence[Turn]) -> list[Turn]:
    """Turns as they may be kept: our own injections, hidden characters and secrets out.

    A secret that is split over two records is found as well. A turn of which nothing is left is not kept.
    """
    redactor = capture.door.redactor
    texts = redactor.redact_joined([Cleaner(redactor).text(turn.text) for turn in turns])
    kept = [
        replace(turn, text=text.strip(), attrs=redactor.redact_value(turn.attrs) if turn.attrs else turn.attrs)
        for turn, text in zip(turns, texts, strict=True)
    ]
    return [turn for turn in kept if turn.text or turn.attrs]
