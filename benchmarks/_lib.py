"""What every benchmark is made of: figures with a baseline and a goal, one table, one command line."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import random
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SEED = 20_261
BUILD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build", "benchmarks")
MILLI = 1_000.0


@dataclass(frozen=True, slots=True)
class Options:
    """How much to do (``tiny`` only shows that a benchmark works), the seed of all that is drawn, and data to score."""

    size: str = "short"
    seed: int = SEED
    data: str = ""

    def pick(self, tiny: int, short: int, long: int) -> int:
        """The number for the chosen size."""
        return {"tiny": tiny, "short": short, "long": long}[self.size]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: what was measured, what the baseline of the same run took, and the goal.

    ``most`` and ``least`` bound the value, ``most_ratio`` bounds the value over the baseline.
    """

    name: str
    value: float
    unit: str = ""
    baseline: float | None = None
    most: float | None = None
    least: float | None = None
    most_ratio: float | None = None

    @property
    def ratio(self) -> float | None:
        """The value over the baseline's."""
        return self.value / self.baseline if self.baseline else None

    @property
    def met(self) -> bool:
        """Whether the goal is met; what has none meets it."""
        return (
            (self.most is None or self.value <= self.most)
            and (self.least is None or self.value >= self.least)
            and (self.most_ratio is None or (self.ratio is not None and self.ratio <= self.most_ratio))
        )

    @property
    def goal(self) -> str:
        """The goal in words, empty for none."""
        if self.most_ratio is not None:
            return f"<= {self.most_ratio:g} x"
        if self.most is not None:
            return f"<= {self.most:,g} {self.unit}".strip()
        return f">= {self.least:,g} {self.unit}".strip() if self.least is not None else ""


def _shown(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    digits = (
        f"{value:,.0f}"
        if float(value).is_integer() and unit != "ms"
        else f"{value:,.1f}"
        if value >= 1
        else f"{value:.2f}"
    )
    return f"{digits} {unit}".strip()


def table(figures: Sequence[Figure]) -> str:
    """The figures as aligned text."""
    rows = [("", "measured", "baseline", "ratio", "goal", "")]
    for each in figures:
        ratio = "" if each.ratio is None else f"{each.ratio:.2f} x"
        verdict = ("ok" if each.met else "MISSED") if each.goal else ""
        rows.append(
            (each.name, _shown(each.value, each.unit), _shown(each.baseline, each.unit), ratio, each.goal, verdict)
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in {0, 5} else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def machine() -> str:
    """The kind of machine, as far as it matters to read a figure."""
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def as_json(options: Options, figures: Sequence[Figure]) -> str:
    """All there is to say, for programs."""
    told = [dataclasses.asdict(each) | {"ratio": each.ratio, "goal": each.goal, "met": each.met} for each in figures]
    return json.dumps(dataclasses.asdict(options) | {"machine": machine(), "figures": told}, indent=1)


def chosen(description: str, arguments: Sequence[str]) -> tuple[Options, bool]:
    """The options of a command line, and whether JSON is wanted."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--long", action="store_true", help="the form that the figures are quoted from")
    size.add_argument("--tiny", action="store_true", help="a few runs, to see that it works")
    parser.add_argument("--seed", type=int, default=SEED, help="of all that is drawn at random")
    parser.add_argument(
        "--data", default="", metavar="PATH", help="a published set to score, where the benchmark takes one"
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    told = parser.parse_args(arguments)
    return Options("long" if told.long else "tiny" if told.tiny else "short", told.seed, told.data), told.json


def main(description: str | None, measure: Callable[[Options], Sequence[Figure]]) -> None:
    """Measure as the command line says, print, and exit with 1 where a goal is missed."""
    options, wants_json = chosen(description or "", sys.argv[1:])
    figures = measure(options)
    if wants_json:
        print(as_json(options, figures))
    else:
        print(f"{(description or '').partition(chr(10))[0]}\n{options.size} form, seed {options.seed}; {machine()}\n")
        print(table(figures))
    sys.exit(0 if all(each.met for each in figures) else 1)


def generator(seed: int) -> random.Random:
    """What draws cases: the same seed draws the same."""
    return random.Random(seed)  # noqa: S311 - cases, not keys


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that ``share`` of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-len(ordered) * share // 1) - 1)]


def spread(name: str, seconds: Sequence[float], baseline: Sequence[float], most_p99: float | None) -> list[Figure]:
    """p50, p99 and the maximum of times, in ms, beside the baseline's; the goal in ms is for p99."""
    return [
        Figure(
            f"{name}, {word}",
            MILLI * quantile(seconds, share),
            "ms",
            MILLI * quantile(baseline, share),
            most=most_p99 if word == "p99" else None,
        )
        for word, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
    ]
