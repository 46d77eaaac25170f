from __future__ import annotations

import pytest

from perdure.domain.access import Reader
from perdure.domain.place import Place
from perdure.domain.project import project_keys
from perdure.services.projects import ensure, find

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
