from __future__ import annotations

import pytest

from perdure.domain.access import Reader
from perdure.domain.errors import NotFound, Refused, UsageError
from perdure.domain.ledger import AuditRow
from perdure.domain.place import Place
from perdure.domain.project import project_keys
from perdure.services.projects import admit, ensure, expel, find, membership, memberships
from tests.unit.services.conftest import reader

pytestmark = pytest.mark.req("projects.identity")

REMOTE = "https://github.com/harbour/pier.git"


def place(marker=None, remote=None, roots=(), path="/home/dev/pier", name="pier"):
    return Place(name, project_keys(marker, remote, roots, path), path)


@pytest.fixture
def sure(store):
    def ensured(where, author="ana"):
        with store.unit(Reader(author), write=True) as unit:
            return ensure(unit.projects, where, author, 1)

    return ensured


def test_a_clone_elsewhere_is_the_same_project(sure):
    assert sure(place(remote=REMOTE)) == sure(place(remote="git@github.com:harbour/pier", path="/tmp/x")) == "pier"


def test_two_projects_of_one_name_are_two(sure):
    assert (sure(place(path="/a/pier")), sure(place(path="/b/pier"))) == ("pier", "pier-2")


def test_who_works_in_a_project_is_a_member_of_it(store, sure):
    sure(place())
    sure(place(), author="ben")

    with store.unit(Reader("ben")) as unit:
        assert "pier" in unit.projects.of("ben")


def test_a_project_that_gains_a_remote_stays_itself(sure):
    root = "a" * 40
    before = sure(place(roots=(root,)))

    assert sure(place(remote=REMOTE, roots=(root,))) == before
    assert sure(place(remote=REMOTE, path="/elsewhere")) == before


def test_a_directory_that_now_holds_another_repository_is_another_project(sure):
    before = sure(place(remote=REMOTE))

    assert sure(place(remote="https://github.com/other/thing", name="thing")) != before


def test_a_fork_is_not_its_origin_though_they_share_a_root(sure):
    root = "b" * 40
    origin = sure(place(remote=REMOTE, roots=(root,)))

    assert sure(place(remote="https://github.com/me/pier", roots=(root,), path="/fork")) != origin


def test_a_repository_without_remote_is_known_by_its_root_wherever_it_lies(sure):
    root = "c" * 40

    assert sure(place(roots=(root,), path="/one")) == sure(place(roots=(root,), path="/two"))


def test_a_marker_wins_over_everything(sure):
    assert sure(place(marker="Harbour", remote=REMOTE)) == sure(
        place(marker="harbour", path="/x", remote="git@h.example:a/b")
    )


def test_no_place_is_no_project(store, sure):
    assert sure(None) == ""
    with store.unit(Reader("ana")) as unit:
        assert find(unit.projects, None) is None


def test_looking_does_not_create(store):
    with store.unit(Reader("ana")) as unit:
        assert find(unit.projects, place(path="/never/seen")) is None


@pytest.fixture
def act(store):
    """Run a use case of membership as someone, at time 7."""

    def acted(use_case, *arguments, by="ana"):
        with store.unit(reader(by), write=True) as unit:
            return use_case(unit, *arguments)

    return acted


def members(act, project="ferry", by="ana"):
    return dict(act(membership, project, by=by).members)


@pytest.mark.req("projects.members")
def test_ones_own_projects_are_listed_with_their_members(act):
    listed = {
        by: [(each.project.slug, list(each.members)) for each in act(memberships, by=by)] for by in ("ana", "ben")
    }

    assert listed == {"ana": [("ferry", ["ana", "ben"]), ("lantern", ["ana"])], "ben": [("ferry", ["ana", "ben"])]}
    assert act(memberships, by="eve") == []


@pytest.mark.req("projects.members")
def test_a_member_adds_and_removes_members_and_each_change_is_audited(act, store):
    assert act(admit, "ferry", "cleo", 7)
    assert not act(admit, "ferry", "cleo", 8)
    assert members(act) == {"ana": 0, "ben": 0, "cleo": 7}
    act(expel, "ferry", "ben", 9, by="cleo")
    assert members(act) == {"ana": 0, "cleo": 7}

    with store.unit(reader()) as unit:
        assert [unit.changes.audit(number) for number in (1, 2, 3)] == [
            AuditRow(7, "ana", "admit", "", "hand", "cleo is a member of ferry"),
            AuditRow(9, "cleo", "expel", "", "hand", "ben is no member of ferry any more"),
            None,
        ]
        assert unit.changes.latest("ana") is None


@pytest.mark.req("projects.members")
def test_one_may_leave_a_project_that_has_other_members(act):
    act(expel, "ferry", "ben", 7, by="ben")

    assert members(act) == {"ana": 0}


@pytest.mark.req("projects.members-guarded")
@pytest.mark.parametrize(
    ("act_of", "error", "says"),
    [
        ((admit, "ferry", "eve", 7, "eve"), Refused, "You are not a member of ferry"),
        ((expel, "ferry", "ana", 7, "eve"), Refused, "You are not a member of ferry"),
        ((membership, "lantern", "ben"), Refused, "You are not a member of lantern"),
        ((expel, "lantern", "ana", 7, "ana"), Refused, "ana is the last member of lantern: without one nobody could"),
        ((expel, "ferry", "eve", 7, "ana"), NotFound, "'eve' is not a member of ferry. Its members: ana, ben."),
        ((admit, "nowhere", "eve", 7, "ana"), NotFound, "There is no project 'nowhere'"),
        ((expel, "nowhere", "eve", 7, "ana"), NotFound, "There is no project 'nowhere'"),
        ((membership, "nowhere", "ana"), NotFound, "There is no project 'nowhere'"),
        *(
            ((admit, "ferry", name, 7, "ana"), UsageError, f"'{name}' is no author")
            for name in ("", "a b", "x" * 65, "ana/x", "ána", "ana\n")
        ),
    ],
)
def test_what_may_not_be_is_said_in_a_sentence_and_changes_nothing(act, store, act_of, error, says):
    use_case, *arguments, by = act_of
    with pytest.raises(error) as raised:
        act(use_case, *arguments, by=by)

    assert str(raised.value).startswith(says)
    assert members(act) == {"ana": 0, "ben": 0}
    with store.unit(reader()) as unit:
        assert unit.changes.audit(1) is None


@pytest.mark.req("projects.expelled")
def test_who_was_removed_stays_out_wherever_they_work_until_a_member_adds_them(act, store, sure):
    project = sure(place())
    sure(place(), author="ben")
    act(expel, project, "ben", 7, by="ben")

    assert sure(place(), author="ben") == project
    assert members(act, project) == {"ana": 1}
    act(admit, project, "ben", 9)
    assert members(act, project) == {"ana": 1, "ben": 9}
