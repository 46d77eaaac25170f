"""Hold tests and promises together: each promise has a test, and each test names a promise.

What a test promises is read from its ``req`` markers as pytest collects them, so inherited suites
and marked parameters count like any other. Nothing is run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    import pytest

OUTPUT = "PERDURE_TEST_PROMISES"


def pytest_collection_finish(session: pytest.Session) -> None:
    """As a pytest plugin: write the promises of each collected test where the environment says."""
    promises: dict[str, list[str]] = {}
    for item in session.items:
        test = item.nodeid.partition("[")[0]
        named = [str(name) for mark in item.iter_markers("req") for name in mark.args]
        promises[test] = sorted({*promises.get(test, []), *named})
    with open(os.environ[OUTPUT], "w", encoding="utf-8") as file:
        json.dump(promises, file)


def collect(tests: Path, output: Path) -> dict[str, list[str]]:
    """Collect the tests under a folder in a process of its own: test to the ids it names.

    ``output`` is a file to be written on the way. Raises ``RuntimeError`` with pytest's words when
    a test file can't be imported.
    """
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "tools.promises", str(tests)]
    done = subprocess.run(
        command,
        env={**os.environ, OUTPUT: str(output)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)
    promises: dict[str, list[str]] = json.loads(output.read_text(encoding="utf-8"))
    return promises


def problems(known: Collection[str], tests: Mapping[str, Collection[str]]) -> list[str]:
    """A sentence for each test without a promise, each unknown id and each promise without a test."""
    held = {name for names in tests.values() for name in names}
    found = [f"{test} names no promise" for test, names in sorted(tests.items()) if not names]
    found += [
        f"{test} names {name}, which tests/requirements does not know"
        for test, names in sorted(tests.items())
        for name in sorted(names)
        if name not in known
    ]
    found += [f"{name} has no test" for name in sorted(set(known) - held)]
    return found
