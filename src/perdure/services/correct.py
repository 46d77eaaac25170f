"""Detection at the door: what a new statement repeats or corrects among those that are known.

Looked at are the active statements of the same audience that name the same subject and relation, and those that share
most of its words. What is found is a value; the door decides what is applied at once and what a person is asked.
"""

from __future__ import annotations

from perdure.domain import assertions, corrections, ranking
from perdure.domain.access import audience_of
from perdure.domain.corrections import Kind, Relation
from perdure.domain.memory import KINDS, LATEST, Channel, State, Trust, disjoint
from perdure.domain.record import record
from perdure.domain.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.domain.memory import Entry, Provenance, Statement
    from perdure.ports import Unit

SAME_KEY = 20
SAME_WORDS = 12
MOST_TERMS = 24
MOST_PROPOSED = 3
OWN = frozenset({Channel.HAND, Channel.USER_MESSAGE})
"""Channels whose word is the user's own: what they correct exactly is corrected at once."""
UNGATED = frozenset({Channel.IMPORT, Channel.DOCUMENT})
"""Channels that bring much at once: consolidation looks at it later."""


@record
class Finding:
    """A known entry and how the new statement stands to it.

    ``later`` says that the known one is the newer of the two by event time: then it is the new one that is corrected.
    """

    entry: Entry
    relation: Relation
    later: bool = False


@record
class Findings:
    """What to do about a new statement: ``repeated`` by it, surely ``replaced``, and ``doubtful``."""

    repeated: Finding | None = None
    replaced: tuple[Finding, ...] = ()
    doubtful: tuple[Finding, ...] = ()


NONE = Findings()


def compare(unit: Unit, statement: Statement, audience: str, origin: Provenance, *, but: str = "") -> Findings:
    """Compare a new statement with what its author knows in the audience; ``but`` is a memory to leave out."""
    if origin.channel in UNGATED:
        return NONE
    new = corrections.read(statement.body)
    found: list[Finding] = []
    for entry in _known(unit, statement, audience):
        if entry.memory.id == but or disjoint(entry.revision.statement, statement):
            continue
        old = corrections.read(entry.revision.statement.body)
        later = entry.revision.statement.valid_from > statement.valid_from and not _numbered(new, old)
        relation = corrections.relate(old, new) if later else corrections.relate(new, old)
        if relation is not None:
            found.append(Finding(entry, relation, later))
    return _sorted_out(found, origin)


def _numbered(new: corrections.Reading, old: corrections.Reading) -> bool:
    """Whether both stand in a numbered list, whose numbers say which is later."""
    one, other = new.assertion, old.assertion
    return one is not None and other is not None and one.number is not None and other.number is not None


def _known(unit: Unit, statement: Statement, audience: str) -> Iterator[Entry]:
    """The author's active statements of an audience that could have to do with a statement, each once."""
    seqs: dict[int, None] = {}
    assertion = assertions.of(statement.body)
    if assertion is not None:
        seqs |= dict.fromkeys(unit.memories.about(audience, assertion.subject, assertion.relation, SAME_KEY))
    asked = query_terms(statement.body, MOST_TERMS)
    if asked:
        total, frequencies = unit.search.frequencies(asked)
        terms = ranking.searched(ranking.weigh(asked, total, frequencies), frequencies)
        seqs |= dict.fromkeys(match.seq for match in unit.search.lexical(terms, superseded=False, limit=SAME_WORDS))
    for entry in unit.memories.entries(list(seqs), LATEST).values():
        memory, known = entry.memory, entry.revision.statement
        if (
            memory.author == unit.reader.author
            and audience_of(memory) == audience
            and KINDS[memory.kind].corrects
            and known.state is State.ACTIVE
        ):
            yield entry


def _sorted_out(found: list[Finding], origin: Provenance) -> Findings:
    own = origin.channel in OWN and origin.trust is Trust.USER
    replaced = tuple(each for each in found if each.relation.kind is Kind.REPLACES and each.relation.exact and own)
    repeated = max(
        (each for each in found if each.relation.kind is Kind.REPEATS),
        key=lambda each: each.relation.confidence,
        default=None,
    )
    if repeated is not None and not replaced:
        return Findings(repeated=repeated)
    doubtful = [each for each in found if each.relation.kind is Kind.REPLACES and each not in replaced]
    doubtful.sort(key=lambda each: (-each.relation.confidence, -each.entry.revision.seq))
    return Findings(None, replaced, tuple(doubtful[:MOST_PROPOSED]))
