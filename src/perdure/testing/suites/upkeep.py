"""The store's contract: projects, jobs, counts of reads, and named facts."""

from __future__ import annotations

import pytest

from perdure.domain.access import Reader
from perdure.domain.instants import DAY
from perdure.domain.ledger import Criteria, Job, ProjectRow
from perdure.domain.memory import Kind, Scope, State, Type
from perdure.domain.record import replace
from perdure.testing.fakes import START, statement
from perdure.testing.suites import ANA, StoreSuite, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from perdure.ports import Store, Unit
    from perdure.testing.fakes import Scribe

HARBOUR = ProjectRow("harbour", "Harbour", 5)


class ProjectsSuite(StoreSuite):
    """A project is known by any of its keys, and has members."""

    def test_a_project_is_known_by_each_of_its_keys(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            assert unit.projects.create(HARBOUR, ["remote:x/y", "root:abc"]) == HARBOUR
            unit.projects.add_keys("harbour", ["path:/w", "root:abc"])
        with store.unit(ANA) as unit:
            known = [unit.projects.by_key(key) for key in ("remote:x/y", "root:abc", "path:/w")]
            assert known == [HARBOUR] * 3
            assert unit.projects.by_key("remote:x") is None
            assert list(unit.projects.keys("harbour")) == ["path:/w", "remote:x/y", "root:abc"]
            assert list(unit.projects.keys("nowhere")) == []

    def test_a_taken_slug_gets_a_number(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            made = [unit.projects.create(HARBOUR, [f"path:/{number}"]) for number in range(3)]
            assert [row.slug for row in made] == ["harbour", "harbour-2", "harbour-3"]
            assert [unit.projects.by_key(f"path:/{number}") for number in range(3)] == made
            assert list(unit.projects.all()) == made

    def test_a_taken_key_stays_where_it_is(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.projects.create(HARBOUR, ["path:/w"])
            other = unit.projects.create(ProjectRow("depot", "Depot", 6), ["path:/w", "path:/v"])
            assert unit.projects.by_key("path:/w") == HARBOUR
            assert unit.projects.by_key("path:/v") == other
            assert list(unit.projects.all()) == [other, HARBOUR]

    def test_members_are_admitted_once(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for slug in ("harbour", "depot"):
                unit.projects.create(ProjectRow(slug, slug, 0), [])
                unit.projects.admit(slug, "ana", 1)
            unit.projects.admit("depot", "ana", 2)
            unit.projects.admit("depot", "ben", 3)
            assert unit.projects.of("ana") == {"harbour", "depot"}
            assert unit.projects.of("ben") == {"depot"}
            assert unit.projects.of("eve") == frozenset()

    def test_members_are_told_by_name_with_the_time_of_their_admission(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for slug in ("harbour", "depot"):
                unit.projects.create(ProjectRow(slug, slug, 0), [])
            for author, at in (("cleo", 1), ("ana", 3), ("ben", 2), ("ana", 9)):
                unit.projects.admit("harbour", author, at)
            unit.projects.admit("depot", "eve", 4)
        with store.unit(ANA) as unit:
            assert list(unit.projects.members("harbour").items()) == [("ana", 3), ("ben", 2), ("cleo", 1)]
            assert [dict(unit.projects.members(slug)) for slug in ("depot", "nowhere")] == [{"eve": 4}, {}]

    def test_who_is_expelled_is_no_member_until_admitted_again(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.projects.create(HARBOUR, [])
            assert not unit.projects.expel("harbour", "ben")
            for author in ("ana", "ben"):
                unit.projects.admit("harbour", author, 1)
            assert not unit.projects.expelled("harbour", "ben")
            assert unit.projects.expel("harbour", "ben")
            assert not unit.projects.expel("harbour", "ben")
            assert [unit.projects.expelled("harbour", author) for author in ("ana", "ben", "eve")] == [
                False, True, False,
            ]  # fmt: skip
        with store.unit(ANA, write=True) as unit:
            assert (dict(unit.projects.members("harbour")), unit.projects.of("ben")) == ({"ana": 1}, frozenset())
            unit.projects.admit("harbour", "ben", 7)
            assert not unit.projects.expelled("harbour", "ben")
            assert (dict(unit.projects.members("harbour")), unit.projects.of("ben")) == (
                {"ana": 1, "ben": 7},
                frozenset({"harbour"}),
            )

    def test_positions_are_remembered_by_project_and_name(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for slug in ("harbour", "depot"):
                unit.projects.create(ProjectRow(slug, slug, 0), [])
            assert unit.projects.watermark("harbour", "commits") == ""
            for value in ("abc", "def"):
                unit.projects.set_watermark("harbour", "commits", value)
            unit.projects.set_watermark("harbour", "other", "x")
            assert unit.projects.watermark("harbour", "commits") == "def"
            assert unit.projects.watermark("depot", "commits") == ""

    @pytest.mark.parametrize("what", ["key", "member", "watermark"])
    def test_nothing_is_known_of_no_project(self, store: Store, what: str) -> None:
        with refused(store) as unit:
            if what == "key":
                unit.projects.add_keys("nowhere", ["path:/w"])
            elif what == "member":
                unit.projects.admit("nowhere", "ana", 1)
            else:
                unit.projects.set_watermark("nowhere", "commits", "abc")


def lease(unit: Unit, now: int, until: int, worker: str = "w1") -> Job | None:
    """Take the next job of the tests' kind."""
    return unit.jobs.lease("embed", worker, now, until)


class JobsSuite(StoreSuite):
    """A job is done by one worker at a time, as often as it takes, and once where nothing fails."""

    def test_the_oldest_due_job_of_a_kind_is_leased_first(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for key, at in (("late", 90), ("second", 20), ("first", 10), ("third", 20)):
                unit.jobs.put("embed", key, f"payload of {key}", at)
            unit.jobs.put("project", "other", "", 0)
            leased = [lease(unit, now=50, until=60) for _ in range(4)]
        assert [job and job.key for job in leased] == ["first", "second", "third", None]
        first = leased[0]
        assert first == Job(first.id, "embed", "first", "payload of first", first.token, 1) if first else False

    def test_a_leased_job_is_free_again_when_its_lease_has_run_out(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.jobs.put("embed", "m1", "", 0)
            assert lease(unit, now=10, until=20)
            assert lease(unit, now=19, until=30, worker="w2") is None
            again = lease(unit, now=20, until=30, worker="w2")
            assert again is not None
            assert again.attempts == 2

    def test_who_lost_the_lease_can_neither_finish_nor_give_back(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.jobs.put("embed", "m1", "", 0)
            lost = lease(unit, now=10, until=20)
            held = lease(unit, now=20, until=30, worker="w2")
            assert lost is not None
            assert held is not None
            assert not unit.jobs.done(lost)
            assert not unit.jobs.failed(lost, "too late", 99)
            assert unit.jobs.done(held)
            assert not unit.jobs.done(held)

    def test_a_finished_job_is_not_leased_again(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.jobs.put("embed", "m1", "", 0)
            job = lease(unit, now=10, until=20)
            assert job is not None
            assert unit.jobs.done(job)
            assert lease(unit, now=99, until=100) is None
            assert unit.jobs.waiting() == {}

    def test_a_failed_job_is_due_again_at_its_time(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.jobs.put("embed", "m1", "p", 0)
            job = lease(unit, now=10, until=20)
            assert job is not None
            assert unit.jobs.failed(job, "no network", 40)
            assert not unit.jobs.failed(job, "no network", 40)
            assert lease(unit, now=39, until=50) is None
            again = lease(unit, now=40, until=50)
            assert again is not None
            assert (again.payload, again.attempts) == ("p", 2)

    def test_a_job_put_twice_waits_once(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for at in (10, 30):
                unit.jobs.put("embed", "m1", "", at)
            assert unit.jobs.waiting() == {"embed": 1}
            assert lease(unit, now=10, until=20) is not None
            assert lease(unit, now=10, until=20) is None

    def test_a_job_put_again_with_other_work_waits_for_that(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.jobs.put("embed", "m1", "old", 10)
            unit.jobs.put("embed", "m1", "new", 30)
            assert lease(unit, now=29, until=40) is None
            job = lease(unit, now=30, until=40)
            assert job is not None
            assert (job.payload, job.attempts) == ("new", 1)

    def test_a_finished_job_put_again_is_due_again(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.jobs.put("embed", "m1", "old", 0)
            job = lease(unit, now=10, until=20)
            assert job is not None
            unit.jobs.done(job)
            unit.jobs.put("embed", "m1", "new", 15)
            again = lease(unit, now=15, until=30)
            assert again is not None
            assert (again.payload, again.attempts) == ("new", 1)

    @pytest.mark.parametrize("payload", ["", "other"])
    def test_a_job_put_again_while_it_is_worked_on_is_done_once_more(self, store: Store, payload: str) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.jobs.put("embed", "m1", "", 0)
            held = lease(unit, now=10, until=20)
            assert held is not None
            unit.jobs.put("embed", "m1", payload, 12)
            assert lease(unit, now=12, until=30, worker="w2") is None
            assert not unit.jobs.done(held)
            again = lease(unit, now=20, until=30, worker="w2")
            assert again is not None
            assert again.payload == payload
            assert unit.jobs.done(again)

    def test_unfinished_jobs_are_counted_by_kind(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for kind, key in (("embed", "a"), ("embed", "b"), ("project", "a")):
                unit.jobs.put(kind, key, "", 0)
            assert lease(unit, now=1, until=9) is not None
        with store.unit(ANA) as unit:
            assert unit.jobs.waiting() == {"embed": 2, "project": 1}


class CountsSuite(StoreSuite):
    """How often a memory was asked for, and named facts."""

    def test_reads_are_counted_over_days_and_actors(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            one, two = (scribe.add(unit, statement(text)).memory.id for text in ("one", "two"))
            assert unit.access.reads(one) == 0
            for actor, at in (("ana", START), ("ana", START + 1), ("ana", START + DAY), ("ben", START)):
                unit.access.read([one, two], actor, at)
            unit.access.read([one], "ana", START)
            unit.access.read([], "ana", START)
        with store.unit(ANA) as unit:
            assert [unit.access.reads(name) for name in (one, two, "nobody")] == [5, 4, 0]
            assert [unit.access.last(name) for name in (one, two, "nobody")] == [START + DAY, START + DAY, 0]

    def test_what_its_author_neither_wrote_nor_read_for_long_is_listed(self, store: Store, scribe: Scribe) -> None:
        plan = Type.PROSPECTIVE
        sharing: dict[str, Any] = {"scope": Scope.PROJECT, "project": "harbour"}
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("first"), START + 5)
            scribe.add(unit, statement("pinned", pinned=True))
            scribe.add(unit, statement("ended", state=State.EXPIRED))
            scribe.add(unit, statement("a page"), kind=Kind.PAGE)
            scribe.add(unit, statement("a preference", type=Type.PREFERENCE))
            scribe.add(unit, statement("another's"), author="ben", **sharing)
            read, seen, edited = (scribe.add(unit, statement(words)) for words in ("read", "seen", "edited"))
            shared = scribe.add(unit, statement("shared", type=plan), **sharing)
            scribe.add(unit, statement("on the day"), START + DAY)
            scribe.revise(unit, edited, statement("edited", valid_to=9), START + DAY)
            unit.access.read([read.memory.id], "ana", START + DAY)
            unit.access.read([seen.memory.id], "ana", START + DAY - 1)
        asked = Criteria(kinds=(Kind.FACT, Kind.NOTE), types=(Type.SEMANTIC, Type.PROSPECTIVE))
        member = Reader("ana", frozenset({"harbour"}), everywhere=True)
        with store.unit(member) as unit:
            assert list(unit.memories.untouched(asked, START + DAY)) == [first, seen, shared]
            assert list(unit.memories.untouched(replace(asked, limit=2), START + DAY)) == [first, seen]
            assert list(unit.memories.untouched(replace(asked, types=(Type.SEMANTIC,)), START + DAY)) == [first, seen]
            assert list(unit.memories.untouched(asked, START + 5)) == [shared]
        with store.unit(ANA) as unit:
            assert list(unit.memories.untouched(asked, START + DAY)) == [first, seen]

    def test_a_read_of_no_memory_is_refused(self, store: Store) -> None:
        with refused(store) as unit:
            unit.access.read(["nobody"], "ana", START)

    def test_a_named_fact_is_kept_until_it_is_set_again(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            assert unit.meta.get("writer") == ""
            for value in ("a", "b"):
                unit.meta.set("writer", value)
        with store.unit(ANA) as unit:
            assert (unit.meta.get("writer"), unit.meta.get("write")) == ("b", "")
