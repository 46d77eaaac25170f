"""P2: in what order a hook writes, syncs, renames and exits, seen by strace."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from benchmarks._home import CAPTURES, HOST, new_home
from benchmarks._lib import Figure, Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SKIPPED = "P2 skipped, no strace here"
_SYNC = re.compile(r"\bf(?:data)?sync\(\d+<([^>]*)>\)\s*= 0")
_RENAME = re.compile(r'\brename(?:at2?)?\((?:[^"]*, )?"([^"]*)", (?:[^"]*, )?"([^"]*)"(?:, \w+)?\)\s*= 0')
CARELESS = (
    "import os, sys; f = open(sys.argv[1] + '.tmp', 'w'); f.write('x'); f.close(); os.rename(f.name, sys.argv[1])"
)


def unsynced(trace: Iterable[str]) -> tuple[int, int]:
    """Spool files in a trace of system calls, and how many of them were not safe when the process ended.

    Safe is a file that was synced under its first name, whose directory was synced after the rename.
    """
    synced: set[str] = set()
    pending: dict[str, bool] = {}
    kept = 0
    for line in trace:
        if found := _SYNC.search(line):
            synced.add(found[1])
            for name in [name for name, whole in pending.items() if whole and os.path.dirname(name) == found[1]]:
                del pending[name]
        elif (found := _RENAME.search(line)) and found[2].endswith(".json"):
            kept += 1
            pending[found[2]] = found[1] in synced
    return kept, len(pending)


def traced(argv: Sequence[str], environment: dict[str, str], data: bytes = b"") -> list[str]:
    """The system calls of a program that concern order."""
    with tempfile.TemporaryDirectory(prefix="perdure-bench-") as root:
        told = os.path.join(root, "trace")
        calls = "trace=fsync,fdatasync,rename,renameat,renameat2"
        subprocess.run(["strace", "-f", "-y", "-o", told, "-e", calls, *argv], env=environment, input=data, check=True)
        with open(told, encoding="utf-8", errors="replace") as file:
            return file.readlines()


def measure(options: Options) -> list[Figure]:
    """Every capture event as often as told, and the control, a writer that syncs nothing."""
    if shutil.which("strace") is None:
        missing = os.environ.get("PERDURE_TEST_ALL") == "1"
        return [Figure(SKIPPED, int(missing), most=0)]
    kept = unsafe = 0
    with new_home() as home, home.without_worker():
        for number in range(options.pick(1, 4, 40)):
            for event in CAPTURES:
                session = f"s{number}-{event}"
                lines = traced([home.launcher, HOST, event], home.environment, home.payload(event, session))
                found, loose = unsynced(lines)
                kept, unsafe = kept + found, unsafe + loose
        careless = traced([sys.executable, "-c", CARELESS, os.path.join(home.root, "x.json")], home.environment)
    return [
        Figure("P2 spool files", kept, least=options.pick(1, 4, 40) * len(CAPTURES)),
        Figure("P2 unsafe at the hook's exit", unsafe, most=0),
        Figure("control, synced nothing: unsafe, and must", unsynced(careless)[1], least=1),
    ]
