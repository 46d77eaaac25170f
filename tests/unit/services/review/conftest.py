from __future__ import annotations

import pytest

from perdure.domain import drafts
from perdure.domain.access import Reader
from perdure.domain.change import Add
from perdure.domain.memory import LATEST, Channel, provenance
from perdure.domain.proposal import Action, Member, Proposal
from perdure.domain.record import replace
from perdure.services import review
from perdure.services.write import commit
from perdure.testing.fakes import draft
from tests.unit.services.conftest import PROJECTS, reader

HAND = provenance(Channel.HAND)
ANA, BEN = reader(), reader("ben")


@pytest.fixture
def add(door):
    def added(body, by=ANA, origin=HAND, **changes):
        told = {"project": by.project} | changes
        return commit(door, by, Add(draft(body, **told), origin, anyway=True)).memory

    return added


@pytest.fixture
def propose(door, store):
    """Queue a proposal about memories as they are now; gives its id."""

    def proposed(action, *memories, body="", by=ANA, **changes):
        with store.unit(Reader("ana", frozenset(PROJECTS))) as unit:
            found = [unit.memories.get(name, LATEST) for name in memories]
        members = tuple(Member(each.memory.id, each.revision.id) for each in found)
        asked = Proposal(door.ids.new(), by.author, action, members, 0.6, "Both name it.", door.clock.now())
        if body:
            asked = replace(asked, draft=drafts.to_json(draft(body, project=by.project)))
        with store.unit(by, write=True) as unit:
            return unit.proposals.put(replace(asked, **changes))

    return proposed


@pytest.fixture
def timeout(add, propose):
    """Two statements of which the second may replace the first, and the proposal that asks so."""
    old, new = add("The session timeout is 30 minutes."), add("I think the timeout is now 15 minutes.")
    return old, new, propose(Action.SUPERSEDE, old, new)


def kept(store, name, by=ANA):
    with store.unit(by) as unit:
        return unit.proposals.get(name)


def seen(store, name, by=ANA):
    with store.unit(by) as unit:
        return review.view(unit, review.find(unit, name))


def everything(store, *memories):
    """All that a decision could have changed of memories."""
    with store.unit(ANA) as unit:
        chains = [list(unit.memories.history(name)) for name in memories]
        return chains, [list(unit.memories.links(name)) for name in memories], unit.changes.latest("ana")
