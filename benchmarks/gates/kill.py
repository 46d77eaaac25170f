"""Killed at random moments, nothing is lost or doubled: ``python -m benchmarks.gates.kill [--long]`` (K1 and K2).

K1 kills writers of the store, which print a number after each acknowledgement. K2 kills hooks and workers while
sessions grow. The control acknowledges before the commit, and must lose.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks._home import Running, new_home
from benchmarks._lib import BUILD, Figure, Options, generator, main
from benchmarks.gates._writer import body
from benchmarks.load import exactly_once, recorded, unique, waiting
from perdure.store.sqlite import open_store

if TYPE_CHECKING:
    import random

ROOT = os.path.dirname(os.path.dirname(BUILD))
WRITERS = 2
SESSIONS = 4
EARLIEST, LATEST = 0.005, 0.120


class Writer:
    """A writer process, and what it has acknowledged."""

    def __init__(self, path: str, name: str, order: str) -> None:
        """Start it."""
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.gates._writer", path, name, order], stdout=subprocess.PIPE, cwd=ROOT
        )

    def first(self) -> bytes:
        """Wait for its first acknowledgement."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def kill(self, first: bytes) -> list[str]:
        """Kill it, and return the texts that it acknowledged."""
        self._process.kill()
        rest, _ = self._process.communicate()
        numbers = (first + rest).rpartition(b"\n")[0].split()
        return [body(self.name, int(number)) for number in numbers]


def kill_writers(path: str, rng: random.Random, kills: int, order: str) -> list[str]:
    """Kill pairs of writers, as many as told, and return all that was acknowledged."""
    acknowledged: list[str] = []
    for turn in range(0, kills, WRITERS):
        writers = [Writer(path, f"{order}{turn + each}", order) for each in range(WRITERS)]
        firsts = [writer.first() for writer in writers]
        for writer, first in zip(writers, firsts, strict=True):
            time.sleep(rng.uniform(EARLIEST, LATEST) / WRITERS)
            acknowledged += writer.kill(first)
    return acknowledged


def stored(path: str) -> tuple[Counter[str], int]:
    """The texts of the memories in a store, and what its integrity check and its text index complain of."""
    store = open_store(path)
    found = Counter(text for (text,) in store.connection.execute("SELECT body FROM revision"))
    flaws = _flaws(path)
    ((indexed,),) = store.connection.execute("SELECT count(*) FROM fulltext_docsize")
    store.close()
    return found, flaws + (indexed != sum(found.values()))


def _flaws(path: str) -> int:
    store = open_store(path)
    lines = [line for (line,) in store.connection.execute("PRAGMA integrity_check")]
    orphans = store.connection.execute("PRAGMA foreign_key_check").fetchall()
    store.close()
    return (lines != ["ok"]) + len(orphans)


def writers_killed(rng: random.Random, kills: int, order: str, name: str) -> list[Figure]:
    """K1, or its control where the writer acknowledges ``before``."""
    with tempfile.TemporaryDirectory(prefix="perdure-bench-") as root:
        path = os.path.join(root, "ledger.db")
        open_store(path).close()
        acknowledged = kill_writers(path, rng, kills, order)
        found, flaws = stored(path)
    lost, doubled = exactly_once(found, acknowledged)
    if order == "before":
        return [Figure(f"{name}: lost, and must", lost, least=1)]
    return [
        Figure(f"{name}: kills", kills),
        Figure(f"{name}: acknowledged", len(acknowledged), least=kills),
        Figure(f"{name}: lost", lost, most=0),
        Figure(f"{name}: doubled", doubled, most=0),
        Figure(f"{name}: damaged", flaws, most=0),
    ]


def _kill_after(process: Running, seconds: float) -> bool:
    """Kill a process after a while; whether it had ended well before."""
    time.sleep(seconds)
    with contextlib.suppress(ProcessLookupError):  # it was not waited for, so the number is still its own
        os.kill(process.pid, signal.SIGKILL)
    return process.wait().code == 0


def path_killed(rng: random.Random, kills: int) -> list[Figure]:
    """K2: hooks and workers killed in turn, while the sessions they serve grow."""
    said: dict[str, list[str]] = {f"s{number}": [] for number in range(SESSIONS)}
    acknowledged: set[str] = set()
    ended = Counter[bool]()
    with new_home() as home:
        hook_takes, worker_takes = home.hook("PreCompact", "warm").wall, home.worker().wait().wall
        for turn in range(kills):
            session = f"s{rng.randrange(SESSIONS)}"
            texts = said[session]
            for _ in range(rng.randint(1, 3)):
                texts.append(unique(session, len(texts)))
                home.say(session, f"{session}-{len(texts)}", texts[-1])
            if turn % 2:
                if _kill_after(home.start_hook("Stop", session), rng.uniform(0, 1.3 * hook_takes)):
                    acknowledged |= set(texts)
                    ended[True] += 1
                continue
            with home.without_worker():
                if home.hook("Stop", session).code == 0:
                    acknowledged |= set(texts)
            ended[_kill_after(home.worker(), rng.uniform(0.3, 1.2) * worker_takes)] += 1
        home.work_off()
        lost, doubled = exactly_once(recorded(home.ledger), acknowledged)
        waits = len(home.spool.names()) + len(home.spool.damaged()) + waiting(home.ledger)
        flaws = _flaws(home.ledger)
    return [
        Figure("K2 whole path: kills", kills),
        Figure("K2 whole path: killed after the end", ended[True]),
        Figure("K2 whole path: acknowledged", len(acknowledged), least=1),
        Figure("K2 whole path: lost", lost, most=0),
        Figure("K2 whole path: doubled", doubled, most=0),
        Figure("K2 whole path: waiting afterwards", waits, most=0),
        Figure("K2 whole path: damaged", flaws, most=0),
    ]


def measure(options: Options) -> list[Figure]:
    """Both gates and the control."""
    rng = generator(options.seed)
    return [
        *writers_killed(rng, options.pick(2, 60, 1_000), "after", "K1 store"),
        *path_killed(rng, options.pick(4, 60, 1_000)),
        *writers_killed(rng, options.pick(8, 20, 40), "before", "control, acknowledged before the commit"),
    ]


if __name__ == "__main__":
    main(__doc__, measure)
