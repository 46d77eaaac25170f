"""The store's contract: work orders, and what models cost."""

from __future__ import annotations

import pytest

from perdure.domain.orders import OrderState, Spent, WorkOrder
from perdure.domain.record import replace
from perdure.testing.suites import ANA, BEN, StoreSuite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.ports import Store, Unit


def order(about: str = "s1", until: int = 9, **changes: object) -> WorkOrder:
    """Ana's order to extract from a session, unless told otherwise."""
    fresh = WorkOrder("extract", about, "ana", created=5, subject={"since": 0, "until": until}, due=5)
    return replace(fresh, **changes)


def lease(unit: Unit, now: int, until: int, worker: str = "t1") -> WorkOrder | None:
    """Take the next order of the tests' kind."""
    return unit.orders.lease(["extract", "verdict"], worker, now, until)


class OrdersSuite(StoreSuite):
    """An order is asked until it is answered, once, and belongs to its author."""

    def test_an_order_is_kept_as_it_was_put(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            kept = unit.orders.put(order(role="small", project="ferry"))
            assert kept == order(role="small", project="ferry", id=kept.id)
        with store.unit(ANA) as unit:
            assert unit.orders.get(kept.id) == kept
            assert unit.orders.newest("extract", "s1") == kept
            assert unit.orders.newest("extract", "s2") is None
            assert unit.orders.newest("verdict", "s1") is None
            assert unit.orders.get(kept.id + 1) is None

    def test_the_order_that_is_due_the_longest_is_leased_first(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for about, due in (("late", 90), ("second", 20), ("first", 10), ("third", 20)):
                unit.orders.put(order(about, due=due))
            unit.orders.put(order("other", kind="elsewhere", due=0))
            leased = [lease(unit, now=50, until=60) for _ in range(4)]
        assert [held and held.about for held in leased] == ["first", "second", "third", None]
        first = leased[0]
        assert first is not None
        assert (first.state, first.lease, first.token, first.attempts) == (OrderState.LEASED, 60, "t1", 1)

    def test_an_order_is_free_again_when_its_lease_has_run_out(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.orders.put(order())
            lost = lease(unit, now=10, until=20)
            assert lease(unit, now=19, until=30, worker="t2") is None
            held = lease(unit, now=20, until=30, worker="t2")
            assert lost is not None
            assert held is not None
            assert held.attempts == 2
            assert not unit.orders.release(replace(lost, state=OrderState.WAITING, reason="too late"))
            assert unit.orders.get(held.id) == held

    def test_who_holds_an_order_gives_it_back_to_be_due_later(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.orders.put(order())
            held = lease(unit, now=10, until=20)
            assert held is not None
            back = replace(held, state=OrderState.WAITING, lease=0, attempts=0, due=40, reason="no network")
            assert unit.orders.release(back)
            assert unit.orders.get(held.id) == back
            assert not unit.orders.release(back)
            assert lease(unit, now=39, until=50) is None
            assert lease(unit, now=40, until=50) is not None

    def test_an_order_is_answered_once_with_a_lease_or_without(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.orders.put(order())
            held = lease(unit, now=10, until=20)
            assert held is not None
            answered = replace(held, state=OrderState.DONE, lease=0, token="", served="a model")
            assert unit.orders.settle(answered)
            assert not unit.orders.settle(replace(answered, served="another"))
            assert unit.orders.get(held.id) == answered
            assert lease(unit, now=99, until=100) is None

    def test_a_refused_order_is_kept_with_answer_and_reason_until_it_is_put_right(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.orders.put(order())
            held = lease(unit, now=10, until=20)
            assert held is not None
            refused = replace(
                held, state=OrderState.REFUSED, lease=0, rejected=2, answer="No.", reason="no JSON", cut="half"
            )
            assert unit.orders.settle(refused)
            assert lease(unit, now=99, until=100) is None
            assert list(unit.orders.listed([OrderState.REFUSED], 9)) == [refused]
            assert unit.orders.settle(replace(refused, state=OrderState.WAITING, rejected=0))
            assert lease(unit, now=99, until=100) is not None

    def test_about_one_thing_one_order_waits_and_is_given_what_is_new(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            first = unit.orders.put(order(until=9))
            assert unit.orders.put(order(until=9, due=99)) == first
            grown = unit.orders.put(order(until=12, due=7))
            assert grown == replace(first, subject={"since": 0, "until": 12}, due=7)
            held = lease(unit, now=10, until=20)
            assert unit.orders.put(order(until=15)) == held

    @pytest.mark.parametrize("state", [OrderState.DONE, OrderState.REFUSED])
    def test_what_was_asked_is_not_asked_again_but_what_is_new_is(self, store: Store, state: OrderState) -> None:
        with store.unit(ANA, write=True) as unit:
            finished = replace(unit.orders.put(order(until=9)), state=state)
            unit.orders.settle(finished)
            assert unit.orders.put(order(until=9)) == finished
            fresh = unit.orders.put(order(until=12))
            assert fresh.id != finished.id
            assert fresh.state is OrderState.WAITING
            assert unit.orders.newest("extract", "s1") == fresh
            assert unit.orders.get(finished.id) == finished

    def test_orders_are_listed_by_how_they_stand_and_counted(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            assert unit.orders.counts() == {}
            one, two, three = (unit.orders.put(order(about)) for about in ("a", "b", "c"))
            unit.orders.settle(replace(two, state=OrderState.DONE))
        with store.unit(ANA) as unit:
            assert unit.orders.counts() == {OrderState.WAITING: 2, OrderState.DONE: 1}
            assert list(unit.orders.listed([OrderState.WAITING], 9)) == [three, one]
            assert [each.id for each in unit.orders.listed(list(OrderState), 2)] == [three.id, two.id]
            assert list(unit.orders.listed([], 9)) == []

    def test_an_order_is_its_author_s_alone(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            kept = unit.orders.put(order())
        with store.unit(BEN, write=True) as unit:
            assert unit.orders.get(kept.id) is None
            assert unit.orders.newest("extract", "s1") is None
            assert lease(unit, now=10, until=20) is None
            assert not unit.orders.settle(replace(kept, state=OrderState.DONE))
            assert list(unit.orders.listed(list(OrderState), 9)) == []
            assert unit.orders.put(order()).id != kept.id
        with store.unit(ANA) as unit:
            assert unit.orders.get(kept.id) == kept


class SpendingSuite(StoreSuite):
    """What models cost is counted by day and role, each author's own."""

    def test_calls_and_tokens_add_up_by_day_and_role(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.spending.add("2026-03-01", "small", 1, 100)
            unit.spending.add("2026-03-01", "default", 1, 900)
            unit.spending.add("2026-03-01", "default", 1, 50)
            unit.spending.add("2026-03-01", "default", 0, -20)
            unit.spending.add("2026-03-02", "default", 1, 7)
        with store.unit(BEN, write=True) as unit:
            unit.spending.add("2026-03-01", "default", 5, 5)
        with store.unit(ANA) as unit:
            assert list(unit.spending.of("2026-03-01")) == [Spent("default", 2, 930), Spent("small", 1, 100)]
            assert list(unit.spending.of("2026-03-03")) == []
