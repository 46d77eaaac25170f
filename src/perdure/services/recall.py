"""Recall: the memories that answer a question, or which kind of nothing there is."""

from __future__ import annotations

from enum import StrEnum

from perdure.domain import ranking
from perdure.domain.errors import NotFound, UsageError
from perdure.domain.ledger import Criteria
from perdure.domain.memory import LATEST, SUPERSEDES, State, may_be_injected
from perdure.domain.record import record, replace
from perdure.domain.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.memory import Entry, Kind, Moment
    from perdure.domain.ranking import Hit
    from perdure.ports import Unit

CANDIDATES_PER_HIT = 2
LEAST_CANDIDATES = 30
MOST_TERMS = 32
SHORTEST_NAME = 4


class Nothing(StrEnum):
    """Why a recall found nothing."""

    EMPTY = "nothing stored"
    SCOPE = "nothing in scope"
    FLOOR = "nothing passed"
    QUESTION = "nothing asked"


@record
class Query:
    """What is asked: ``at`` must name the time of asking in ``as_of``, since a store has no clock."""

    text: str
    at: Moment
    limit: int = 8
    floor: float = ranking.FLOOR
    kinds: tuple[Kind, ...] = ()
    injectable: bool = False
    superseded: bool = False
    """Whether statements that hold no more are found as well."""
    past: bool = False
    """Whether ``at`` is another time than now, so that words that hold no more are looked up too."""


@record
class Answer:
    """Hits, best first; where there are none, ``nothing`` says why and ``best`` what came nearest."""

    hits: tuple[Hit, ...]
    nothing: Nothing | None = None
    best: float = 0.0


def recall(unit: Unit, query: Query) -> Answer:
    """The best answers to a query in the reader's scope, none below the floor."""
    asked = query_terms(query.text, MOST_TERMS)
    if not asked:
        return Answer((), Nothing.QUESTION)
    total, frequencies = unit.search.frequencies(asked)
    if not total:
        return Answer((), Nothing.EMPTY)
    question = ranking.weigh(asked, total, frequencies)
    past = query.superseded or query.past or query.at.known_at is not None
    terms = ranking.searched(question, frequencies)
    matches = unit.search.lexical(terms, superseded=past, limit=max(LEAST_CANDIDATES, CANDIDATES_PER_HIT * query.limit))
    at = replace(query.at, as_of=None) if query.superseded else query.at
    entries = unit.memories.entries([match.seq for match in matches], at)
    best = max((match.score for match in matches), default=0.0)
    hits = [
        ranking.score(question, entries[match.seq], match.score, best, frequencies)
        for match in matches
        if match.seq in entries
    ]
    hits = [hit for hit in hits if _wanted(hit, query)]
    passed = ranking.distinct(ranking.order(hit for hit in hits if ranking.passes(hit, query.floor)))
    if passed:
        return Answer(tuple(passed[: query.limit]))
    nearest = max((hit.score for hit in hits), default=0.0)
    return Answer((), _kind_of_nothing(unit), nearest)


def _wanted(hit: Hit, query: Query) -> bool:
    if query.kinds and hit.entry.memory.kind not in query.kinds:
        return False
    return not query.injectable or may_be_injected(hit.entry.revision.provenance.trust)


def _kind_of_nothing(unit: Unit) -> Nothing:
    """Whether there was anything to find: outside a project one's own memories are, in a project its own."""
    shared = unit.reader.project and not unit.reader.everywhere
    own = unit.memories.heads(Criteria(limit=1)) if not shared else _of_project(unit)
    return Nothing.FLOOR if own else Nothing.SCOPE


def _of_project(unit: Unit) -> list[Entry]:
    found = unit.memories.heads(Criteria(limit=50))
    return [entry for entry in found if entry.memory.project == unit.reader.project]


def sentence(answer: Answer) -> str:
    """What to tell a person who got no hit."""
    if answer.nothing is Nothing.EMPTY:
        return "Nothing is stored yet."
    if answer.nothing is Nothing.SCOPE:
        return "Nothing is stored for this project yet. Ask all your projects with --everywhere."
    if answer.nothing is Nothing.QUESTION:
        return "There is nothing to look for in this question."
    nearest = f" (the nearest scored {answer.best:.2f})" if answer.best else ""
    return f"Nothing stored answers this{nearest}."


def find_one(unit: Unit, name: str) -> str:
    """The full id of the memory a person named, by its id or the start of its short name.

    Raises ``NotFound`` where nothing the reader may see answers to it, ``UsageError`` where several do.
    """
    wanted = name.strip().lower().lstrip("#").encode("utf-8", "replace").decode()
    found = unit.memories.resolve(wanted, 5) if len(wanted) >= SHORTEST_NAME else ()
    if not found:
        raise NotFound(f"There is no memory '{name}'. Use the eight digits that perdure recall prints.")
    if len(found) > 1:
        raise UsageError(f"'{name}' could be {len(found)} memories: {', '.join(found)}. Use the full id.")
    return found[0]


def replaced_by(unit: Unit, memory_id: str) -> Sequence[str]:
    """Ids of the memories that this one replaced and that were not brought back since."""
    links = [link for link in unit.memories.links(memory_id) if link.src == memory_id and link.kind == SUPERSEDES]
    return [link.dst for link in links if not stands_again(unit, link.dst)]


def stands_again(unit: Unit, memory_id: str) -> bool:
    """Whether a memory that was once superseded is active, since that was undone."""
    entry = unit.memories.get(memory_id, LATEST)
    return entry is not None and entry.revision.statement.state is State.ACTIVE
