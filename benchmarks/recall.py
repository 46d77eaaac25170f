"""Lexical recall in a warm process over a full store: ``python -m benchmarks.recall [--long]``.

Questions are 3 to 8 words of stored texts, rare and common ones. The baseline asks a plain FTS5 table over the same
texts for any of the words and takes the best eight.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import apsw

from benchmarks import _corpus
from benchmarks._lib import MILLI, Figure, Options, main, quantile
from perdure.domain.memory import Moment
from perdure.services.recall import Query, recall
from perdure.store.sqlite import open_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from perdure.domain.access import Reader
    from perdure.store.sqlite import SqliteStore

GOAL_MS = 25.0
TOP = 8


def plain_index(path: str, texts: Iterable[tuple[Any, ...]]) -> apsw.Connection:
    """The baseline: the same texts in a plain table with an FTS5 index, in a file beside the ledger."""
    built = os.path.exists(path)
    connection = apsw.Connection(path)
    if not built:
        connection.execute("CREATE TABLE plain (seq INTEGER PRIMARY KEY, body TEXT)")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (body, content = 'plain', content_rowid = 'seq')")
        with connection:
            connection.executemany("INSERT INTO plain VALUES (?, ?)", texts)
            connection.execute("INSERT INTO words (words) VALUES ('rebuild')")
    return connection


def ask_plain(connection: apsw.Connection, question: str) -> list[object]:
    """The best eight texts that hold any of the words."""
    match = " OR ".join('"' + word.replace('"', '""') + '"' for word in question.split())
    found = connection.execute(
        "SELECT body FROM plain WHERE seq IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?)",
        (match, TOP),
    )
    return [*found]


def ask(store: SqliteStore, reader: Reader, question: str, now: int) -> int:
    """How many answers there are."""
    with store.unit(reader) as unit:
        return len(recall(unit, Query(question, Moment(as_of=now))).hits)


def timed(ask_one: Callable[[str], object], questions: Sequence[str]) -> list[float]:
    """Seconds for each question, after a round that warms up."""
    for question in questions[:20]:
        ask_one(question)
    taken = []
    for question in questions:
        began = time.perf_counter()
        ask_one(question)
        taken.append(time.perf_counter() - began)
    return taken


def measure(options: Options) -> list[Figure]:
    """p50 and p95 in a project that holds half of the store, and over all of it."""
    count = options.pick(300, 10_000, 100_000)
    path = _corpus.ledger(options.seed, count)
    store = open_reader(path, lambda: False)
    questions = _corpus.questions(_corpus.project_texts(path), options.seed, options.pick(5, 200, 200))
    plain = plain_index(path.replace("ledger-", "plain-"), store.connection.execute("SELECT seq, body FROM revision"))
    now = _corpus.START + count * 300_000_000
    base = timed(lambda question: ask_plain(plain, question), questions)
    figures = []
    found = 0
    for name, everywhere in (("in a project", False), ("everywhere", True)):
        reader = _corpus.reader(everywhere=everywhere)
        found += sum(bool(ask(store, reader, question, now)) for question in questions)
        taken = timed(lambda question, reader=reader: ask(store, reader, question, now), questions)  # type: ignore[misc]
        figures += [
            Figure(
                f"recall among {count:,} {name}, {word}",
                MILLI * quantile(taken, share),
                "ms",
                MILLI * quantile(base, share),
                most=GOAL_MS if word == "p50" else None,
            )
            for word, share in (("p50", 0.5), ("p95", 0.95))
        ]
    plain.close()
    store.close()
    return [*figures, Figure("questions answered", round(100 * found / (2 * len(questions))), "%")]


if __name__ == "__main__":
    main(__doc__, measure)
