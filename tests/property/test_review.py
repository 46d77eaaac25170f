from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain import drafts
from perdure.domain.access import Reader
from perdure.domain.change import Add, Pin, Undo
from perdure.domain.errors import Conflict
from perdure.domain.ledger import Criteria
from perdure.domain.memory import Channel, Kind, State, provenance
from perdure.domain.proposal import Action, Member, Proposal, Standing
from perdure.safety.redaction import default_redactor
from perdure.services import review
from perdure.services.write import Door, commit
from perdure.testing.fakes import FakeClock, SequentialIds, draft
from perdure.testing.memory_store import MemoryStore

pytestmark = pytest.mark.req("review.once")

ANA = Reader("ana")
HAND = provenance(Channel.HAND)
SAYINGS = [{f"Berth {number} is {state}." for state in ("free", "full", "free or full")} for number in range(2)]
STEPS = st.tuples(st.sampled_from(["approve", "reject", "undo", "pin", "look"]), st.integers(0, 3))


def set_up(door):
    """Two berths, of each two statements and two proposals; gives the names of the statements and of the proposals."""
    memories, proposals = [], []
    for number in range(2):
        said = [draft(f"Berth {number} is {state}.") for state in ("free", "full")]
        pair = [commit(door, ANA, Add(each, HAND, anyway=True)) for each in said]
        memories += [each.memory for each in pair]
        members = tuple(Member(each.memory, each.revision) for each in pair)
        told = drafts.to_json(draft(f"Berth {number} is free or full."))
        for action in (Action.SUPERSEDE, Action.MERGE):
            asked = Proposal(door.ids.new(), "ana", action, members, 0.5, "", door.clock.now(), told)
            with door.store.unit(ANA, write=True) as unit:
                proposals.append(unit.proposals.put(asked))
    return memories, proposals


def kept(door, name):
    with door.store.unit(ANA) as unit:
        return unit.proposals.get(name)


@given(st.lists(STEPS, max_size=12))
def test_whatever_is_done_a_proposal_is_decided_once_and_no_berth_is_left_without_a_statement(steps):
    door = Door(MemoryStore(), FakeClock(), SequentialIds(), default_redactor())
    memories, proposals = set_up(door)

    for step, number in steps:
        before = kept(door, proposals[number])
        decided = before.standing is not Standing.PENDING
        try:
            if step == "undo":
                if before.change is not None:
                    commit(door, ANA, Undo(HAND, before.change))
            elif step == "pin":
                commit(door, ANA, Pin(memories[number], HAND))
            elif step == "look":
                assert not any(each.stale for each in review.waiting(door, ANA, 1).views)
            else:
                getattr(review, step)(door, ANA, proposals[number])
        except Conflict:
            assert decided
        if decided:
            assert kept(door, proposals[number]) == before
    with door.store.unit(ANA) as unit:
        heads = [each.revision.statement for each in unit.memories.heads(Criteria(kinds=(Kind.FACT,)))]
    standing = {each.body for each in heads if each.state is State.ACTIVE}
    assert all(said & standing for said in SAYINGS)
