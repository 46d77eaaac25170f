from __future__ import annotations

import pytest

from perdure.domain.change import Pin
from perdure.domain.errors import NotFound, UsageError
from perdure.domain.instants import DAY
from perdure.domain.memory import Kind, Type
from perdure.domain.proposal import Action, Standing
from perdure.domain.record import replace
from perdure.services import review
from perdure.services.write import commit
from tests.unit.services.review.conftest import ANA, BEN, HAND, kept

pytestmark = pytest.mark.req("review.queue")


@pytest.mark.req("review.stale")
def test_what_is_stale_is_set_aside_when_the_queue_is_looked_at(door, store, add, propose):
    pairs = [(add(f"Berth {number} is free."), add(f"Berth {number} is taken.")) for number in range(4)]
    names = [propose(Action.SUPERSEDE, *pair, confidence=0.9 - number / 10) for number, pair in enumerate(pairs)]
    for old, _new in pairs[:2]:
        commit(door, ANA, Pin(old, HAND))

    queue = review.waiting(door, ANA, 1)

    assert ([each.proposal.id for each in queue.views], queue.waiting) == ([names[2]], 2)
    assert [kept(store, name).standing for name in names] == [Standing.STALE] * 2 + [Standing.PENDING] * 2
    assert [each.proposal.id for each in review.waiting(door, ANA, 9).views] == names[2:]


@pytest.mark.req("review.queue")
def test_an_empty_queue_is_empty(door):
    assert review.waiting(door, ANA, 9) == review.Queue((), 0)


@pytest.mark.req("review.queue")
def test_another_s_proposal_is_as_good_as_none(door, store, timeout):
    name = timeout[2]

    for decide in (review.approve, review.reject):
        with pytest.raises(NotFound, match=f"There is no proposal '{name}'"):
            decide(door, BEN, name)
    assert review.waiting(door, BEN, 9) == review.Queue((), 0)
    assert kept(store, name).standing is Standing.PENDING


@pytest.mark.req("review.command")
@pytest.mark.parametrize(
    "name", ["", "abc", "deadbeef", "%", "x" * 9_000, "\x1b[31m", "\ud800\ud800\ud800\ud800", "0190'--"]
)
def test_a_name_that_means_nothing_is_told_so(store, timeout, name):
    with store.unit(ANA) as unit, pytest.raises(NotFound, match="There is no proposal"):
        review.find(unit, name)


@pytest.mark.req("review.command")
def test_a_proposal_is_found_by_the_start_of_its_short_name_when_that_is_one(store, add, propose, timeout):
    name = timeout[2]
    other = propose(Action.SUPERSEDE, *timeout[1::-1])
    with store.unit(ANA) as unit:
        assert [review.find(unit, each).id for each in (name, f" {name.upper()}", name.rpartition("-")[2][:8])] == [
            name
        ] * 3
        with pytest.raises(UsageError, match=f"'0000' could be several proposals: {name}, {other}"):
            review.find(unit, "0000")


@pytest.mark.req("review.fading")
def test_what_was_left_untouched_for_long_is_listed_longest_first(door, store, clock, add):
    first = add("The lamp is red.")
    plan = add("The lamp will be blue.", type=Type.PROSPECTIVE, kind=Kind.FORESIGHT)
    add("Red lamps are nice.", type=Type.PREFERENCE)
    add("What is known of lamps.", kind=Kind.PAGE)
    read = add("The lamp is on the pier.")
    pinned = add("The lamp is old.")
    commit(door, ANA, Pin(pinned, HAND))
    add("The lamp is ben's.", by=BEN)
    elsewhere = add("The lantern is green.", by=replace(ANA, project="lantern"))
    clock.pass_by(200 * DAY)
    add("The lamp is new.")
    with store.unit(ANA, write=True) as unit:
        unit.access.read([read], "ana", clock.now())

    def listed(by, days=review.STALE_DAYS):
        with store.unit(by) as unit:
            return [found.memory.id for found in review.fading(unit, clock.now(), days)]

    assert listed(ANA.asking_everywhere()) == [first, plan, elsewhere]
    assert listed(ANA) == [first, plan]
    assert (listed(ANA, 201), listed(BEN, 300)) == ([], [])
    assert listed(ANA, 36_500) == []


@pytest.mark.req("review.fading")
def test_of_much_that_was_left_the_fifty_oldest_are_listed(store, door, clock, add):
    names = [add(f"Berth {number} is free.") for number in range(55)]
    clock.pass_by(365 * DAY)

    with store.unit(ANA) as unit:
        assert [found.memory.id for found in review.fading(unit, clock.now())] == names[:50]
