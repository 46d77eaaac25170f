from __future__ import annotations

import hashlib
import subprocess
import sys

import apsw
import pytest

from perdure.domain.access import Reader
from perdure.domain.errors import Conflict
from perdure.store import catalogue, migrate
from perdure.store.sqlite import open_store

pytestmark = pytest.mark.req("store.migrations")


def digest_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def schema_of(path):
    connection = apsw.Connection(str(path))
    found = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").fetchall()
    connection.close()
    return found


def edit(path, sql, *values):
    connection = apsw.Connection(str(path))
    connection.execute(sql, values)
    connection.close()


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "ledger.db"
    open_store(str(path)).close()
    return path


@pytest.mark.parametrize(("number", "name", "sql"), catalogue.migrations("sqlite"))
def test_a_migration_is_cut_into_its_statements_and_nothing_is_left_over(number, name, sql):
    cut = list(migrate.statements(sql))

    assert "\n".join(cut) == sql.rstrip("\n")
    assert all(apsw.complete(statement) for statement in cut)


def test_the_body_of_a_trigger_is_one_statement():
    trigger = "CREATE TRIGGER t BEFORE UPDATE ON a\nBEGIN\n    SELECT 1;\n    SELECT 2;\nEND;"

    assert list(migrate.statements(f"CREATE TABLE a (b);\n{trigger}\nDROP TABLE a;\n")) == [
        "CREATE TABLE a (b);",
        trigger,
        "DROP TABLE a;",
    ]


def test_a_new_store_remembers_every_migration_with_its_checksum(path):
    connection = apsw.Connection(str(path))

    assert migrate.applied(connection) == {number: migrate.checksum(texts) for number, texts in migrate.plan().items()}
    connection.close()


def test_opening_a_store_again_changes_nothing(path):
    before = digest_of(path)

    open_store(str(path)).close()

    assert digest_of(path) == before


def test_a_store_migrated_step_by_step_is_as_one_made_at_once(path, tmp_path, monkeypatch):
    fresh = schema_of(path)
    steps = migrate.plan()
    later = {max(steps) + 1: ["CREATE TABLE later (a);\n", "ALTER TABLE later ADD COLUMN b;\n"]}
    monkeypatch.setattr(migrate, "plan", lambda: steps | later)

    open_store(str(path)).close()
    open_store(str(tmp_path / "other.db")).close()

    assert schema_of(path) == schema_of(tmp_path / "other.db")
    assert [name for name, _sql in schema_of(path)] == sorted([*(name for name, _sql in fresh), "later"])


def test_a_step_can_be_asked_for(path, monkeypatch):
    first = max(migrate.plan())
    later = {first + 1: ["CREATE TABLE one (a);\n"], first + 2: ["CREATE TABLE two (a);\n"]}
    steps = migrate.plan() | later
    store = open_store(str(path))
    monkeypatch.setattr(migrate, "plan", lambda: steps)

    migrate.migrate(store.connection, store.path, upto=first + 1)

    assert set(migrate.applied(store.connection)) == set(steps) - {first + 2}
    store.close()


def test_a_migration_that_fails_leaves_the_store_as_it_was(path, monkeypatch):
    before = schema_of(path)
    later = {max(migrate.plan()) + 1: ["CREATE TABLE later (a);\nCREATE TABLE later (a);\n"]}
    steps = migrate.plan() | later
    monkeypatch.setattr(migrate, "plan", lambda: steps)

    with pytest.raises(Exception, match="already exists"):
        open_store(str(path))

    assert schema_of(path) == before


def test_a_store_made_by_another_version_of_a_migration_is_refused_and_untouched(path):
    edit(path, "UPDATE migration SET checksum = 'ffffffff' WHERE number = 1")
    before = digest_of(path)

    with pytest.raises(Conflict, match=r"ledger\.db was made by another version of migration 1\."):
        open_store(str(path))

    assert digest_of(path) == before


def test_a_store_of_a_newer_schema_is_refused_and_untouched(path):
    edit(path, "INSERT INTO migration (number, checksum) VALUES (99, 'abcdef01')")
    before = digest_of(path)

    with pytest.raises(Conflict, match=r"written by a newer Perdure \(schema 99\)"):
        open_store(str(path))

    assert digest_of(path) == before


def test_a_database_of_something_else_is_refused_and_untouched(tmp_path):
    path = tmp_path / "ledger.db"
    edit(path, "CREATE TABLE bookmarks (url)")
    before = digest_of(path)

    with pytest.raises(Conflict, match=r"ledger\.db is a database that Perdure did not make"):
        open_store(str(path))

    assert digest_of(path) == before


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "ledger.db"
    path.touch()

    store = open_store(str(path))

    with store.unit(Reader("ana")) as unit:
        assert unit.memories.count() == 0
    store.close()


@pytest.mark.req("store.migrations-together")
def test_several_processes_at_once_make_one_store(tmp_path):
    path = str(tmp_path / "ledger.db")
    program = (
        "import sys\n"
        "from perdure.store import migrate\n"
        "from perdure.store.sqlite import open_store\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "store = open_store(sys.argv[1])\n"
        "print(sorted(migrate.applied(store.connection)))\n"
    )
    command = [sys.executable, "-c", program, path]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    ended = [process.communicate() for process in started]

    assert ended == [(f"{sorted(migrate.plan())}\n", "")] * 5
    assert [process.returncode for process in started] == [0] * 5
    assert schema_of(path) == schema_of_a_fresh_one(tmp_path)


def schema_of_a_fresh_one(tmp_path):
    open_store(str(tmp_path / "fresh.db")).close()
    return schema_of(tmp_path / "fresh.db")
