"""What a session is given at its start, and how all that is given is presented."""

from __future__ import annotations

from perdure.domain import tokens
from perdure.domain.instants import DAY, day
from perdure.domain.ledger import Criteria
from perdure.domain.memory import Kind, Moment, Type, handle
from perdure.domain.packing import Budget, Packer
from perdure.domain.record import record
from perdure.safety.defang import defang
from perdure.safety.fence import fence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from perdure.domain.memory import Entry
    from perdure.ports import Unit

START_BUDGET = Budget(tokens=2_000, characters=8_000)

FENCE_COST = Budget(tokens=120, characters=480)
"""What the fence and its note take from every budget."""

LINE_TOKENS = 70
PREFERENCES, FACTS, PLANS = 10, 10, 5
DUE_WITHIN = 14 * DAY


@record
class Given:
    """A text for a session and the memories in it; both empty when there is nothing to say."""

    text: str = ""
    memories: tuple[str, ...] = ()


def line(entry: Entry, limit: int = LINE_TOKENS) -> str:
    """One memory in one line: its name, its day, its words up to ``limit`` tokens."""
    statement = entry.revision.statement
    words = statement.body
    if statement.title and not words.startswith(statement.title):
        words = f"{statement.title}: {words}"
    kept = tokens.cut(" ".join(words.split()), limit)
    return f"- [{handle(entry.memory.id)}] {day(statement.valid_from)} {kept}"


class Sheet:
    """A text in the making: no memory twice, each section within its share, room left for the fence."""

    def __init__(self, budget: Budget, without: Collection[str]) -> None:
        """Start empty. ``without`` are memories that are given already."""
        self._packer = Packer(Budget(budget.tokens - FENCE_COST.tokens, budget.characters - FENCE_COST.characters))
        self._without = set(without)
        self.memories: list[str] = []

    def section(self, heading: str, entries: Iterable[Entry], share: int, show: Callable[[Entry], str] = line) -> None:
        """Add entries under a heading until the section has used ``share`` tokens."""
        self._packer.head(heading)
        least = self._packer.left - share
        for entry in entries:
            if entry.memory.id in self._without:
                continue
            if self._packer.left <= least or not self._packer.take(show(entry)):
                break
            self._without.add(entry.memory.id)
            self.memories.append(entry.memory.id)

    def given(self) -> Given:
        """What came together."""
        return Given(self._packer.text, tuple(self.memories)) if self.memories else Given()


def briefing(unit: Unit, now: int, budget: Budget = START_BUDGET, without: Collection[str] = ()) -> Given:
    """What a session should know at its start, most binding first.

    Pinned memories, preferences, foresights with the due ones first, the last session, decisions and facts, then
    what happened lately. Nothing that came from tools, files or the web is in it.
    """

    def heads(
        limit: int, kinds: tuple[Kind, ...] = (), types: tuple[Type, ...] = (), *, pinned: bool = False
    ) -> list[Entry]:
        at = Moment(as_of=now)
        return list(unit.memories.heads(Criteria(kinds, types, pinned=pinned, injectable=True, limit=limit, at=at)))

    sheet = Sheet(budget, without)
    share = budget.tokens // 20
    sheet.section("Pinned", heads(12, pinned=True), 6 * share)
    sheet.section("Preferences", heads(PREFERENCES, types=(Type.PREFERENCE,)), 4 * share)
    ahead = sorted(heads(4 * PLANS, (Kind.FORESIGHT,)), key=_end)[:PLANS]
    sheet.section("Ahead", ahead, 3 * share, lambda entry: _ahead(entry, now))
    facts = heads(FACTS, (Kind.FACT, Kind.CASE))
    kept = {_turn(entry) for entry in facts} - {""}
    episodes = [entry for entry in heads(16, (Kind.EPISODE,)) if _turn(entry) not in kept]
    last = [entry for entry in episodes if _session(entry) and _session(entry) == _session(_latest_told(episodes))]
    sheet.section("The last session", reversed(last[:6]), 4 * share)
    sheet.section("Decisions and facts", facts, 6 * share)
    sheet.section("Lately", episodes, 4 * share)
    return sheet.given()


def _session(entry: Entry) -> str:
    return entry.revision.provenance.session


def _turn(entry: Entry) -> str:
    """The turn a memory was taken from: of what was said in one turn, the statement is given and not the episode."""
    return str(entry.revision.statement.attrs.get("turn", ""))


def _latest_told(episodes: list[Entry]) -> Entry:
    return next((entry for entry in episodes if _session(entry)), episodes[0])


def _end(entry: Entry) -> tuple[bool, int]:
    ends = entry.revision.statement.valid_to
    return (ends is None, ends or 0)


def _ahead(entry: Entry, now: int) -> str:
    ends = entry.revision.statement.valid_to
    if ends is None:
        return line(entry)
    return f"{line(entry)} ({'due' if ends - now <= DUE_WITHIN else 'until'} {day(ends)})"


def present(kind: str, given: Given, redact: Callable[[str], str], nonce: str) -> str:
    """The fenced text that goes before a model: redacted and defanged once more, since this is an exit."""
    return fence(kind, redact(defang(given.text)), nonce) if given.text else ""
