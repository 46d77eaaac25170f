"""Bulk import through the one door into an empty store: ``python -m benchmarks.ingest [--long]``.

The baseline writes the same texts with bare APSW into one plain table and an FTS5 table, in batches and as durably.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
from typing import TYPE_CHECKING

import apsw

from benchmarks import _corpus
from benchmarks._lib import Figure, Options, main

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.change import Add

GOAL = 5_000


def through_the_door(path: str, adding: Sequence[Add]) -> float:
    """Seconds to add all; what is not written raises."""
    store, door = _corpus.new_store(path)
    gc.freeze()  # an importer reads its changes as it goes; the collector need not walk the list made up here
    began = time.perf_counter()
    written = _corpus.fill(door, _corpus.reader(), iter(adding))
    taken = time.perf_counter() - began
    _corpus.close(store)
    assert written == len(adding)
    return taken


def bare(path: str, adding: Sequence[Add]) -> float:
    """Seconds for the same texts without anything of ours."""
    connection = apsw.Connection(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE plain (seq INTEGER PRIMARY KEY, kind TEXT, project TEXT, body TEXT)")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5 (body, content = 'plain', content_rowid = 'seq')")
    rows = [(number, each.draft.kind.value, each.draft.project, each.draft.body) for number, each in enumerate(adding)]
    began = time.perf_counter()
    for start in range(0, len(rows), _corpus.BATCH):
        batch = rows[start : start + _corpus.BATCH]
        with connection:
            connection.executemany("INSERT INTO plain VALUES (?, ?, ?, ?)", batch)
            connection.executemany("INSERT INTO words (rowid, body) VALUES (?, ?)", [(row[0], row[3]) for row in batch])
    taken = time.perf_counter() - began
    connection.close()
    return taken


def measure(options: Options) -> list[Figure]:
    """Memories a second, ours and bare."""
    count = options.pick(200, 10_000, 100_000)
    adding = list(_corpus.changes(options.seed, count))
    with tempfile.TemporaryDirectory(prefix="perdure-bench-") as root:
        plain = bare(os.path.join(root, "bare.db"), adding)
        ours = through_the_door(os.path.join(root, "ledger.db"), adding)
    return [Figure(f"bulk import of {count:,}", round(count / ours), "/s", round(count / plain), least=GOAL)]


if __name__ == "__main__":
    main(__doc__, measure)
