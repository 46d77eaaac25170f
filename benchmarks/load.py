"""Sixteen agents at once, each turn recorded exactly once: ``python -m benchmarks.load [--long]``.

Each agent adds a record to its transcript and fires the Stop hook as a real process; the hooks start workers as they
do in life. Then ``perdure work`` does what waits. The baseline starts the bare interpreter instead of the hook.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from benchmarks._home import new_home
from benchmarks._lib import Figure, Options, main, spread
from perdure.store.sqlite import open_store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks._home import Home, Run

AGENTS = 16


def unique(session: str, number: int) -> str:
    """Words that no other turn has."""
    return f"Turn {number} of {session} says that quay {session}q{number} is free."


def agent(home: Home, session: str, turns: int) -> list[Run]:
    """One session: its turns, and the hook after each."""
    runs = []
    for number in range(turns):
        home.say(session, f"{session}-{number}", unique(session, number))
        runs.append(home.hook("Stop", session))
    return runs


def recorded(ledger: str) -> Counter[str]:
    """How often each text stands among the ledger's turns."""
    store = open_store(ledger)
    found = Counter(text for (text,) in store.connection.execute("SELECT text FROM turn"))
    store.close()
    return found


def waiting(ledger: str) -> int:
    """Sessions that grew and were not read to their end."""
    store = open_store(ledger)
    ((count,),) = store.connection.execute("SELECT count(*) FROM session WHERE size > position")
    store.close()
    return int(count)


def exactly_once(found: Counter[str], wanted: Iterable[str]) -> tuple[int, int]:
    """How many of the wanted texts are missing, and how many records are one too many."""
    lost = sum(not found[text] for text in wanted)
    return lost, sum(count - 1 for count in found.values())


def measure(options: Options) -> list[Figure]:
    """All captures at once, then what the ledger has of them."""
    turns = options.pick(2, 20, 200)
    sessions = [f"agent{number}" for number in range(AGENTS)]
    with new_home() as home, ThreadPoolExecutor(AGENTS) as pool:
        bare = [run for runs in pool.map(lambda _: [home.bare() for _ in range(turns)], sessions) for run in runs]
        runs = [run for done in pool.map(lambda name: agent(home, name, turns), sessions) for run in done]
        home.work_off()
        wanted = [unique(session, number) for session in sessions for number in range(turns)]
        lost, doubled = exactly_once(recorded(home.ledger), wanted)
        waits = len(home.spool.names()) + len(home.spool.damaged()) + waiting(home.ledger)
        complaints = len(home.log_lines())
    return [
        Figure("captures", len(wanted)),
        Figure("recorded", len(wanted) - lost, least=len(wanted)),
        Figure("recorded twice", doubled, most=0),
        Figure("waiting afterwards", waits, most=0),
        Figure("exits other than 0", sum(run.code != 0 for run in runs), most=0),
        Figure("lines in the hooks' log", complaints, most=0),
        *spread("hook, wall", [run.wall for run in runs], [run.wall for run in bare], None),
    ]


if __name__ == "__main__":
    main(__doc__, measure)
