"""The ledger on SQLite, through APSW, which brings its own current library.

Every write is one ``BEGIN IMMEDIATE`` with ``synchronous=FULL`` in WAL mode: when the unit's block has ended, it is
on disk. A reader of the hooks gets a deadline instead of patience, see ``Deadline``.
"""

from __future__ import annotations

import os
import time

import apsw

from perdure.domain.access import audience_of
from perdure.domain.errors import Busy, Corrupt, Refused, Unavailable, UsageError
from perdure.domain.ledger import Match
from perdure.store import catalogue, rows
from perdure.store.memories import SqlMemories
from perdure.store.statements import Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from perdure.domain.access import Reader
    from perdure.domain.memory import Entry
    from perdure.ports import Unit
    from perdure.store.rows import Params, Row
    from perdure.store.statements import Statements

BUSY_MS = 10_000
SAMPLE = 1_000
MAPPED = 1 << 28
CACHED_KB = 32_000
TOO_LARGE = "A number in the request is larger than any that is kept (64 bits)."
_STANDING, _PAST = "=", "<"
_STEPS_PER_LOOK = 2_000
_PAUSE = 0.002
_SWITCH_TRIES = 1_000


class SqliteSearch:
    """``perdure.ports.Search`` on FTS5, and the write side that ``SqlMemories`` calls."""

    def __init__(self, run: Statements, reader: Reader) -> None:
        """Work for one reader on one connection."""
        self._run = run
        self._reader = reader

    def put(self, entry: Entry, *, live: bool) -> None:
        self._run.later("index_text", self._words(entry, live=live))

    def move(self, entry: Entry, *, live: bool) -> None:
        self._run.later("reindex_text", self._words(entry, live=live))

    @staticmethod
    def _words(entry: Entry, *, live: bool) -> dict[str, Any]:
        from perdure.domain.terms import indexed

        statement = entry.revision.statement
        title = f"{statement.title} {' '.join(statement.tags)}" if statement.tags else statement.title
        return {
            "seq": entry.revision.wording,
            "scope": _scope(_STANDING if live else _PAST, audience_of(entry.memory)),
            "title": indexed(title),
            "body": indexed(statement.body),
        }

    def frequencies(self, terms: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        newest: int = self._run("newest")[0][0]
        found = {term: self._frequency(term, newest) if _can_occur(term) else 0 for term in terms}
        return _first_varint(self._run("averages")[0][0]), found

    def _frequency(self, term: str, newest: int) -> int:
        """In how many texts a term occurs; for a common one an estimate from how early its thousandth text comes.

        To count them all would cost more than the search itself.
        """
        match = "{title body} : " + _any([term])
        for (seq,) in self._run("nth_text", match=match, before=SAMPLE - 1):
            return SAMPLE * newest // int(seq)
        exact = self._run("frequency", term=term)
        return int(exact[0][0]) if exact else 0

    def lexical(self, terms: Sequence[str], *, superseded: bool, limit: int) -> Sequence[Match]:
        lists = (_STANDING, _PAST) if superseded else (_STANDING,)
        scopes = [_scope(which, audience) for audience in self._reader.audiences() for which in lists]
        askable = list(filter(_can_occur, terms))
        if not askable:
            return []
        match = f"scope : ({_any(scopes)}) AND {{title body}} : ({_any(askable)})"
        return [Match(seq, score) for seq, score in self._run("lexical", match=match, limit=limit)]


def _first_varint(block: bytes) -> int:
    """The first number of FTS5's averages record: how many texts are indexed."""
    number = 0
    for byte in block[:8]:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 - the last byte of a varint has no continuation bit
            break
    return number


def _scope(which: str, audience: str) -> str:
    """An audience as one term of the index: no two fold into one, and none can be a word of a text."""
    return which + audience.encode().hex()


def _can_occur(term: str) -> bool:
    """Whether a stored text can hold the term: lone surrogates are never stored, and a NUL ends an expression."""
    return "\0" not in term and (term.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in term))


def _any(phrases: Sequence[str]) -> str:
    """An FTS5 expression that holds any of the phrases; each is quoted, so that none is syntax."""
    return " OR ".join('"' + phrase.replace('"', '""') + '"' for phrase in phrases)


class SqliteUnit:
    """``perdure.ports.Unit``. Repositories that a hook does not need are made when they are asked for."""

    def __init__(self, waiting: Waiting, reader: Reader) -> None:
        """See one transaction as ``reader``."""
        self.reader = reader
        self._of = waiting.area
        self.search = SqliteSearch(self._of("search"), reader)
        self.memories = SqlMemories(self._of("memories"), reader, self.search)

    def __getattr__(self, name: str) -> Any:
        from perdure.store import orders, proposals, repositories

        of = self._of
        made: dict[str, Callable[[], object]] = {
            "changes": lambda: repositories.SqlChanges(of("changes"), of("memories")),
            "sessions": lambda: repositories.SqlSessions(of("sessions"), self.reader),
            "projects": lambda: repositories.SqlProjects(of("projects")),
            "proposals": lambda: proposals.SqlProposals(of("proposals"), self.reader),
            "jobs": lambda: repositories.SqlJobs(of("jobs")),
            "orders": lambda: orders.SqlOrders(of("orders"), self.reader),
            "spending": lambda: orders.SqlSpending(of("orders"), self.reader),
            "access": lambda: repositories.SqlAccess(of("access")),
            "meta": lambda: repositories.SqlMeta(of("meta")),
        }
        if name not in made:
            raise AttributeError(name)
        setattr(self, name, made[name]())
        return self.__dict__[name]


class SqliteStore:
    """``perdure.ports.Store`` on one file. Not for use by several threads at once: give each its own."""

    def __init__(self, path: str, connection: apsw.Connection) -> None:
        """Take an open connection; use ``open_store`` or ``open_reader``."""
        self.path = path
        self.connection = connection
        self._statements: dict[str, dict[str, str]] = {}

    def _sql(self, area: str, name: str) -> str:
        if area not in self._statements:
            loaded = catalogue.load(area, "sqlite")
            self._statements[area] = {key: rows.with_fragments(sql) for key, sql in loaded.items()}
        return self._statements[area][name]

    def run(self, area: str, name: str, /, **params: Any) -> list[Row]:
        """Run a named statement and return its rows."""
        try:
            return self.connection.execute(self._sql(area, name), params).fetchall()
        except UnicodeDecodeError as error:
            raise Corrupt(f"{self.path} holds a text that is damaged ({error}). Run: perdure doctor") from error
        except OverflowError:
            raise UsageError(TOO_LARGE) from None

    def run_many(self, area: str, name: str, params: Sequence[Params], /) -> None:
        """Run a named statement that returns nothing once for each set of parameters."""
        try:
            self.connection.executemany(self._sql(area, name), params)
        except OverflowError:
            raise UsageError(TOO_LARGE) from None

    def unit(self, reader: Reader, *, write: bool = False) -> _Transaction:
        """See the port."""
        return _Transaction(self, reader, write=write)

    def close(self) -> None:
        """Close the connection; the store cannot be used after it."""
        self.connection.close()


class _Transaction:
    """One transaction as a context: a plain class, since ``contextlib`` costs the hook 3 ms."""

    def __init__(self, store: SqliteStore, reader: Reader, *, write: bool) -> None:
        self._store = store
        self._reader = reader
        self._write = write
        self._waiting = Waiting(store.run, store.run_many)

    def __enter__(self) -> Unit:
        with _explained(self._store.path):
            self._store.connection.execute("BEGIN IMMEDIATE" if self._write else "BEGIN")
        return SqliteUnit(self._waiting, self._reader)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        connection = self._store.connection
        with _explained(self._store.path):
            try:
                if error is None and self._write:
                    self._waiting.write()
                    connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            if isinstance(error, apsw.Error):
                raise error


class _explained:  # noqa: N801 - reads as a statement
    """Turn what SQLite raises into an error of ours that says what to do."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, apsw.Error):
            raise explain(error, self._path) from error
        if isinstance(error, OSError):
            raise Unavailable(f"{self._path} cannot be opened: {error.strerror}.") from error


def explain(error: apsw.Error, path: str) -> Exception:
    """The error of our tree that says what an APSW error means for the user."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return Busy(f"{path} is in use by another process. Try again in a moment.")
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return Corrupt(f"{path} is damaged ({error}). Nothing was changed. Run: perdure doctor")
    if isinstance(error, apsw.FullError):
        return Unavailable(f"The disk is full, so nothing was written to {path}. Free some space and try again.")
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError | apsw.CantOpenError | apsw.AuthError):
        return Unavailable(f"{path} cannot be opened or written ({error}). Check its owner and permissions.")
    if isinstance(error, apsw.IOError):
        return Unavailable(f"The disk reported an error at {path} ({error}). Nothing of this change was kept.")
    if isinstance(error, apsw.InterruptError):
        return Busy(f"{path} did not answer within the time allowed.")
    if isinstance(error, apsw.ConstraintError):
        return Refused(f"The ledger refused the change: {error}")
    return Unavailable(f"{path}: {error}")


def open_store(path: str, *, synchronous: str = "FULL") -> SqliteStore:
    """Open the ledger for reading and writing, creating and migrating it where needed.

    ``synchronous`` is there for the negative controls of the power-loss gate alone.
    """
    from perdure.store.migrate import migrate, recognize

    with _explained(path):
        private = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600) if not os.path.exists(path) else -1
        if private >= 0:
            os.close(private)
        connection = apsw.Connection(path)
        try:
            connection.set_busy_timeout(BUSY_MS)
            recognize(connection, path)
            _use_wal(connection)
            connection.execute(f"PRAGMA synchronous = {synchronous}")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute(f"PRAGMA cache_size = -{CACHED_KB}")  # ids and digests fall anywhere in their indexes
            store = SqliteStore(path, connection)
            migrate(connection, path)
        except BaseException:
            connection.close()
            raise
    return store


def _use_wal(connection: apsw.Connection) -> None:
    """Switch a new file to write-ahead logging; where several processes do so at once, SQLite itself does not wait."""
    for _try in range(_SWITCH_TRIES):
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except apsw.BusyError:
            time.sleep(_PAUSE)
        else:
            return
    connection.execute("PRAGMA journal_mode = WAL").fetchall()


def open_reader(path: str, expired: Callable[[], bool]) -> SqliteStore:
    """Open the ledger for reading only, giving up with ``Busy`` once ``expired()`` says so.

    ``expired`` is asked every few thousand steps of the engine, and at once where another process is in the way.
    """

    def wait(_tries: int) -> bool:
        time.sleep(_PAUSE)
        return not expired()

    with _explained(path):
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_handler(wait)
        connection.set_progress_handler(expired, _STEPS_PER_LOOK)
        connection.execute("PRAGMA query_only = ON")
        connection.execute(f"PRAGMA mmap_size = {MAPPED}")  # a new process would read every page with a call
    return SqliteStore(path, connection)


def check(store: SqliteStore) -> Iterator[str]:
    """What the engine's own integrity check and the foreign keys complain of; nothing when all is well."""
    for (line,) in store.connection.execute("PRAGMA quick_check(20)"):
        if line != "ok":
            yield line
    for table, row, parent, _number in store.connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} names a missing row of {parent}"
