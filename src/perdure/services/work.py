"""The worker's round: everything that waits, in order, and safe to repeat."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from perdure.domain.access import Reader
from perdure.domain.errors import PerdureError, Unavailable
from perdure.domain.record import record
from perdure.domain.session import Defect
from perdure.services import asking, context, history
from perdure.services import capture as capturing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.domain.packing import Budget
    from perdure.domain.session import Session
    from perdure.ports import Repo, Spool
    from perdure.services.capture import Capture, Report
    from perdure.services.history import Window
    from perdure.services.orders import Desk


@record
class Work:
    """What a round needs. ``keep`` stores the briefing that a hook falls back to, for each key of a project.

    With a ``desk`` the model is asked about sessions that are over: only where its owner wants that in the background.
    """

    capture: Capture
    spool: Spool
    repo: Repo
    window: Window | None
    keep: Callable[[list[str], context.Given], None]
    budget: Budget = context.START_BUDGET
    desk: Desk | None = None


@dataclass(slots=True)
class Done:
    """What a round did, and what went wrong in it, one sentence each."""

    captured: Report = field(default_factory=capturing.Report)
    commits: int = 0
    troubles: list[str] = field(default_factory=list)
    asked: asking.Report = field(default_factory=asking.Report)


def run(work: Work, step: Callable[[int], None] | None = None) -> Done:
    """Work until nothing waits: spool, transcripts, git histories, fallback briefings.

    One broken session or repository does not stop the others: it is named in the result and in ``status``, and tried
    again by the next worker. ``step`` is told the bytes of transcripts as they are read.
    """
    done = Done()
    tried: set[str] = set()
    touched: dict[str, str] = {}
    while True:
        report = capturing.drain(work.capture, work.spool)
        done.captured.add(report)
        sessions = [session for session in _waiting(work) if session.id not in tried]
        if not report.events and not sessions:
            break
        for session in sessions:
            touched[session.project] = session.ref.cwd
            if not _guarded(work, done, session.ref.transcript, partial(_read, work, done, session, step)):
                tried.add(session.id)
    for project, directory in touched.items():
        _guarded(work, done, directory, partial(_after, work, done, project, directory))
    if work.desk is not None:
        _guarded(work, done, "work orders", partial(_ask, work.desk, done))
    return done


def _ask(desk: Desk, done: Done) -> None:
    done.asked.add(asking.round_of(desk, "worker"))
    if done.asked.stopped:
        done.troubles.append(done.asked.stopped)


def _waiting(work: Work) -> list[Session]:
    with work.capture.door.store.unit(Reader(work.capture.author)) as unit:
        return [session for session in unit.sessions.pending() if session.author == work.capture.author]


def _read(work: Work, done: Done, session: Session, step: Callable[[int], None] | None) -> None:
    done.captured.add(capturing.read_session(work.capture, session, step))


def _guarded(work: Work, done: Done, place: str, step: Callable[[], None]) -> bool:
    """Take one step and say whether it went well; what went wrong is named, and the round goes on.

    A busy, full or damaged store is everybody's trouble: it ends the round.
    """
    try:
        step()
    except PerdureError:
        raise
    except Exception as error:  # noqa: BLE001 - the worker's border: one bad session must not stop the others
        reason = f"The worker stumbled here: {type(error).__name__}: {error}"
        done.troubles.append(f"{place}: {reason}")
        with work.capture.door.store.unit(Reader(work.capture.author), write=True) as unit:
            unit.sessions.defect(Defect(place, -1, reason), work.capture.door.clock.now())
        return False
    return True


def _after(work: Work, done: Done, project: str, directory: str) -> None:
    place = work.capture.locate(directory) if directory else None
    reader = capturing.reader_for(work.capture, project)
    if place is not None and project and work.window is not None:
        try:
            done.commits += history.take_in(work.capture.door, work.repo, reader, place.root, work.window)
        except Unavailable as error:  # git is missing, too slow, or cannot read this repository
            done.troubles.append(f"{place.root}: {error}")
    compile_briefing(work, reader)


def compile_briefing(work: Work, reader: Reader) -> None:
    """Store the briefing that a hook gives when the ledger does not answer in time."""
    with work.capture.door.store.unit(reader) as unit:
        given = context.briefing(unit, work.capture.door.clock.now(), work.budget)
        keys = list(unit.projects.keys(reader.project)) if reader.project else [""]
    work.keep(keys, given)
