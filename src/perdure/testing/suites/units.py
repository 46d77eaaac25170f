"""The store's contract: a unit is one transaction, whole or not at all."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest

from perdure.domain.access import Reader
from perdure.domain.errors import PerdureError
from perdure.domain.ledger import ChangeRow, Criteria, ProjectRow
from perdure.domain.memory import LATEST, Link
from perdure.domain.session import Defect, Role, Session, SessionRef, Turn
from perdure.testing.fakes import START, memory, statement
from perdure.testing.suites import ANA, SharedStoreSuite, StoreSuite, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.domain.memory import Entry
    from perdure.ports import Store, Unit
    from perdure.testing.fakes import Scribe

SESSION = Session("s1", SessionRef("claude-code", "ref-1", "/t"), "harbour", "ana", size=9, started=1)
WRITERS = 4
ROUNDS = 15


def write_everything(unit: Unit, scribe: Scribe, entry: Entry) -> None:
    """Write with every method that writes."""
    added = scribe.add(unit, statement("cedar", pinned=True))
    scribe.revise(unit, entry, statement("birch"), START + 1)
    unit.memories.link(Link(added.memory.id, entry.memory.id, "cites"))
    unit.changes.remember("key", ChangeRow(1, "m", "r"))
    unit.changes.undone(entry.revision.change, added.revision.change)
    unit.sessions.register(SESSION)
    unit.sessions.record(SESSION, [Turn("u1", Role.USER, 1, "hello")])
    unit.sessions.grow("s1", 20, 30)
    unit.sessions.advance(SESSION, 5)
    unit.sessions.mark("ref-1", [entry.memory.id], "start", 1)
    unit.sessions.defect(Defect("/t", 1, "broken"), 1)
    unit.projects.create(ProjectRow("harbour", "Harbour", 0), ["path:/w"])
    unit.projects.admit("harbour", "ana", 1)
    unit.projects.set_watermark("harbour", "commits", "abc")
    unit.jobs.put("embed", "m1", "", 0)
    unit.access.read([entry.memory.id], "ana", START)
    unit.meta.set("writer", "w")


def read_everything(unit: Unit, entry: Entry) -> list[object]:
    """Read with every method that reads."""
    name = entry.memory.id
    return [
        list(unit.memories.heads(Criteria())),
        list(unit.memories.history(name)),
        list(unit.memories.links(name)),
        unit.memories.count(),
        unit.search.frequencies(["amber", "birch", "cedar"]),
        [m.seq for m in unit.search.lexical(["amber", "birch", "cedar"], superseded=True, limit=9)],
        unit.changes.made(["key"]),
        unit.changes.latest("ana"),
        unit.sessions.find("claude-code", "ref-1"),
        list(unit.sessions.pending()),
        list(unit.sessions.turns("s1")),
        unit.sessions.marked("ref-1"),
        unit.sessions.counts(),
        unit.projects.by_key("path:/w"),
        unit.projects.of("ana"),
        unit.projects.watermark("harbour", "commits"),
        unit.jobs.waiting(),
        unit.access.reads(name),
        unit.meta.get("writer"),
    ]


class UnitsSuite(StoreSuite):
    """One transaction: what it wrote is all there, or nothing of it."""

    @pytest.fixture
    def entry(self, store: Store, scribe: Scribe) -> Entry:
        """A memory that says amber."""
        with store.unit(ANA, write=True) as unit:
            return scribe.add(unit, statement("amber"))

    def test_a_unit_may_change_what_is_known_before_it_adds(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            known = scribe.add(unit, statement("amber"))
        with store.unit(ANA, write=True) as unit:
            closed = scribe.revise(unit, known, statement("birch"), START + 1)
            added = scribe.add(unit, statement("cedar"))
            unit.memories.link(Link(added.memory.id, known.memory.id, "cites"))
        with store.unit(ANA) as unit:
            assert unit.memories.get(known.memory.id, LATEST) == closed
            assert list(unit.memories.links(known.memory.id)) == [Link(added.memory.id, known.memory.id, "cites")]
            assert [m.seq for m in unit.search.lexical(["amber"], superseded=False, limit=9)] == []
            found = unit.search.lexical(["birch", "cedar"], superseded=False, limit=9)
            assert sorted(m.seq for m in found) == [closed.revision.wording, added.revision.wording]

    def test_a_unit_knows_its_reader(self, store: Store) -> None:
        reader = Reader("ana", frozenset({"harbour"}), "harbour")
        with store.unit(reader) as unit:
            assert unit.reader == reader

    def test_all_that_a_unit_wrote_is_there_afterwards(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        with store.unit(ANA, write=True) as unit:
            before = read_everything(unit, entry)
            write_everything(unit, scribe, entry)
            inside = read_everything(unit, entry)
        with store.unit(ANA) as unit:
            assert read_everything(unit, entry) == inside
        assert [index for index, value in enumerate(before) if value == inside[index]] == []

    def test_a_unit_that_raises_leaves_nothing(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        error = LookupError("on the way")
        with store.unit(ANA) as unit:
            before = read_everything(unit, entry)
        with pytest.raises(LookupError) as raised, store.unit(ANA, write=True) as unit:  # noqa: PT012 - a unit
            write_everything(unit, scribe, entry)
            raise error
        assert raised.value is error
        with store.unit(ANA) as unit:
            assert read_everything(unit, entry) == before

    def test_a_unit_in_which_something_was_refused_leaves_nothing(
        self, store: Store, scribe: Scribe, entry: Entry
    ) -> None:
        with refused(store) as unit:
            unit.meta.set("writer", "w")
            scribe.add(unit, statement("cedar"))
            unit.memories.add(memory(entry.memory.id))
        with store.unit(ANA) as unit:
            assert unit.meta.get("writer") == ""
            assert unit.memories.count() == 1

    def test_a_unit_for_reading_keeps_nothing(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        with suppress(PerdureError), store.unit(ANA) as unit:
            write_everything(unit, scribe, entry)
        with store.unit(ANA) as unit:
            assert list(unit.memories.heads(Criteria())) == [entry]
            assert unit.meta.get("writer") == ""

    def test_a_unit_within_a_unit_is_refused_and_does_no_harm(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        with store.unit(ANA, write=True) as unit:
            for write in (False, True):
                with pytest.raises(PerdureError), store.unit(ANA, write=write):
                    pass
            edited = scribe.revise(unit, entry, statement("birch"), START + 1)
        with store.unit(ANA) as unit:
            assert unit.memories.get(entry.memory.id, LATEST) == edited

    def test_a_store_goes_on_after_a_failure(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        for write in (False, True):
            with pytest.raises(LookupError), store.unit(ANA, write=write):
                raise LookupError
        with store.unit(ANA, write=True) as unit:
            edited = scribe.revise(unit, entry, statement("birch"), START + 1)
        with store.unit(ANA) as unit:
            assert unit.memories.get(entry.memory.id, LATEST) == edited


class SharedUnitsSuite(SharedStoreSuite):
    """Several connections on one ledger."""

    def test_what_one_committed_another_sees(self, connect: Callable[[], Store], scribe: Scribe) -> None:
        one, other = connect(), connect()
        with one.unit(ANA, write=True) as unit:
            entry = scribe.add(unit, statement("amber"))
        with other.unit(ANA) as unit:
            assert unit.memories.get(entry.memory.id, LATEST) == entry

    def test_a_reader_sees_one_state_from_its_first_read_on(self, connect: Callable[[], Store], scribe: Scribe) -> None:
        writer, reader = connect(), connect()
        with writer.unit(ANA, write=True) as unit:
            entry = scribe.add(unit, statement("amber"))
        with reader.unit(ANA) as seen:
            before = read_everything(seen, entry)
            with writer.unit(ANA, write=True) as unit:
                write_everything(unit, scribe, entry)
                assert read_everything(seen, entry) == before
            assert read_everything(seen, entry) == before
        with reader.unit(ANA) as seen:
            assert seen.meta.get("writer") == "w"

    def test_writers_take_turns_and_none_overwrites_another(self, connect: Callable[[], Store]) -> None:
        def count(store: Store) -> None:
            for _ in range(ROUNDS):
                with store.unit(ANA, write=True) as unit:
                    unit.meta.set("count", str(int(unit.meta.get("count") or "0") + 1))

        together([partial(count, connect()) for _ in range(WRITERS)])
        with connect().unit(ANA) as unit:
            assert unit.meta.get("count") == str(WRITERS * ROUNDS)

    def test_a_job_is_leased_by_one_of_many_workers(self, connect: Callable[[], Store]) -> None:
        got: list[str] = []

        def work(store: Store, name: str) -> None:
            for _ in range(ROUNDS):
                with store.unit(ANA, write=True) as unit:
                    job = unit.jobs.lease("embed", name, 1, 9)
                if job is not None:
                    got.append(job.key)

        keys = [f"{number:02}" for number in range(ROUNDS)]
        with connect().unit(ANA, write=True) as unit:
            for key in keys:
                unit.jobs.put("embed", key, "", 0)
        together([partial(work, connect(), f"w{number}") for number in range(WRITERS)])
        assert sorted(got) == keys


def together(tasks: list[Callable[[], None]]) -> None:
    """Run tasks in threads that start at once, and raise what the first of them raised."""
    start = threading.Barrier(len(tasks))

    def run(task: Callable[[], None]) -> None:
        start.wait()
        task()

    with ThreadPoolExecutor(len(tasks)) as threads:
        for running in [threads.submit(run, task) for task in tasks]:
            running.result()
