"""Which of contradicting facts answers first: ``python -m benchmarks.supersession [--data PATH]``.

``--data`` takes the FactConsolidation format of MemoryAgentBench: a list of objects with ``source``, ``context``
(numbered facts, the higher number is newer), ``questions`` and ``answers`` (for each question those that are
accepted). Without it facts about made-up people, towns and products are drawn. The facts go through the door one after
another as the user's own words; newest@1 is the share of questions for which the first active fact that recall returns
holds an accepted answer. The baseline is the best of all facts by BM25. No model is called.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from typing import TYPE_CHECKING

from benchmarks import _corpus
from benchmarks._home import AUTHOR
from benchmarks._lib import Figure, Options, generator, main
from benchmarks.recall import plain_index
from perdure.domain.access import Reader
from perdure.domain.change import Add, Draft
from perdure.domain.memory import Channel, Kind, Moment, provenance
from perdure.services.recall import Query, recall
from perdure.services.write import commit

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from typing import Any

    import apsw

    from perdure.services.write import Door

GOAL = 0.95
SOURCE = "made up"
_RELATIONS = (
    ("{0} lives in the town of {1}", "Which town does {0} live in?", "town"),
    ("{0} was founded by {1}", "Who founded {0}?", "person"),
    ("The director of {0} is {1}", "Who is the director of {0}?", "person"),
    ("{0} is employed by {1}", "Who is {0} employed by?", "firm"),
    ("{0} is located in the province of {1}", "Which province is {0} located in?", "town"),
    ("The official colour of {0} is {1}", "What is the official colour of {0}?", "colour"),
    ("{0} plays the part of {1}", "Which part does {0} play?", "part"),
    ("The flagship of {0} is the {1}", "What is the flagship of {0}?", "firm"),
)
_PARTS = ("pilot", "harbour master", "first mate", "tower keeper", "dock hand", "night watch", "cook", "signaller")
_COLOURS = ("teal", "crimson", "ochre", "slate grey", "ivory", "moss green", "indigo", "amber")


def _names(rng: random.Random, count: int, ending: str = "") -> list[str]:
    """Made-up names, no two alike."""
    vowels, consonants = "aeiou", "bdfgklmnprstvz"
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = (rng.choice(consonants) + rng.choice(vowels) for _ in range(rng.randint(2, 4)))
        found["".join(syllables).title() + ending] = None
    return list(found)


def made_up(seed: int, count: int) -> dict[str, Any]:
    """As many facts about a third as many keys, each key told one to five times with another value."""
    rng = generator(seed)
    subjects = [f"{one} {two}" for one, two in zip(_names(rng, count), _names(rng, count, "sen"), strict=True)]
    pools = {
        "town": _names(rng, count // 4 + 8, "ville"),
        "person": [f"{one} {two}" for one, two in zip(_names(rng, 60), _names(rng, 60, "man"), strict=True)],
        "firm": [f"{name} Works" for name in _names(rng, 60)],
        "colour": list(_COLOURS),
        "part": list(_PARTS),
    }
    told: list[tuple[int, str, str]] = []
    asking: dict[int, str] = {}
    for key in range(count // 3):
        said, asked, sort = rng.choice(_RELATIONS)
        for value in rng.sample(pools[sort], rng.randint(1, 5)):
            told.append((key, said.format(subjects[key], value), value))
            asking[key] = asked.format(subjects[key])
    rng.shuffle(told)
    newest = sorted({key: value for key, _text, value in told}.items())[:100]
    facts = "\n".join(f"{number}. {text}." for number, (_key, text, _value) in enumerate(told))
    return {
        "source": SOURCE,
        "context": f"Here is a list of facts:\n{facts}",
        "questions": [asking[key] for key, _value in newest],
        "answers": [[value] for _key, value in newest],
    }


def sources(options: Options) -> Iterator[dict[str, Any]]:
    """The sets to score."""
    if options.data:
        with open(options.data, encoding="utf-8") as file:
            yield from json.load(file)
        return
    yield made_up(options.seed, options.pick(30, 450, 2_300))


def _holds(text: str, answers: Sequence[str]) -> bool:
    return any(answer.lower() in text.lower() for answer in answers)


def newest_first(door: Door, facts: Sequence[str], questions: Sequence[str]) -> list[str]:
    """Tell all facts one after another, ask all questions, and give the first answer to each."""
    reader = Reader(AUTHOR)
    for fact in facts:
        commit(door, reader, Add(Draft(Kind.FACT, fact), provenance(Channel.USER_MESSAGE)))
    found = []
    for question in questions:
        with door.store.unit(reader) as unit:
            answer = recall(unit, Query(question, Moment(as_of=door.clock.now()), limit=1))
        found.append(answer.hits[0].entry.revision.statement.body if answer.hits else "")
    return found


def best_by_bm25(index: apsw.Connection, question: str) -> str:
    """The best of all facts for any of a question's words."""
    match = " OR ".join('"' + word.replace('"', '""') + '"' for word in question.split())
    best = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 1"
    for (body,) in index.execute(f"SELECT body FROM plain WHERE seq = ({best})", (match,)):  # noqa: S608 - our own text
        return str(body)
    return ""


def score(data: dict[str, Any]) -> tuple[tuple[float, float], tuple[float, float]]:
    """newest@1, and seconds for telling and asking, of Perdure and of BM25 over all facts."""
    facts = [line for line in data["context"].splitlines()[1:] if line.strip()]
    with tempfile.TemporaryDirectory(prefix="perdure-bench-") as root:
        store, door = _corpus.new_store(os.path.join(root, "ledger.db"))
        began = time.perf_counter()
        ours = newest_first(door, facts, data["questions"])
        told = time.perf_counter()
        store.close()
        index = plain_index(os.path.join(root, "plain.db"), enumerate(facts))
        plain = [best_by_bm25(index, question) for question in data["questions"]]
        index.close()
        taken = (round(told - began, 1), round(time.perf_counter() - told, 1))
    total = len(data["questions"])
    right = [
        sum(_holds(text, each) for text, each in zip(found, data["answers"], strict=True)) for found in (ours, plain)
    ]
    return (right[0] / total, right[1] / total), taken


def measure(options: Options) -> list[Figure]:
    """newest@1 and the time for each set, with BM25's beside it."""
    figures = []
    for data in sources(options):
        (ours, plain), taken = score(data)
        figures += [
            Figure(f"newest@1, {data['source']}", round(ours, 3), "", round(plain, 3), least=GOAL),
            Figure(f"telling and asking, {data['source']}", taken[0], "s", taken[1]),
        ]
    return [*figures, Figure("calls of a model", 0, most=0)]


if __name__ == "__main__":
    main(__doc__, measure)
