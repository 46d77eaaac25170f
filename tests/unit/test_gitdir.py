from __future__ import annotations

import os
import pathlib

import pytest

from perdure.vault.gitdir import (
    Checkout,
    find_checkout,
    head_ref,
    main_worktree,
    remotes,
    settings,
    shallow_commits,
)


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def repository(path, config="[core]\n\tbare = false\n"):
    """A repository directory as git lays it out."""
    write(path / "HEAD", "ref: refs/heads/main\n")
    write(path / "config", config)
    (path / "objects").mkdir()
    (path / "refs").mkdir()
    return path


def checkout(worktree, git_dir, common_dir=None, **flags):
    return Checkout(str(worktree), str(git_dir), str(common_dir or git_dir), **flags)


def linked(worktree, common, name):
    """A linked work tree as ``git worktree add`` lays it out."""
    git_dir = common / "worktrees" / name
    write(git_dir / "HEAD", "ref: refs/heads/topic\n")
    write(git_dir / "commondir", "../..\n")
    write(worktree / ".git", f"gitdir: {git_dir}\n")
    return git_dir


@pytest.fixture
def base(tmp_path):
    return pathlib.Path(os.path.realpath(tmp_path))


@pytest.mark.req("identity.discovery")
def test_a_repository_is_found_from_its_top_from_below_and_from_a_file(base):
    git_dir = repository(base / "a b" / "项目" / ".git")
    top = git_dir.parent
    file = write(top / "src" / "deep" / "x.py")
    expected = checkout(top, git_dir)

    assert [find_checkout(str(path)) for path in (top, file.parent, file)] == [expected] * 3
    assert main_worktree(expected.common_dir) == str(top)
    assert head_ref(expected.git_dir) == "refs/heads/main"


@pytest.mark.req("identity.discovery")
def test_a_directory_that_is_gone_still_belongs_to_its_repository(base):
    git_dir = repository(base / "p" / ".git")

    assert find_checkout(str(base / "p" / "gone" / "too")) == checkout(base / "p", git_dir)


@pytest.mark.req("identity.discovery")
def test_a_relative_path_is_read_from_the_working_directory(base, monkeypatch):
    git_dir = repository(base / "p" / ".git")
    monkeypatch.chdir(base / "p")

    assert find_checkout(".") == checkout(base / "p", git_dir)


@pytest.mark.req("identity.discovery")
def test_symbolic_links_lead_to_the_one_repository(base):
    git_dir = repository(base / "real" / ".git")
    (base / "real" / "src").mkdir()
    (base / "link").symlink_to(base / "real" / "src")

    assert find_checkout(str(base / "link")) == checkout(base / "real", git_dir)


@pytest.mark.req("identity.discovery")
def test_a_git_directory_that_is_a_link_is_resolved(base):
    git_dir = repository(base / "store" / "p.git")
    (base / "p").mkdir()
    (base / "p" / ".git").symlink_to(git_dir)

    assert find_checkout(str(base / "p")) == checkout(base / "p", git_dir)
    assert main_worktree(str(git_dir)) == str(git_dir)


@pytest.mark.req("identity.discovery")
def test_a_path_inside_the_git_directory_belongs_to_the_work_tree(base):
    git_dir = repository(base / "p" / ".git")
    (git_dir / "hooks").mkdir()

    assert find_checkout(str(git_dir / "hooks")) == checkout(base / "p", git_dir)


@pytest.mark.req("identity.discovery")
def test_without_a_repository_there_is_none(base):
    write(base / "HEAD", "not a repository")
    (base / ".git").mkdir()  # some tools put an empty one as a mark

    assert find_checkout(str(base)) is None
    assert find_checkout("/") is None


@pytest.mark.req("identity.worktrees")
def test_linked_work_trees_inside_and_outside_share_the_common_directory(base):
    common = repository(base / "p" / ".git")
    inside = linked(base / "p" / "trees" / "in", common, "in")
    outside = linked(base / "elsewhere" / "out", common, "out")

    found = [find_checkout(str(base / where)) for where in ("p/trees/in", "elsewhere/out")]

    assert found == [
        checkout(base / "p" / "trees" / "in", inside, common),
        checkout(base / "elsewhere" / "out", outside, common),
    ]
    assert main_worktree(str(common)) == str(base / "p")


@pytest.mark.req("identity.worktrees")
def test_a_pointer_may_be_relative(base):
    common = repository(base / "p" / ".git")
    git_dir = linked(base / "q", common, "q")
    write(base / "q" / ".git", "gitdir: ../p/.git/worktrees/q\r\n")

    assert find_checkout(str(base / "q")) == checkout(base / "q", git_dir, common)


@pytest.mark.req("identity.worktrees")
def test_a_work_tree_whose_registration_was_pruned_is_still_the_same_project(base):
    common = repository(base / "p" / ".git")
    write(base / "q" / ".git", f"gitdir: {common}/worktrees/q\n")

    assert find_checkout(str(base / "q")) == checkout(base / "q", common / "worktrees" / "q", common)


@pytest.mark.req("identity.worktrees")
def test_work_trees_around_a_bare_repository_are_not_bare_themselves(base):
    common = repository(base / "p" / ".bare", "[core]\n\tbare = true\n")
    write(base / "p" / ".git", "gitdir: ./.bare\n")
    git_dir = linked(base / "p" / "main", common, "main")

    assert find_checkout(str(base / "p")) == checkout(base / "p", common, bare=True)
    assert find_checkout(str(base / "p" / "main")) == checkout(base / "p" / "main", git_dir, common)
    assert main_worktree(str(common)) == str(common)


@pytest.mark.req("identity.submodules")
def test_a_submodule_is_a_project_of_its_own(base):
    repository(base / "super" / ".git")
    git_dir = repository(
        base / "super" / ".git" / "modules" / "lib" / "x",
        "[core]\n\tbare = false\n\tworktree = ../../../../lib/x\n",
    )
    write(base / "super" / "lib" / "x" / ".git", "gitdir: ../../.git/modules/lib/x\n")
    expected = checkout(base / "super" / "lib" / "x", git_dir, submodule=True)

    assert find_checkout(str(base / "super" / "lib" / "x")) == expected
    assert find_checkout(str(git_dir)) == expected
    assert main_worktree(str(git_dir)) == str(base / "super" / "lib" / "x")


@pytest.mark.req("identity.submodules")
def test_a_submodule_in_a_linked_work_tree_and_a_work_tree_of_a_submodule_are_submodules(base):
    common = repository(base / "super" / ".git")
    linked(base / "tree", common, "tree")
    inner = repository(common / "worktrees" / "tree" / "modules" / "lib")
    write(base / "tree" / "lib" / ".git", f"gitdir: {inner}\n")
    module = repository(common / "modules" / "lib")
    own = linked(base / "libtree", module, "libtree")

    assert find_checkout(str(base / "tree" / "lib")) == checkout(base / "tree" / "lib", inner, submodule=True)
    assert find_checkout(str(base / "libtree")) == checkout(base / "libtree", own, module, submodule=True)


@pytest.mark.req("identity.submodules")
def test_a_separate_git_directory_is_no_submodule(base):
    git_dir = repository(base / "modules" / "store")
    write(base / "p" / ".git", f"gitdir: {git_dir}\n")

    assert find_checkout(str(base / "p")) == checkout(base / "p", git_dir)


@pytest.mark.req("identity.discovery")
def test_a_bare_repository_is_its_own_work_tree(base):
    told = repository(base / "told.git", "[core]\n\tbare\n")
    guessed = repository(base / "guessed.git", "")
    (told / "refs" / "heads").mkdir()

    assert find_checkout(str(told / "refs" / "heads")) == checkout(told, told, bare=True)
    assert find_checkout(str(guessed)) == checkout(guessed, guessed, bare=True)
    assert main_worktree(str(told)) == str(told)


@pytest.mark.req("identity.broken-files")
@pytest.mark.parametrize(
    "pointer", ["", "gitdir:", "gitdir: ", "gitdir: /nowhere/at/all", "gitdir: \0", "elsewhere", "gitdir: .."]
)
def test_a_pointer_that_leads_nowhere_is_not_taken_for_the_repository_around(base, pointer):
    repository(base / "super" / ".git")
    write(base / "super" / "sub" / ".git", pointer)

    assert find_checkout(str(base / "super" / "sub")) is None


@pytest.mark.req("identity.broken-files")
def test_a_common_directory_that_can_be_no_path_is_passed_over(base):
    git_dir = repository(base / "p" / ".git")
    write(git_dir / "commondir", "\0\n")

    assert find_checkout(str(base / "p")) == checkout(base / "p", git_dir)


@pytest.mark.req("identity.broken-files")
def test_a_damaged_repository_is_still_its_own_project(base):
    repository(base / "outer" / ".git")
    write(base / "outer" / "inner" / ".git" / "config", "[core]\n\tbare = false\n")
    inner = base / "outer" / "inner"

    assert find_checkout(str(inner)) == checkout(inner, inner / ".git")
    assert head_ref(str(inner / ".git")) is None


@pytest.mark.req("identity.broken-files")
@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_repository_closed_to_us_is_still_its_own_project(base):
    repository(base / "outer" / ".git")
    git_dir = repository(base / "outer" / "inner" / ".git")
    git_dir.chmod(0)
    try:
        assert find_checkout(str(git_dir.parent)) == checkout(git_dir.parent, git_dir)
    finally:
        git_dir.chmod(0o700)


@pytest.mark.req("identity.broken-files")
@pytest.mark.parametrize("path", ["", "\0", "/\0/x", "a" * 5000, "/proc/self/fd/0/x", "\udcff"])
def test_any_text_is_a_legal_path(path, base, monkeypatch):
    monkeypatch.chdir(base)

    assert find_checkout(path) is None


@pytest.mark.req("identity.broken-files")
def test_links_in_a_circle_end(base):
    (base / "a").symlink_to(base / "b")
    (base / "b").symlink_to(base / "a")

    assert find_checkout(str(base / "a" / "x")) is None


@pytest.mark.req("identity.broken-files")
def test_pipes_in_place_of_files_neither_block_nor_count(base):
    git_dir = repository(base / "p" / ".git")
    for name in ("config", "commondir", "HEAD"):
        (git_dir / name).unlink(missing_ok=True)
        os.mkfifo(git_dir / name)
    os.mkfifo(base / "pipe")
    (base / "q").mkdir()
    os.mkfifo(base / "q" / ".git")

    assert find_checkout(str(base / "p")) == checkout(base / "p", git_dir)
    assert find_checkout(str(base / "q")) is None
    assert remotes(str(git_dir)) == {}
    assert head_ref(str(git_dir)) is None


@pytest.mark.req("identity.broken-files")
def test_a_detached_or_unreadable_head_names_no_branch(base):
    detached = write(base / "a" / "HEAD", "a1" * 20 + "\n").parent
    odd = write(base / "b" / "HEAD", "ref: \n").parent

    assert [head_ref(str(path)) for path in (detached, odd, base)] == [None, None, None]


CONFIG = r"""
# a comment = x
[core]
	bare = false ; the rest
[Remote "Origin"]
	URL = git@example.org:Org/Repo.git
	url = second is not the one
	fetch = +refs/heads/*:refs/remotes/Origin/*
[remote "quo\"te\\d"] url = "https://example.org/a b#c;d" # comment
[remote "long"]
	url = https://example.org/\
org/\
"re po"  	; comment \
	pushurl = not this
[remote "esc"]
	url = "tab\there\"\\"
[remote.Old.Style]
	url = https://example.org/old
[remote "none"]
	fetch = x
[remote "alone"]
	url
[remote "empty"]
	url =
[remote]
	url = of no remote
[other "x"]
	url = no
[include]
	path = /etc/passwd
"""


@pytest.mark.req("identity.config")
def test_the_config_is_read_as_git_reads_it(base):
    write(base / "config", "\ufeff" + CONFIG.replace("\n", "\r\n"))

    assert remotes(str(base)) == {
        "Origin": "git@example.org:Org/Repo.git",
        'quo"te\\d': "https://example.org/a b#c;d",
        "long": "https://example.org/org/re po",
        "esc": 'tab\there"\\',
        "old.style": "https://example.org/old",
    }
    assert settings(str(base), "core") == {"bare": "false"}
    assert settings(str(base), "include") == {"path": "/etc/passwd"}


@pytest.mark.req("identity.config")
def test_bytes_that_are_no_text_become_marks(base):
    (base / "config").write_bytes(b'[remote "\xff"]\nurl = https://example.org/\xe9\n')

    assert remotes(str(base)) == {"\ufffd": "https://example.org/\ufffd"}


@pytest.mark.req("identity.config")
@pytest.mark.parametrize(
    "line",
    [
        "[remote",
        "[]",
        "[remote x]",
        '[remote"x"]',
        '[remote "x" ]',
        '[remote "x]',
        '[remote "x\\',
        "= value",
        "1key = x",
        "ke_y = x",
        "key ; comment",
        'key = "open',
        "key = \\x",
        "key = a\0b",
        "\x0bkey = x",
    ],
)
def test_a_broken_config_tells_nothing(base, line):
    good = '[remote "origin"]\nurl = https://example.org/a/b\n'
    write(base / "config", good)
    assert remotes(str(base)) == {"origin": "https://example.org/a/b"}

    write(base / "config", f"{good}{line}\n")
    assert remotes(str(base)) == {}


@pytest.mark.req("identity.config")
def test_a_config_over_a_mebibyte_is_not_read(base):
    good = '[remote "origin"]\nurl = https://example.org/a/b\n'
    write(base / "config", good + "#" * ((1 << 20) - len(good)))
    assert remotes(str(base)) == {"origin": "https://example.org/a/b"}

    write(base / "config", good + "#" * ((1 << 20) - len(good) + 1))
    assert remotes(str(base)) == {}


@pytest.mark.req("identity.config")
def test_the_edge_of_a_shallow_clone_is_known(base):
    assert shallow_commits(str(base)) == frozenset()

    write(base / "shallow", f"{'a1' * 20}\n{'b2' * 20}\n")
    assert shallow_commits(str(base)) == {"a1" * 20, "b2" * 20}


@pytest.mark.req("identity.discovery")
def test_a_checkout_says_what_it_is(base):
    git_dir = repository(base / "p" / ".git")
    found = find_checkout(str(base / "p"))

    assert found is not None
    assert (found.worktree, found.git_dir, found.common_dir, found.bare, found.submodule) == (
        str(base / "p"),
        str(git_dir),
        str(git_dir),
        False,
        False,
    )
