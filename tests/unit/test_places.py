from __future__ import annotations

import os

import pytest

from perdure.domain.errors import Unavailable
from perdure.vault.git import Git
from perdure.vault.places import Checkouts, briefing_name, locate

pytestmark = pytest.mark.req("projects.places")


def keys(place):
    return [key.kind for key in place.keys] if place else None


@pytest.fixture
def repository(tmp_path):
    """A repository as its files tell of it."""
    root = tmp_path / "pier"
    (root / ".git" / "objects").mkdir(parents=True)
    (root / ".git" / "refs").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git" / "config").write_text(
        '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:harbour/ferry.git\n'
    )
    (root / "src" / "deep").mkdir(parents=True)
    return root


def test_a_directory_outside_git_is_a_project_of_its_own(tmp_path, home):
    place = locate(str(tmp_path), str(home))

    assert (place.name, keys(place), place.root) == (tmp_path.name, ["path"], str(tmp_path))


def test_a_directory_that_is_gone_is_known_by_its_path(home):
    assert keys(locate("/gone/for/good", str(home))) == ["path"]


def test_no_directory_is_no_project(home):
    assert locate("", str(home)) is None


def test_the_user_s_home_and_the_root_are_projects_of_their_own(home):
    assert (locate(str(home), str(home)).name, locate("/", str(home)).name) == ("home", "root")


def test_a_repository_is_known_from_anywhere_in_it_by_remote_root_and_path(repository, home):
    place = locate(str(repository / "src" / "deep"), str(home), lambda _checkout: ("a" * 40,))

    assert (place.name, keys(place), place.root) == ("ferry", ["remote", "root", "path"], str(repository))


def test_a_marker_names_the_project_and_lies_below_or_at_the_top_of_the_work_tree(repository, home):
    (repository.parent / ".perdure.toml").write_text('project = "outside"\n')
    assert locate(str(repository / "src"), str(home)).name == "ferry"
    (repository / ".perdure.toml").write_text('project = "Häfen"\n')

    place = locate(str(repository / "src"), str(home))
    assert (place.name, keys(place)[0]) == ("Häfen", "marker")


def test_a_marker_outside_git_gathers_what_lies_below_it(tmp_path, home):
    (tmp_path / "notes" / "deep").mkdir(parents=True)
    (tmp_path / "notes" / ".perdure.toml").write_text("")

    assert locate(str(tmp_path / "notes" / "deep"), str(home)) == locate(str(tmp_path / "notes"), str(home))


@pytest.mark.parametrize(
    ("text", "captures"),
    [
        ("[capture]\nenabled = false\n", False),
        ('[capture]\nignore = ["src"]\n', False),
        ('[capture]\nignore = ["*/deep"]\n', False),
        ('[capture]\nignore = ["docs"]\n', True),
        ("[capture]\nenabled = true\n", True),
        ('capture = "no"\n', True),
        ("[capture]\nignore = 7\n", True),
        ("project = 7\n", True),
        ("broken = [\n", True),
    ],
)
def test_a_marker_may_switch_capture_off(repository, home, text, captures):
    (repository / ".perdure.toml").write_text(text)

    assert locate(str(repository / "src" / "deep"), str(home)).captures is captures


def test_a_bare_repository_is_a_project(repository, home):
    bare = repository.parent / "bare.git"
    os.rename(repository / ".git", bare)
    (bare / "config").write_text("[core]\n\tbare = true\n")

    assert locate(str(bare), str(home)).name == "bare"


def silent_git():
    """A git that is not there."""

    def run(*_arguments, **_options):
        raise Unavailable("git is missing")

    return Git(run, {})


def test_without_git_a_place_is_known_by_what_its_files_tell(repository, home):
    checkouts = Checkouts(silent_git(), str(home))

    assert keys(checkouts.locate(str(repository))) == ["remote", "path"]
    assert checkouts.person(str(repository)) == ""


def test_outside_git_there_is_no_history(tmp_path, home):
    checkouts = Checkouts(silent_git(), str(home))

    assert (checkouts.head(str(tmp_path)), checkouts.history(str(tmp_path), after="", since=0, limit=9)) == ("", ())


def test_the_name_of_a_compiled_briefing_is_a_plain_file_name():
    assert len(briefing_name("remote:github.com/a/b")) == len(briefing_name("path:/" + "x" * 5000)) == 13
