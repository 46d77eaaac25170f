from __future__ import annotations

from contextlib import ExitStack

import pytest

from perdure.domain.access import Reader
from perdure.store.sqlite import open_store
from perdure.testing import suites
from perdure.testing.fakes import Scribe
from perdure.testing.memory_store import Ledger, MemoryStore
from perdure.testing.store_contract import SharedStoreContract
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


class Engines:
    """Each suite runs on the model and on SQLite."""

    @pytest.fixture(params=["memory", "sqlite"])
    def connect(self, request, tmp_path):
        ledger = Ledger()
        with ExitStack() as opened:

            def connect_sqlite():
                store = open_store(str(tmp_path / "ledger.db"))
                opened.callback(store.close)
                return store

            yield connect_sqlite if request.param == "sqlite" else lambda: MemoryStore(ledger)

    @pytest.fixture
    def store(self, connect):
        return connect()


@pytest.mark.req("store.revisions")
class TestRevisions(Engines, RevisionsSuite):
    pass


@pytest.mark.req("store.revisions")
class TestLinks(Engines, LinksSuite):
    pass


@pytest.mark.req("store.listings")
class TestListings(Engines, ListingsSuite):
    pass


@pytest.mark.req("store.times")
class TestTimes(Engines, TimesSuite):
    pass


@pytest.mark.req("store.access")
class TestAccess(Engines, AccessSuite):
    pass


@pytest.mark.req("store.search")
class TestSearch(Engines, SearchSuite):
    pass


@pytest.mark.req("store.index")
class TestIndex(Engines, IndexSuite):
    pass


@pytest.mark.req("store.changes")
class TestChanges(Engines, ChangesSuite):
    pass


@pytest.mark.req("store.sessions")
class TestSessions(Engines, SessionsSuite):
    pass


@pytest.mark.req("store.sessions")
class TestTurns(Engines, TurnsSuite):
    pass


@pytest.mark.req("store.projects")
class TestProjects(Engines, ProjectsSuite):
    pass


@pytest.mark.req("store.jobs")
class TestJobs(Engines, JobsSuite):
    pass


@pytest.mark.req("review.queue")
class TestProposals(Engines, ProposalsSuite):
    pass


@pytest.mark.req("review.once")
class TestSharedProposals(Engines, SharedProposalsSuite):
    pass


@pytest.mark.req("models.queue")
class TestOrders(Engines, OrdersSuite):
    pass


@pytest.mark.req("models.budget")
class TestSpending(Engines, SpendingSuite):
    pass


@pytest.mark.req("store.counts")
class TestCounts(Engines, CountsSuite):
    pass


@pytest.mark.req("store.units")
class TestUnits(Engines, UnitsSuite):
    pass


@pytest.mark.req("store.concurrency")
class TestSharedUnits(Engines, SharedUnitsSuite):
    pass


@pytest.mark.req("store.contract")
def test_the_shipped_contract_is_the_sum_of_the_suites_run_here():
    shipped = {suite for suite in SharedStoreContract.__mro__ if suite.__module__.startswith(suites.__name__)}
    run = {suite for test in Engines.__subclasses__() for suite in test.__mro__ if suite in shipped}

    assert run == shipped


class ForgetsTheProject(MemoryStore):
    """A control: asks every question everywhere."""

    def unit(self, reader, *, write=False):
        return super().unit(reader.asking_everywhere(), write=write)


@pytest.mark.req("store.contract")
def test_a_store_that_forgets_the_project_breaks_the_contract():
    reader = Reader("ana", frozenset({"harbour"}), project="depot")
    check = AccessSuite().test_every_read_shows_a_memory_to_whom_it_concerns_and_where

    check(MemoryStore(), Scribe(), {"project": "harbour"}, reader, allowed=True, in_scope=False)
    with pytest.raises(AssertionError):
        check(ForgetsTheProject(), Scribe(), {"project": "harbour"}, reader, allowed=True, in_scope=False)
