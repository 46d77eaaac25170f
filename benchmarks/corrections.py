"""Which statements retire or ask to retire others: ``python -m benchmarks.corrections [--long]``.

Each pair of ``_corrections_set`` is told by an author of its own, with what stands between the two. Precision is the
share of retirements that were right; recall the share of corrections whose older statement was retired at once or is
named by a proposal. The free half, in wordings that no pattern holds, comes first. The baseline is a rule that lets the
newer statement retire the earlier one that shares most with it by BM25.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import _corpus, _corrections_set
from benchmarks._corrections_set import ALIKE, FREE, PLAIN, TRUE, pairs
from benchmarks._home import AUTHOR
from benchmarks._lib import Figure, Options, main
from benchmarks.recall import plain_index
from perdure.domain.access import Reader
from perdure.domain.change import Add, Denied, Draft, Parked, Unchanged, Written
from perdure.domain.ledger import ProjectRow
from perdure.domain.memory import Channel, Kind, provenance
from perdure.domain.project import project_keys
from perdure.services.write import commit

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from benchmarks._corrections_set import Pair
    from perdure.domain.change import Outcome
    from perdure.domain.proposal import Proposal
    from perdure.services.write import Door

PRECISION, RECALL = 1.0, 0.9
MOST_PROPOSALS = 50
_IDEOGRAPH = re.compile("([\u3040-\u30ff\u3400-\u9fff])")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a pair: retired rightly, how many wrongly, found at all, asked without reason, told in vain.

    ``wrong`` counts retired statements, ``bystanders`` proposals that name what was told in between; ``lost`` counts
    statements that were neither recorded nor kept in a proposal.
    """

    pair: Pair
    right: bool
    wrong: int
    found: bool
    asked: bool = False
    bystanders: int = 0
    lost: int = 0


class _Telling:
    """Tells one pair to a store and sees what becomes of it."""

    def __init__(self, door: Door, pair: Pair) -> None:
        self._door = door
        self._pair = pair
        self._project = f"shared-{pair.id}" if pair.stranger else ""
        self._closed: list[str] = []
        self.lost = 0

    def reader(self, name: str) -> Reader:
        projects = frozenset({self._project} if self._project else ())
        return Reader(f"{name}-{self._pair.id}", projects, self._project)

    def share(self) -> None:
        """Make the project in which two authors tell their own."""
        if not self._project:
            return
        with self._door.store.unit(Reader(AUTHOR), write=True) as unit:
            keys = [str(key) for key in project_keys(None, "", (), f"/srv/{self._project}")]
            unit.projects.create(ProjectRow(self._project, self._project, _corpus.START), keys)
            for name in ("teller", "stranger"):
                unit.projects.admit(self._project, self.reader(name).author, _corpus.START)

    def say(self, name: str, body: str, valid_from: int | None = None, valid_to: int | None = None) -> Outcome:
        draft = Draft(Kind.FACT, body, project=self._project, valid_from=valid_from, valid_to=valid_to)
        outcome = commit(self._door, self.reader(name), Add(draft, provenance(Channel.USER_MESSAGE)))
        self._closed += outcome.closed if isinstance(outcome, Written) else ()
        self.lost += isinstance(outcome, Unchanged | Denied)
        return outcome

    def verdict(self) -> Verdict:
        """Tell all, one after another."""
        pair = self._pair
        self.share()
        older = self.say("stranger" if pair.stranger else "teller", pair.older, pair.older_from, pair.older_to)
        for body in pair.between:
            self.say("teller", body)
        newer = self.say("teller", pair.newer, pair.newer_from)
        ids = [each.memory if isinstance(each, Written) else "" for each in (older, newer)]
        with self._door.store.unit(self.reader("teller")) as unit:
            pending = unit.proposals.pending(MOST_PROPOSALS)
        raised = newer.proposed if isinstance(newer, Written) else ()
        named = [each for each in pending if each.id in raised and _members(each) == set(ids)]
        if isinstance(newer, Parked):
            named += [each for each in pending if each.id == newer.proposal and ids[0] in _members(each)]
        true = pair.group == TRUE
        right = true and isinstance(newer, Written) and ids[0] in newer.closed
        return Verdict(
            pair,
            right=right,
            wrong=len(self._closed) - right,
            found=true and (right or bool(named)),
            asked=not true and bool(pending) and not pair.same,
            bystanders=sum(bool(_members(each) - set(ids)) for each in pending),
            lost=self.lost,
        )


def _members(proposal: Proposal) -> set[str]:
    return {member.memory for member in proposal.members}


def told(door: Door, chosen: Sequence[Pair]) -> list[Verdict]:
    """What becomes of each pair in one store."""
    return [_Telling(door, pair).verdict() for pair in chosen]


def _words(text: str) -> str:
    """A text with each sign of Chinese and Japanese as a word."""
    return _IDEOGRAPH.sub(r" \1 ", text)


def by_overlap(index: apsw.Connection, pair: Pair, rows: Sequence[int]) -> Verdict:
    """The baseline's verdict: of the earlier statements (the first is the older one) the most alike is retired."""
    match = " OR ".join('"' + word.replace('"', '""') + '"' for word in _words(pair.newer).split())
    among = ", ".join(str(row) for row in rows)
    best = f"SELECT rowid FROM words WHERE words MATCH ? AND rowid IN ({among}) ORDER BY rank LIMIT 1"  # noqa: S608 - numbers
    retired = [row for (row,) in index.execute(best, (match,))]
    right = pair.group == TRUE and retired == [rows[0]]
    return Verdict(
        pair, right=right, wrong=len(retired) - right, found=right, asked=pair.group == ALIKE and bool(retired)
    )


def baseline(root: str, chosen: Sequence[Pair]) -> list[Verdict]:
    """The baseline's verdicts, with the rarity of words taken from the whole set."""
    texts = [text for pair in chosen for text in (pair.older, *pair.between)]
    index = plain_index(os.path.join(root, "plain.db"), enumerate(map(_words, texts)))
    verdicts = []
    first = 0
    for pair in chosen:
        after = first + 1 + len(pair.between)
        verdicts.append(by_overlap(index, pair, range(first, after)))
        first = after
    index.close()
    return verdicts


def precision(verdicts: Sequence[Verdict]) -> float:
    """The share of retirements that were right; 1 where there were none."""
    right = sum(each.right for each in verdicts)
    every = right + sum(each.wrong for each in verdicts)
    return round(right / every, 3) if every else 1.0


def _share(flags: Sequence[bool]) -> float:
    return round(sum(flags) / len(flags), 3) if flags else 0.0


def _recall(verdicts: Sequence[Verdict]) -> float:
    return _share([each.found for each in verdicts if each.pair.group == TRUE])


def _at_once(verdicts: Sequence[Verdict]) -> float:
    return _share([each.right for each in verdicts if each.pair.group == TRUE])


def _asked(verdicts: Sequence[Verdict]) -> float:
    return _share([each.asked for each in verdicts if each.pair.group == ALIKE])


def _figures(name: str, ours: Sequence[Verdict], plain: Sequence[Verdict], *, goals: bool) -> list[Figure]:
    """The four figures of one part of the set."""
    least = (PRECISION, RECALL) if goals else (None, None)
    return [
        Figure(f"{name}: precision of applied", precision(ours), "", precision(plain), least=least[0]),
        Figure(f"{name}: recall of detected", _recall(ours), "", _recall(plain), least=least[1]),
        Figure(f"{name}: corrections applied at once", _at_once(ours), "", _at_once(plain)),
        Figure(f"{name}: look-alikes with a proposal", _asked(ours), "", _asked(plain)),
    ]


def report(ours: Sequence[Verdict], plain: Sequence[Verdict]) -> list[Figure]:
    """The free half, the plain half, all, and each language."""

    def part(verdicts: Sequence[Verdict], what: str) -> list[Verdict]:
        return [each for each in verdicts if what in {"all", each.pair.wording, each.pair.language}]

    figures = []
    for name in (FREE, PLAIN, "all"):
        figures += _figures(name, part(ours, name), part(plain, name), goals=True)
    figures += [
        Figure("proposals that name a bystander", sum(each.bystanders for each in ours)),
        Figure("statements lost", sum(each.lost for each in ours), most=0),
    ]
    for name in _corrections_set.FRAMES:
        figures += _figures(name, part(ours, name), part(plain, name), goals=False)
    return figures


def measure(options: Options) -> list[Figure]:
    """All figures of the set that the seed draws."""
    chosen = pairs(options.seed, options.pick(80, 400, 1_200))
    with tempfile.TemporaryDirectory(prefix="perdure-bench-") as root:
        store, door = _corpus.new_store(os.path.join(root, "ledger.db"))
        ours = told(door, chosen)
        store.close()
        plain = baseline(root, chosen)
    return report(ours, plain)


if __name__ == "__main__":
    main(__doc__, measure)
