"""A migration that is killed leaves the old schema or the new one, wherever the blow falls."""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING

import apsw
import pytest

from perdure.domain.access import Reader
from perdure.domain.memory import LATEST
from perdure.store import migrate
from perdure.store.sqlite import open_store
from perdure.testing.fakes import Scribe, statement

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.req("store.migrations-killed")

LATER = [
    "CREATE TABLE later (a INTEGER) STRICT;\nINSERT INTO later SELECT seq FROM revision;\n",
    "DROP INDEX head_digest;\nCREATE INDEX head_digest ON head (digest);\n",
]


class Killed(BaseException):
    """The process is gone: nothing of it runs any more."""


class Killer:
    """Before statement number ``left`` it takes a picture of the files and ends the process."""

    def __init__(self, left, folder, image):
        self.left = left
        self.folder = folder
        self.image = image

    def __call__(self, _cursor, _sql, _bindings):
        self.left -= 1
        if self.left == 0:
            shutil.copytree(self.folder, self.image)
        if self.left <= 0:
            raise Killed
        return True


def schema_of(path):
    connection = apsw.Connection(str(path))
    found = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    return found


def migrate_until(folder, image, statement_number):
    """Migrate and be killed before a statement; True when there was no such statement."""
    connection = apsw.Connection(str(folder / "ledger.db"))
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.exec_trace = Killer(statement_number, folder, image)
    try:
        migrate.migrate(connection, str(folder / "ledger.db"))
    except Killed:
        return False
    finally:
        connection.exec_trace = None
        connection.close()
    return True


def run_with_every_blow(tmp_path, prepare):
    """The schemas that a kill before each statement leaves, in order, and the images that hold them."""
    images: list[Path] = []
    for number in range(1, 500):
        folder, image = tmp_path / f"run-{number}", tmp_path / f"image-{number}"
        folder.mkdir()
        prepare(folder / "ledger.db")
        if migrate_until(folder, image, number):
            return images, schema_of(folder / "ledger.db")
        images.append(image)
    raise AssertionError("a migration without an end")


def test_a_store_that_is_killed_while_it_is_made_is_empty_or_whole(tmp_path):
    images, whole = run_with_every_blow(tmp_path, lambda path: path.touch())

    left = [schema_of(image / "ledger.db") for image in images]

    assert len(left) > 40
    assert [schema for schema in left if schema not in ([], whole)] == []
    assert left[-1] == []
    for image in images[:: len(images) // 4]:
        open_store(str(image / "ledger.db")).close()
        assert schema_of(image / "ledger.db") == whole


def test_a_killed_upgrade_leaves_the_old_schema_or_the_new_with_all_memories(tmp_path, monkeypatch):
    old = tmp_path / "old.db"
    store = open_store(str(old))
    with store.unit(Reader("ana"), write=True) as unit:
        entry = Scribe().add(unit, statement("amber"))
    store.close()
    before = schema_of(old)
    steps = migrate.plan()
    number = max(steps) + 1
    monkeypatch.setattr(migrate, "plan", lambda: steps | {number: LATER, number + 1: ["CREATE TABLE last (a);\n"]})

    images, after = run_with_every_blow(tmp_path, partial(shutil.copy, old))

    between = [("later" in dict(schema), "last" in dict(schema)) for schema in map(schema_of, _files(images))]
    assert sorted(set(between)) == [(False, False), (True, False)]
    assert between == sorted(between)
    for path in _files(images):
        connection = apsw.Connection(str(path))
        applied = migrate.applied(connection)
        connection.close()
        assert (number in applied, number + 1 in applied) == between[_files(images).index(path)]
        store = open_store(str(path))
        with store.unit(Reader("ana")) as unit:
            assert unit.memories.get(entry.memory.id, LATEST) == entry
        store.close()
        assert schema_of(path) == after != before


def _files(images):
    return [image / "ledger.db" for image in images]
