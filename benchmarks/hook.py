"""What a hook costs: processor time of the whole process, and sixteen at once: ``python -m benchmarks.hook [--long]``.

The hook is the launcher that ``perdure init`` made, over a store that is in the file cache; no worker runs. The
baseline is the same interpreter doing nothing, started in turn with the hooks.
"""

from __future__ import annotations

import itertools
import statistics
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from benchmarks import _corpus
from benchmarks._home import CAPTURES, new_home
from benchmarks._lib import MILLI, Figure, Options, main, spread

if TYPE_CHECKING:
    from benchmarks._home import Home, Run

ANSWERED = ("SessionStart", "UserPromptSubmit")
CAPTURE_GOAL, ANSWER_GOAL, CROWD_GOAL_MS = 3.5, 7.0, 1_000.0
CROWD = 16


def one(home: Home, event: str, number: int, question: str) -> Run:
    """One hook of a session of its own, so that a prompt is the session's first."""
    more = {"prompt": question} if event == "UserPromptSubmit" else {}
    return home.hook(event, f"s{number}", **more)


def alone(home: Home, questions: list[str], rounds: int) -> tuple[dict[str, list[Run]], list[Run]]:
    """Runs of every event and of the bare interpreter, in turn."""
    taken: dict[str, list[Run]] = {event: [] for event in (*CAPTURES, *ANSWERED)}
    bare = []
    for number in range(rounds):
        for event, runs in taken.items():
            bare.append(home.bare())
            runs.append(one(home, event, number, questions[number % len(questions)]))
            home.empty_spool()
    return taken, bare


def crowd(home: Home, questions: list[str], rounds: int) -> tuple[list[Run], list[Run]]:
    """Runs of sixteen hooks of all events at once, and of sixteen bare interpreters."""
    events = itertools.cycle((*CAPTURES, *ANSWERED))
    runs: list[Run] = []
    bare: list[Run] = []
    with ThreadPoolExecutor(CROWD) as pool:
        for number in range(rounds):
            bare += pool.map(lambda _: home.bare(), range(CROWD))
            chosen = [(next(events), 1_000 + CROWD * number + each) for each in range(CROWD)]
            runs += pool.map(lambda pair: one(home, pair[0], pair[1], questions[pair[1] % len(questions)]), chosen)
            home.empty_spool()
    return runs, bare


def measure(options: Options) -> list[Figure]:
    """The cost of each event alone, then of sixteen at once."""
    count = options.pick(300, 10_000, 100_000)
    path = _corpus.ledger(options.seed, count)
    questions = _corpus.questions(_corpus.project_texts(path), options.seed, 40)
    with new_home(path) as home, home.without_worker():
        for event in (*CAPTURES, *ANSWERED):
            one(home, event, 0, questions[0])  # fills the file cache
        home.empty_spool()
        taken, bare = alone(home, questions, options.pick(2, 40, 80))
        late = len(home.log_lines())
        runs, bare_crowd = crowd(home, questions, options.pick(1, 4, 20))
        late_crowd = len(home.log_lines()) - late
    base = MILLI * statistics.median(run.cpu for run in bare)
    figures = [
        Figure(
            f"{event}, cpu",
            MILLI * statistics.median(run.cpu for run in hooks),
            "ms",
            base,
            most_ratio=CAPTURE_GOAL if event in CAPTURES else ANSWER_GOAL,
        )
        for event, hooks in taken.items()
    ]
    every = [*itertools.chain.from_iterable(taken.values()), *runs]
    answers = [run for event in ANSWERED for run in taken[event]]
    return [
        *figures,
        *spread("16 at once, wall", [run.wall for run in runs], [run.wall for run in bare_crowd], CROWD_GOAL_MS),
        Figure("exits other than 0", sum(run.code != 0 for run in every), most=0),
        Figure(
            "starts and prompts with an answer", round(100 * sum(bool(run.out) for run in answers) / len(answers)), "%"
        ),
        Figure("deadlines missed alone", late),
        Figure("deadlines missed at once", late_crowd),
    ]


if __name__ == "__main__":
    main(__doc__, measure)
