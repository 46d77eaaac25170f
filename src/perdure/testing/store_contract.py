"""The contract of the store port: subclass it, give a ``store``, and hold an engine to every promise.

    class TestOurStore(StoreContract):
        @pytest.fixture
        def store(self, tmp_path):
            return open_store(str(tmp_path / "ledger.db"))

A ledger that several processes may open at once subclasses ``SharedStoreContract`` and gives ``connect``
instead: a function that opens one more store on the same ledger.
"""

from __future__ import annotations

from perdure.testing.suites.access import AccessSuite
from perdure.testing.suites.changes import ChangesSuite
from perdure.testing.suites.memories import LinksSuite, ListingsSuite, RevisionsSuite
from perdure.testing.suites.orders import OrdersSuite, SpendingSuite
from perdure.testing.suites.proposals import ProposalsSuite, SharedProposalsSuite
from perdure.testing.suites.search import IndexSuite, SearchSuite
from perdure.testing.suites.sessions import SessionsSuite, TurnsSuite
from perdure.testing.suites.times import TimesSuite
from perdure.testing.suites.units import SharedUnitsSuite, UnitsSuite
from perdure.testing.suites.upkeep import CountsSuite, JobsSuite, ProjectsSuite


class StoreContract(
    RevisionsSuite,
    LinksSuite,
    ListingsSuite,
    TimesSuite,
    AccessSuite,
    SearchSuite,
    IndexSuite,
    ChangesSuite,
    SessionsSuite,
    TurnsSuite,
    ProjectsSuite,
    JobsSuite,
    ProposalsSuite,
    OrdersSuite,
    SpendingSuite,
    CountsSuite,
    UnitsSuite,
):
    """Every promise of the port that one store can be held to."""


class SharedStoreContract(SharedUnitsSuite, SharedProposalsSuite, StoreContract):
    """Every promise of the port, those about several connections included."""
