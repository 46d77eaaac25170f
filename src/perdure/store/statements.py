"""The statements of a unit. New rows wait until something is asked, and are then written together.

To run a statement for each row costs more than the row, and FTS5 writes its index out after each one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.store.rows import Params, Row

# What may wait, in the order in which it is written: no row comes before one that it refers to.
_MAY_WAIT = (
    ("changes", "begin"),
    ("memories", "add_memory"),
    ("memories", "append_revision"),
    ("memories", "add_source"),
    ("memories", "add_assertion"),
    ("memories", "add_head"),
    ("memories", "set_head"),
    ("memories", "add_link"),
    ("changes", "remember"),
    ("search", "index_text"),
    ("search", "reindex_text"),
)


class Waiting:
    """The rows of one unit that are not written yet."""

    def __init__(self, run: Callable[..., list[Row]], run_many: Callable[[str, str, list[Params]], None]) -> None:
        """Write with the two functions of an engine; ``run_many`` runs one statement for several rows."""
        self._run = run
        self._run_many = run_many
        self._rows: dict[tuple[str, str], list[Params]] = {name: [] for name in _MAY_WAIT}
        self._latest: dict[tuple[str, str], int] = {}
        self._any = False

    def add(self, area: str, name: str, row: Params) -> None:
        """Let a row wait for its statement."""
        self._rows[area, name].append(row)
        self._any = True

    def write(self) -> None:
        """Write all that waits."""
        if self._any:
            self._any = False
            for (area, name), rows in self._rows.items():
                if rows:
                    self._run_many(area, name, rows)
                    rows.clear()

    def number(self, area: str, name: str) -> int:
        """The number after the latest, which a statement tells and which nobody else can take during this unit."""
        key = (area, name)
        if key not in self._latest:
            self._latest[key] = self._run(area, name)[0][0]
        self._latest[key] += 1
        return self._latest[key]

    def area(self, area: str) -> Statements:
        """The statements of one area of the catalogue."""
        return Statements(area, self._run, self)


class Statements:
    """The statements of one area of the catalogue, run on one connection."""

    def __init__(self, area: str, run: Callable[..., list[Row]], waiting: Waiting) -> None:
        """Run statements with ``run`` after what is ``waiting``."""
        self._area = area
        self._run = run
        self._waiting = waiting

    def __call__(self, name: str, /, **params: object) -> list[Row]:
        """Run a statement by name, after all that waits, and return its rows."""
        self._waiting.write()
        return self._run(self._area, name, **params)

    def aside(self, name: str, /, **params: object) -> list[Row]:
        """Run a statement that need not see what waits, and return its rows."""
        return self._run(self._area, name, **params)

    def later(self, name: str, row: Params) -> None:
        """Run a statement with a row before the next one that is not to be run later, or at the unit's end."""
        self._waiting.add(self._area, name, row)

    def number(self, name: str) -> int:
        """The number after the latest, which a statement tells."""
        return self._waiting.number(self._area, name)
