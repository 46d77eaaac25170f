"""Power fails, and what was acknowledged is there: ``python -m benchmarks.gates.power [--long]`` (P1 and P2).

P1 records what the ledger writes and syncs, rebuilds for many crash points a disk that lost half of what was not
synced, and reads it with plain SQLite. The controls, ``synchronous`` NORMAL and OFF, must lose. P2 watches the system
calls of the hook: a spool file is synced, and its directory after the rename, before the hook exits.
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

import apsw

from benchmarks._home import AUTHOR
from benchmarks._lib import Figure, Options, generator, main
from benchmarks.gates import _order
from benchmarks.gates._disk import Crash, Op, RecordingVfs, crashes
from benchmarks.gates._writer import addition, door
from perdure.domain.access import Reader
from perdure.services.write import commit
from perdure.store.sqlite import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

LEDGER = "ledger.db"
CHECKPOINT_PAGES = 60
"""Small, so that a short workload goes through many checkpoints."""


def record(synchronous: str, commits: int) -> list[Op]:
    """What reaches the disk while memories are committed one by one, each acknowledged."""
    log: list[Op] = []
    system = apsw.vfs_names()[0]
    vfs = RecordingVfs("recording", log)
    apsw.set_default_vfs("recording")
    try:
        with tempfile.TemporaryDirectory(prefix="perdure-bench-") as root:
            store = open_store(os.path.join(root, LEDGER), synchronous=synchronous)
            entry = door(store)
            store.connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            for number in range(commits):
                change = addition("p", number)
                commit(entry, Reader(AUTHOR), change)
                log.append(Op("ack", change.draft.body))
            store.close()
    finally:
        apsw.set_default_vfs(system)
        vfs.unregister()
    return log


def judge(crash: Crash) -> tuple[int, bool]:
    """How many acknowledged memories a crash lost, and whether what it left is damaged."""
    with tempfile.TemporaryDirectory(prefix="perdure-bench-") as root:
        for name, data in crash.files.items():
            with open(os.path.join(root, name), "wb") as file:
                file.write(data)
        connection = apsw.Connection(os.path.join(root, LEDGER))
        try:
            lines = [line for (line,) in connection.execute("PRAGMA integrity_check")]
            found = {body for (body,) in connection.execute("SELECT body FROM revision")}
            ((indexed,),) = connection.execute("SELECT count(*) FROM fulltext_docsize")
        except apsw.SQLError:  # not even the schema is there
            return len(crash.acknowledged), False
        except apsw.Error:
            return len(crash.acknowledged), True
        finally:
            connection.close()
    return sum(body not in found for body in crash.acknowledged), lines != ["ok"] or indexed != len(found)


def fail(synchronous: str, points: int, commits: int, seed: int) -> tuple[int, int, int]:
    """Crash at as many points; counts of acknowledged memories lost, of crashes that lost any, and of damaged disks."""
    rng = generator(seed)
    log = record(synchronous, commits)
    chosen: Sequence[int] = [rng.randint(1, len(log)) for _ in range(points)]
    verdicts = [judge(crash) for crash in crashes(log, chosen, rng)]
    return (
        sum(lost for lost, _ in verdicts),
        sum(lost > 0 for lost, _ in verdicts),
        sum(damaged for _, damaged in verdicts),
    )


def measure(options: Options) -> list[Figure]:
    """FULL, the controls, and the order of a hook's system calls."""
    points, commits = options.pick(12, 120, 1_200), options.pick(12, 60, 120)
    figures = [Figure("P1 crash points", points)]
    lost, _crashes, damaged = fail("FULL", points, commits, options.seed)
    figures += [Figure("P1 FULL: lost", lost, most=0), Figure("P1 FULL: damaged", damaged, most=0)]
    for level in ("NORMAL", "OFF"):
        lost, hit, damaged = fail(level, points, commits, options.seed)
        figures += [
            Figure(f"control {level}: crashes that lost or damaged, and must", max(hit, damaged), least=1),
            Figure(f"control {level}: lost", lost),
            Figure(f"control {level}: damaged", damaged),
        ]
    return [*figures, *_order.measure(options)]


if __name__ == "__main__":
    main(__doc__, measure)
