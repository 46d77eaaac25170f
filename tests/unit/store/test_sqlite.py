from __future__ import annotations

import stat

import apsw
import pytest

from perdure.domain.access import Reader
from perdure.domain.errors import Busy, Corrupt, Refused, Unavailable, UsageError
from perdure.domain.memory import LATEST, Moment
from perdure.store import sqlite
from perdure.store.sqlite import SqliteStore, check, explain, open_reader, open_store
from perdure.testing.fakes import START, Scribe, statement

ANA = Reader("ana")
COUNTING = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i = 5000000"
EXPLAINED = {
    apsw.BusyError: Busy,
    apsw.LockedError: Busy,
    apsw.InterruptError: Busy,
    apsw.CorruptError: Corrupt,
    apsw.NotADBError: Corrupt,
    apsw.ConstraintError: Refused,
}


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "ledger.db")


@pytest.fixture
def store(path):
    store = open_store(path)
    yield store
    store.close()


@pytest.fixture
def entry(store):
    with store.unit(ANA, write=True) as unit:
        return Scribe().add(unit, statement("amber"))


@pytest.mark.req("store.errors")
@pytest.mark.parametrize("kind", sorted(apsw.Error.__subclasses__(), key=repr))
def test_every_error_of_the_engine_is_explained(kind):
    explained = explain(kind("the engine's words"), "/home/ana/ledger.db")

    assert type(explained) is EXPLAINED.get(kind, Unavailable)
    assert "/home/ana/ledger.db" in str(explained) or kind is apsw.ConstraintError


@pytest.mark.req("store.errors")
@pytest.mark.parametrize("statement", ["UPDATE revision SET body = 'x'", "DELETE FROM revision"])
def test_a_revision_is_neither_updated_nor_deleted(store, entry, statement):
    with pytest.raises(Refused, match="a revision is never"), store.unit(ANA, write=True):
        store.connection.execute(statement)

    with store.unit(ANA) as unit:
        assert unit.memories.get(entry.memory.id, LATEST) == entry


@pytest.mark.req("store.durable")
def test_a_store_is_its_owners_alone_and_syncs_every_commit(store, path, tmp_path):
    pragmas = {name: store.connection.pragma(name) for name in ("journal_mode", "synchronous", "foreign_keys")}

    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("ledger.db*")} == {0o600}


@pytest.mark.req("store.errors")
def test_a_second_writer_is_told_that_the_store_is_in_use(store, path):
    other = open_store(path)
    other.connection.set_busy_timeout(0)

    with store.unit(ANA, write=True), pytest.raises(Busy), other.unit(ANA, write=True):
        pass

    with other.unit(ANA, write=True) as unit:
        unit.meta.set("name", "value")
    other.close()


@pytest.mark.req("store.errors")
def test_a_place_that_is_not_there_is_explained(tmp_path):
    missing = str(tmp_path / "nowhere" / "ledger.db")

    with pytest.raises(Unavailable, match="nowhere"):
        open_store(missing)
    with pytest.raises(Unavailable, match="nowhere"):
        open_reader(missing, lambda: False)


@pytest.mark.req("store.reader")
def test_a_reader_cannot_write(store, entry, path):
    reader = open_reader(path, lambda: False)

    with pytest.raises(Unavailable), reader.unit(ANA) as unit:
        unit.meta.set("name", "value")
    with reader.unit(ANA) as unit:
        assert unit.memories.get(entry.memory.id, LATEST) == entry
    reader.close()


@pytest.mark.req("store.reader")
def test_a_reader_gives_up_when_its_time_is_over(store, entry, path):
    looks = iter(range(1_000_000))
    reader = open_reader(path, lambda: next(looks) > 2)

    with pytest.raises(Busy, match="did not answer within the time allowed"), reader.unit(ANA):
        reader.connection.execute(COUNTING).fetchall()

    assert next(looks) < 10
    reader.close()


@pytest.mark.req("store.reader")
def test_a_reader_waits_for_another_process_no_longer_than_its_time(entry, store, path):
    store.close()
    owner = apsw.Connection(path)
    owner.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    owner.execute("UPDATE head SET live = live")
    looks = iter(range(1_000_000))

    reader = open_reader(path, lambda: next(looks) > 5)

    with pytest.raises(Busy), reader.unit(ANA) as unit:
        unit.memories.count()

    assert next(looks) < 20
    reader.close()
    owner.close()


class FillingDisk(apsw.VFS):
    """A file system that takes no more when it is told to be full."""

    def __init__(self):
        self.full = False
        super().__init__("filling", "")

    def xOpen(self, name, flags):  # noqa: N802 - APSW's name
        return FillingFile(self, name, flags)


class FillingFile(apsw.VFSFile):
    def __init__(self, disk, name, flags):
        self.disk = disk
        super().__init__("", name, flags)

    def xWrite(self, data, offset):  # noqa: N802 - APSW's name
        if self.disk.full:
            raise apsw.FullError
        super().xWrite(data, offset)


@pytest.mark.req("store.errors")
def test_a_disk_that_is_full_at_the_commit_keeps_nothing_and_the_store_goes_on(path):
    open_store(path).close()
    disk = FillingDisk()
    store = SqliteStore(path, apsw.Connection(path, vfs="filling"))
    disk.full = True

    with pytest.raises(Unavailable, match="The disk is full"), store.unit(ANA, write=True) as unit:
        unit.meta.set("name", "lost")

    disk.full = False
    with store.unit(ANA, write=True) as unit:
        assert unit.meta.get("name") == ""
        unit.meta.set("name", "kept")
    with store.unit(ANA) as unit:
        assert unit.meta.get("name") == "kept"
    store.close()
    disk.unregister()


@pytest.mark.req("store.errors")
def test_a_store_goes_on_after_a_commit_that_failed(store):
    def refuse(_cursor, sql, _bindings):
        if sql == "COMMIT":
            raise apsw.BusyError
        return True

    store.connection.exec_trace = refuse
    with pytest.raises(Busy), store.unit(ANA, write=True) as unit:
        unit.meta.set("name", "lost")
    store.connection.exec_trace = None

    with store.unit(ANA, write=True) as unit:
        assert unit.meta.get("name") == ""


@pytest.mark.req("store.errors")
def test_a_number_beyond_what_is_kept_is_a_fault_of_the_request(store, entry):
    with pytest.raises(UsageError, match="64 bits"), store.unit(ANA) as unit:
        unit.memories.get(entry.memory.id, Moment(known_at=2**70))


@pytest.mark.req("store.migrations-together")
@pytest.mark.parametrize(("refusals", "opens"), [(0, True), (3, True), (4, False)])
def test_opening_waits_for_another_process_that_switches_the_file(path, monkeypatch, refusals, opens):
    monkeypatch.setattr(sqlite, "_SWITCH_TRIES", 3)
    monkeypatch.setattr(sqlite, "_PAUSE", 0)
    left = iter(range(refusals))

    def refuse(_cursor, _sql, _bindings):
        if next(left, None) is not None:
            raise apsw.BusyError
        return True

    connection = apsw.Connection(path)
    connection.exec_trace = refuse
    if opens:
        sqlite._use_wal(connection)
    else:
        with pytest.raises(apsw.BusyError):
            sqlite._use_wal(connection)
    connection.exec_trace = None

    assert connection.pragma("journal_mode") == ("wal" if opens else "delete")
    connection.close()


@pytest.mark.req("store.units")
def test_a_unit_has_no_repository_that_the_port_does_not_name(store):
    with store.unit(ANA) as unit:
        assert not hasattr(unit, "journal")
        assert unit.jobs is unit.jobs


@pytest.mark.req("store.check")
def test_a_sound_store_has_nothing_to_complain_of(store, entry):
    assert list(check(store)) == []


@pytest.mark.req("store.check")
def test_a_row_that_names_a_missing_one_is_named(store, entry):
    store.connection.execute("PRAGMA foreign_keys = OFF")
    store.connection.execute("DELETE FROM memory")

    assert sorted({line.partition(" of ")[2] for line in check(store)}) == [
        "head names a missing row of memory",
        "revision names a missing row of memory",
    ]


@pytest.mark.req("store.check")
def test_words_are_indexed_once_however_often_a_statement_changes_its_standing(store, entry):
    with store.unit(ANA, write=True) as unit:
        pinned = Scribe(after=50).revise(unit, entry, statement("amber", pinned=True), START + 1)
        Scribe(after=60).revise(unit, pinned, statement("amber", confidence=0.1), START + 2)

    assert store.connection.execute("SELECT count(*) FROM fulltext").fetchall() == [(1,)]
