"""The store's contract: the audit of changes, idempotency, and what undoing needs."""

from __future__ import annotations

from perdure.domain.ledger import AuditRow, ChangeRow
from perdure.testing.fakes import START, statement
from perdure.testing.suites import ANA, StoreSuite, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.ports import Store, Unit
    from perdure.testing.fakes import Scribe


def begin(unit: Unit, author: str = "ana", action: str = "add") -> int:
    """Begin a change that does nothing."""
    return unit.changes.begin(AuditRow(START, author, action, "m1", "hand", "by a test"))


class ChangesSuite(StoreSuite):
    """Every change has a number, an author and what it wrote."""

    def test_changes_are_numbered_in_order(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            numbers = [begin(unit) for _ in range(3)]
        with store.unit(ANA, write=True) as unit:
            numbers.append(begin(unit))
        assert sorted(set(numbers)) == numbers

    def test_a_change_of_nobody_is_refused(self, store: Store) -> None:
        with refused(store) as unit:
            begin(unit, author="")

    def test_what_was_entered_for_a_change_can_be_read_again(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            first, second = begin(unit), begin(unit, author="ben", action="edit")
            assert unit.changes.audit(first) == AuditRow(START, "ana", "add", "m1", "hand", "by a test")
        with store.unit(ANA) as unit:
            assert unit.changes.audit(second) == AuditRow(START, "ben", "edit", "m1", "hand", "by a test")
            assert [unit.changes.audit(number) for number in (0, -1, second + 1)] == [None] * 3

    def test_a_change_that_concerns_no_memory_is_never_the_one_to_undo(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            mine = begin(unit)
            unit.changes.begin(AuditRow(START, "ana", "admit", "", "hand"))
            assert unit.changes.latest("ana") == mine

    def test_a_key_remembers_the_change_it_made(self, store: Store) -> None:
        made = ChangeRow(3, "m1", "r1")
        with store.unit(ANA, write=True) as unit:
            assert unit.changes.made(["s/10/0"]) == {}
            unit.changes.remember("s/10/0", made)
            assert unit.changes.made(["s/10/0"]) == {"s/10/0": made}
        with store.unit(ANA) as unit:
            assert unit.changes.made(["s/10", "s/10/0", "s/1"]) == {"s/10/0": made}
            assert unit.changes.made([]) == {}

    def test_a_key_is_bound_once(self, store: Store) -> None:
        with refused(store) as unit:
            unit.changes.remember("key", ChangeRow(1, "m1", "r1"))
            unit.changes.remember("key", ChangeRow(1, "m1", "r1"))
        with store.unit(ANA) as unit:
            assert unit.changes.made(["key"]) == {}

    def test_a_change_gives_the_revisions_it_wrote_in_order(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("one"))
            number = begin(unit)
            second = scribe.add(unit, statement("two"), change=number)
            third = scribe.revise(unit, first, statement("three"), START + 1, change=number)
        with store.unit(ANA) as unit:
            assert list(unit.changes.revisions(number)) == [second.revision, third.revision]
            assert list(unit.changes.revisions(number + 99)) == []

    def test_the_latest_change_is_the_authors_own(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            assert unit.changes.latest("ana") is None
            mine = begin(unit)
            theirs = begin(unit, author="ben")
            assert (unit.changes.latest("ana"), unit.changes.latest("ben")) == (mine, theirs)

    def test_a_change_is_undone_once_and_then_the_one_before_is_latest(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            first, second = begin(unit), begin(unit)
            undo = begin(unit, action="undo")
            assert unit.changes.latest("ana") == second
            assert unit.changes.undone(second, undo)
            assert not unit.changes.undone(second, undo)
            assert unit.changes.latest("ana") == first
            assert unit.changes.undone(first, begin(unit, action="undo"))
            assert unit.changes.latest("ana") is None
            assert [unit.changes.undoing(number) for number in (second, undo, undo + 99)] == [undo, None, None]

    def test_a_change_that_is_not_there_cannot_be_undone(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            assert not unit.changes.undone(begin(unit) + 9, 1)
