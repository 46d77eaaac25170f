"""Numbered migrations, each in one transaction, remembered with a checksum.

A migration that was applied and has since been changed is refused: the file in hand is not the one that made the
store. A store from a newer Perdure is refused too, untouched.
"""

from __future__ import annotations

import zlib

import apsw

from perdure.domain.errors import Conflict
from perdure.store import catalogue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE = """CREATE TABLE IF NOT EXISTS migration (
    number INTEGER PRIMARY KEY,
    checksum TEXT NOT NULL
) STRICT"""


def statements(sql: str) -> Iterator[str]:
    """The single statements of a migration file; a trigger's body is one statement with it."""
    pending: list[str] = []
    for line in sql.splitlines():
        pending.append(line)
        text = "\n".join(pending)
        if line.rstrip().endswith(";") and apsw.complete(text):
            yield text
            pending = []


def plan() -> dict[int, list[str]]:
    """All migrations by number, each with its files' texts in order."""
    found: dict[int, list[str]] = {}
    for number, _name, sql in catalogue.migrations("sqlite"):
        found.setdefault(number, []).append(sql)
    return found


def checksum(texts: list[str]) -> str:
    """A checksum of a migration's files: it detects an edit, it is no protection against one who forges it."""
    return f"{zlib.crc32(''.join(texts).encode()):08x}"


def applied(connection: apsw.Connection) -> dict[int, str]:
    """The migrations that a store has, by number, with their checksums."""
    known = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migration'").fetchall()
    if not known:
        return {}
    rows = connection.execute("SELECT number, checksum FROM migration")
    return {int(number): str(sum_) for number, sum_ in rows}


def recognize(connection: apsw.Connection, path: str) -> None:
    """Refuse a file that is another program's database, before anything of it is changed."""
    tables = connection.execute("SELECT 1 FROM sqlite_schema").fetchall()
    if tables and not applied(connection):
        message = f"{path} is a database that Perdure did not make. Move it away, or name another home."
        raise Conflict(message)


def migrate(connection: apsw.Connection, path: str, upto: int | None = None) -> None:
    """Bring the store to the newest schema (or to ``upto``); every process may call it, one of them does it."""
    wanted = plan()
    if applied(connection) == {number: checksum(texts) for number, texts in wanted.items()}:
        return
    for number in sorted(wanted):
        if upto is None or number <= upto:
            with store_lock(connection):
                _apply(connection, path, number, wanted)


class store_lock:  # noqa: N801 - reads as a statement
    """One write transaction around a migration."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Hold the connection."""
        self._connection = connection

    def __enter__(self) -> None:
        """Begin."""
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Commit, or roll all of it back."""
        try:
            if error is None:
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def _apply(connection: apsw.Connection, path: str, number: int, wanted: dict[int, list[str]]) -> None:
    done = applied(connection)
    connection.execute(_TABLE)
    newer = [known for known in done if known not in wanted]
    if newer:
        message = f"{path} was written by a newer Perdure (schema {max(newer)}). Upgrade Perdure to open it."
        raise Conflict(message)
    expected = checksum(wanted[number])
    if number in done:
        if done[number] != expected:
            message = f"{path} was made by another version of migration {number}. Install the Perdure that made it."
            raise Conflict(message)
        return
    for sql in wanted[number]:
        for statement in statements(sql):
            connection.execute(statement)
    connection.execute("INSERT INTO migration (number, checksum) VALUES (?, ?)", (number, expected))
