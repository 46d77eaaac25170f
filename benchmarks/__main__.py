"""All benchmarks, each figure with its baseline beside it: ``python -m benchmarks [--long]``, or ``make bench``."""

from __future__ import annotations

import importlib

from benchmarks._lib import Figure, Options, main

NAMES = (
    "hook",
    "load",
    "ingest",
    "recall",
    "supersession",
    "corrections",
    "consolidation",
    "gates.kill",
    "gates.power",
)
"""``benchmarks.redaction`` prints tables of its own, by kind of secret."""


def measure(options: Options) -> list[Figure]:
    """The figures of all, one after another."""
    figures: list[Figure] = []
    for name in NAMES:
        figures += importlib.import_module(f"benchmarks.{name}").measure(options)
    return figures


if __name__ == "__main__":
    main(__doc__, measure)
