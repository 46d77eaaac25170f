"""The store's contract: the review queue."""

from __future__ import annotations

import math
from functools import partial

import pytest

from perdure.domain.proposal import Action, Member, Proposal, Standing
from perdure.domain.record import replace
from perdure.testing.fakes import START, SequentialIds
from perdure.testing.suites import ANA, BEN, SharedStoreSuite, StoreSuite, refused
from perdure.testing.suites.units import together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from perdure.ports import Store

NAMES = [SequentialIds(after).new() for after in range(12)]
PAIR = (Member("m1", "r1"), Member("m2", "r2"))


def proposal(number: int = 0, **changes: Any) -> Proposal:  # noqa: ANN401 - fields of Proposal
    """Ana's proposal that one memory gives way to another, unless told otherwise."""
    fresh = Proposal(NAMES[number], "ana", Action.SUPERSEDE, PAIR, 0.5, "Both name the timeout.", START)
    return replace(fresh, **changes)


def about(number: int, **changes: Any) -> Proposal:  # noqa: ANN401
    """A proposal about memories of its own."""
    return proposal(number, members=(Member(f"m{number}", "r"), Member("new", "r")), **changes)


class ProposalsSuite(StoreSuite):
    """A proposal is asked until its author decides it, once."""

    def test_a_proposal_is_kept_as_it_was_put(self, store: Store) -> None:
        draft = {
            "kind": "fact",
            "body": "Le délai est de 15 minutes. 十五分",
            "tags": ["x"],
            "attrs": {"deep": [1, None]},
        }
        merge = proposal(1, action=Action.MERGE, members=(*PAIR, Member("m3", "r3")), draft=draft, confidence=1.0)
        with store.unit(ANA, write=True) as unit:
            assert [unit.proposals.put(each) for each in (proposal(), merge)] == NAMES[:2]
        with store.unit(ANA) as unit:
            assert [unit.proposals.get(name) for name in NAMES[:3]] == [proposal(), merge, None]

    def test_what_was_asked_once_about_the_same_revisions_is_not_asked_again(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.proposals.put(proposal())
            assert unit.proposals.put(proposal(1, confidence=0.9, reason="Again.")) == NAMES[0]
            assert unit.proposals.decide(proposal(standing=Standing.REJECTED))
            assert unit.proposals.put(proposal(2)) == NAMES[0]
            others = [
                proposal(3, action=Action.MERGE),
                proposal(4, members=PAIR[::-1]),
                proposal(5, members=(PAIR[0], Member("m2", "r3"))),
            ]
            assert [unit.proposals.put(each) for each in others] == NAMES[3:6]
            assert list(unit.proposals.pending(9)) == others

    def test_the_surest_comes_first_and_among_equals_the_oldest(self, store: Store) -> None:
        asked = [
            about(1, confidence=0.5, created=START + 1),
            about(2, confidence=0.9, created=START + 5),
            about(3, confidence=0.5),
            about(4, confidence=0.5),
            about(5, confidence=0.9, standing=Standing.STALE),
        ]
        with store.unit(ANA, write=True) as unit:
            for each in asked:
                unit.proposals.put(each)
            assert unit.proposals.decide(asked[4])
            order = [asked[1], asked[2], asked[3], asked[0]]
            assert list(unit.proposals.pending(9)) == order
            assert list(unit.proposals.pending(2)) == order[:2]
            assert unit.proposals.count() == len(order)

    @pytest.mark.parametrize("standing", [Standing.APPROVED, Standing.REJECTED, Standing.STALE])
    def test_a_decision_is_recorded_once_and_changes_nothing_else(self, store: Store, standing: Standing) -> None:
        told: dict[str, Any] = {"standing": standing, "note": "As said — ja.", "resolved": START + 7, "change": 3}
        with store.unit(ANA, write=True) as unit:
            unit.proposals.put(proposal())
            assert unit.proposals.decide(proposal(confidence=1.0, reason="", members=PAIR[:1], **told))
        with store.unit(ANA, write=True) as unit:
            assert not unit.proposals.decide(proposal(standing=Standing.REJECTED, note="Too late."))
            assert not unit.proposals.decide(proposal(9, standing=standing))
            assert unit.proposals.get(NAMES[0]) == proposal(**told)
            assert (list(unit.proposals.pending(9)), unit.proposals.count()) == ([], 0)

    def test_a_proposal_is_found_by_its_id_and_by_the_start_of_its_short_name(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for number in range(3):
                unit.proposals.put(about(number))
            assert unit.proposals.decide(about(1, standing=Standing.REJECTED))
            assert list(unit.proposals.resolve(NAMES[1], 5)) == [NAMES[1]]
            assert list(unit.proposals.resolve(NAMES[2].rpartition("-")[2][:8], 5)) == [NAMES[2]]
            assert list(unit.proposals.resolve("0000000", 5)) == NAMES[:3]
            assert list(unit.proposals.resolve("0000000", 2)) == NAMES[:2]
            for odd in ("%", "_", "01900000", "'", "ffff", NAMES[0][:-1]):
                assert list(unit.proposals.resolve(odd, 5)) == []

    def test_each_author_sees_and_decides_their_own(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.proposals.put(proposal())
        with store.unit(BEN, write=True) as unit:
            assert unit.proposals.put(proposal(1, author="ben")) == NAMES[1]
            assert unit.proposals.get(NAMES[0]) is None
            assert list(unit.proposals.resolve(NAMES[0], 5)) == []
            assert list(unit.proposals.resolve("0000", 5)) == [NAMES[1]]
            assert list(unit.proposals.pending(9)) == [proposal(1, author="ben")]
            assert unit.proposals.count() == 1
            assert not unit.proposals.decide(proposal(standing=Standing.APPROVED))
        with store.unit(ANA) as unit:
            assert list(unit.proposals.pending(9)) == [proposal()]

    @pytest.mark.parametrize("confidence", [-0.1, 1.1, math.nan])
    def test_a_confidence_outside_its_range_is_refused(self, store: Store, confidence: float) -> None:
        with refused(store) as unit:
            unit.proposals.put(proposal(confidence=confidence))
        with store.unit(ANA) as unit:
            assert unit.proposals.count() == 0

    def test_a_name_that_is_taken_is_refused(self, store: Store) -> None:
        with refused(store) as unit:
            unit.proposals.put(about(1))
            unit.proposals.put(about(2, id=NAMES[1]))


class SharedProposalsSuite(SharedStoreSuite):
    """Several connections on one queue."""

    def test_of_many_who_decide_at_once_one_does(self, connect: Callable[[], Store]) -> None:
        decided: list[str] = []

        def decide(store: Store, note: str) -> None:
            with store.unit(ANA, write=True) as unit:
                done = unit.proposals.decide(proposal(standing=Standing.APPROVED, note=note))
            if done:
                decided.append(note)

        with connect().unit(ANA, write=True) as unit:
            unit.proposals.put(proposal())
        together([partial(decide, connect(), note) for note in "abcd"])
        with connect().unit(ANA) as unit:
            assert [unit.proposals.get(NAMES[0])] == [
                proposal(standing=Standing.APPROVED, note=note) for note in decided
            ]
