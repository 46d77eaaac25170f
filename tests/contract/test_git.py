from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure.domain.commit import Commit
from perdure.domain.errors import Unavailable
from perdure.system import process
from perdure.vault.git import BODY_CAP, FILES_CAP, SUBJECT_CAP, Git
from perdure.vault.gitdir import find_checkout, main_worktree, read_config, remotes

DAY = 86_400
START = 1_700_000_000
SECOND = 1_000_000


class Repository:
    """A real repository whose commits are a day apart."""

    def __init__(self, path, *init):
        self.path = path
        self.days = 0
        path.mkdir(parents=True, exist_ok=True)
        self("init", "--quiet", "--initial-branch=main", *init)

    def __call__(self, *argv, data=None, check=True, **environ):
        result = subprocess.run(
            ["git", *argv],
            cwd=self.path,
            env=os.environ | identity(self.days) | environ,
            input=data,
            capture_output=True,
            check=False,
        )
        assert not check or result.returncode == 0, result.stderr.decode()
        return result.stdout.decode("utf-8", "replace").strip()

    def commit(self, message, **files):
        for name, text in files.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            self("add", "--", name)
        message = message.encode() if isinstance(message, str) else message
        self("commit", "--quiet", "--allow-empty", "--allow-empty-message", "--file=-", data=message)
        self.days += 1
        return self("rev-parse", "HEAD")


def identity(days):
    return {
        "GIT_AUTHOR_NAME": "Ann Author",
        "GIT_AUTHOR_EMAIL": "ann@example.org",
        "GIT_AUTHOR_DATE": f"{START + days * DAY} +0200",
        "GIT_COMMITTER_NAME": "Carl Committer",
        "GIT_COMMITTER_EMAIL": "carl@example.org",
        "GIT_COMMITTER_DATE": f"{START + days * DAY + 60} -0500",
    }


def commit(sha, day, subject, body="", files=()):
    authored = (START + day * DAY) * SECOND
    return Commit(sha, "Ann Author", "ann@example.org", authored, authored + 60 * SECOND, subject, body, tuple(files))


def checkout_at(path):
    found = find_checkout(str(path))
    assert found is not None
    return found


@pytest.fixture
def base(tmp_path):
    return Path(os.path.realpath(tmp_path))


@pytest.fixture
def repo(base):
    return Repository(base / "repo")


@pytest.fixture
def git(home):
    return Git(process.run, os.environ)


def history(git, path, *, after=None, since=0, limit=100):
    return git.history(checkout_at(path), after=after, since=since, limit=limit)


# --- history ---------------------------------------------------------------------------------------------


@pytest.mark.req("git.history")
def test_history_is_told_oldest_first_with_authors_times_and_files(git, repo):
    one = repo.commit("Start", **{"a b/字.txt": "1", "x.py": "1"})
    two = repo.commit("Second line\nof a subject\n\nBody\n\n  indented\n", **{"x.py": "2"})
    three = repo.commit("")

    assert history(git, repo.path) == (
        commit(one, 0, "Start", files=["a b/字.txt", "x.py"]),
        commit(two, 1, "Second line of a subject", "Body\n\n  indented", ["x.py"]),
        commit(three, 2, ""),
    )
    assert git.head(checkout_at(repo.path)) == three


@pytest.mark.req("git.history")
def test_only_what_is_new_since_the_known_head_is_told(git, repo):
    shas = [repo.commit(f"c{number}") for number in range(4)]

    told = {after: [one.sha for one in history(git, repo.path, after=after)] for after in shas}

    assert told == {shas[0]: shas[1:], shas[1]: shas[2:], shas[2]: shas[3:], shas[3]: []}


@pytest.mark.req("git.history")
@pytest.mark.parametrize("after", ["f" * 40, "e" * 64, "HEAD~1", "--all", "-x", "main", "\0", "字"])
def test_a_known_head_that_is_no_longer_there_gives_the_full_window(git, repo, after):
    shas = [repo.commit(f"c{number}") for number in range(2)]

    assert [one.sha for one in history(git, repo.path, after=after)] == shas


@pytest.mark.req("git.history")
def test_rewritten_history_gives_what_was_written_anew(git, repo):
    kept = repo.commit("kept")
    old = repo.commit("old")
    repo("reset", "--quiet", "--hard", kept)
    new = repo.commit("new")

    assert [one.sha for one in history(git, repo.path, after=old)] == [new]

    repo("reflog", "expire", "--expire=now", "--all")
    repo("gc", "--quiet", "--prune=now")
    assert [one.sha for one in history(git, repo.path, after=old)] == [kept, new]


@pytest.mark.req("git.history")
def test_the_window_has_a_start_and_a_number(git, repo):
    shas = [repo.commit(f"c{number}") for number in range(5)]
    second = (START + DAY + 60) * SECOND

    assert [one.sha for one in history(git, repo.path, since=second)] == shas[1:]
    assert [one.sha for one in history(git, repo.path, since=second + 1)] == shas[2:]
    assert [one.sha for one in history(git, repo.path, limit=2)] == shas[3:]
    assert [one.sha for one in history(git, repo.path, after=shas[0], since=second + 1, limit=2)] == shas[3:]
    assert history(git, repo.path, limit=0) == history(git, repo.path, limit=-1) == ()


@pytest.mark.req("git.history")
def test_a_commit_with_a_date_too_old_does_not_hide_those_before_it(git, repo):
    first = repo.commit("first")
    repo.days = -1000
    repo.commit("made on a machine with a wrong clock")

    assert [one.sha for one in history(git, repo.path, since=START * SECOND)] == [first]


@pytest.mark.req("git.history")
def test_merges_are_left_out_and_what_they_merge_is_told(git, repo):
    one = repo.commit("one")
    repo("checkout", "--quiet", "-b", "side")
    side = repo.commit("side", s="1")
    repo("checkout", "--quiet", "main")
    main = repo.commit("main", m="1")
    repo("merge", "--quiet", "--no-ff", "-m", "merge", "side")

    assert [entry.sha for entry in history(git, repo.path)] == [one, side, main]
    assert history(git, repo.path, after=git.head(checkout_at(repo.path))) == ()


@pytest.mark.req("git.odd-history")
def test_messages_in_other_encodings_and_bytes_that_are_none_are_read(git, repo):
    repo.commit("start")
    latin = repo("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--allow-empty", "-q", "-F-", data=b"caf\xe9")
    assert latin == ""
    parent = repo("rev-parse", "HEAD")
    raw = repo("cat-file", "commit", "HEAD").partition("encoding")[0].partition("parent")[0]
    raw += f"parent {parent}\nauthor A <a@b> {START} +0000\ncommitter A <a@b> {START} +0000\n\n"
    data = raw.encode() + b"x\xff\xfey\n\nb\xc3\n"
    broken = repo("hash-object", "-t", "commit", "-w", "--stdin", data=data)
    repo("reset", "--quiet", "--hard", broken)

    told = history(git, repo.path)

    assert [one.subject for one in told] == ["start", "café", "x\ufffd\ufffdy"]
    assert told[2].sha == broken
    assert told[2].body == "b\ufffd"


@pytest.mark.req("git.odd-history")
def test_text_that_looks_like_our_format_is_only_text(git, repo):
    message = "%H%x00%an %n\x01\x1e\n\n\x1f%x00commit " + "a" * 40 + "\nM\tfile\n"
    sha = repo.commit(message, **{"\nnew\nline": "1", "%x00": "1", 'quo"te': "1", "tab\t": "1"})

    assert history(git, repo.path) == (
        commit(
            sha,
            0,
            "%H%x00%an %n\x01\x1e",
            "\x1f%x00commit " + "a" * 40 + "\nM\tfile",
            ["\nnew\nline", "%x00", 'quo"te', "tab\t"],
        ),
    )


@pytest.mark.req("git.odd-history")
def test_huge_messages_are_cut_and_files_are_counted_up_to_a_cap(git, repo):
    sha = repo.commit("s" * 5000 + "\n\n" + "b" * 100_000, **{f"f{number:03}": "" for number in range(60)})

    assert history(git, repo.path) == (
        commit(
            sha,
            0,
            "s" * (SUBJECT_CAP - 1) + "…",
            "b" * (BODY_CAP - 1) + "…",
            [f"f{number:03}" for number in range(FILES_CAP)],
        ),
    )


@pytest.mark.req("git.odd-history")
def test_an_answer_over_the_cap_is_asked_for_in_halves(repo, home):
    shas = [repo.commit(f"c{number}\n\n" + "b" * 3000, **{f"f{number}": ""}) for number in range(5)]

    def run(argv, **kwargs):
        return process.run(argv, **kwargs | {"cap": 4000})

    told = history(Git(run, os.environ), repo.path)

    assert told == tuple(
        commit(sha, number, f"c{number}", "b" * 3000, [f"f{number}"]) for number, sha in enumerate(shas)
    )

    huge = repo.commit("huge\n\n" + "b" * 100_000, last="")
    assert history(Git(run, os.environ), repo.path)[-1].sha == huge


@pytest.mark.req("git.odd-history")
def test_impossible_dates_give_times_that_can_be_stored(git, repo):
    tree = repo("write-tree")
    parent = ""
    shas = []
    for author, committer in [("99999999999999 +0000", "0 +0000"), ("", f"{START} +0000"), ("7 +0000", "x")]:
        text = f"tree {tree}\n{parent}author A <a@b> {author}\ncommitter C <c@d> {committer}\n\nm\n"
        shas.append(repo("hash-object", "-t", "commit", "-w", "--stdin", "--literally", data=text.encode()))
        parent = f"parent {shas[-1]}\n"
    repo("update-ref", "refs/heads/main", shas[-1])

    told = {one.sha: (one.authored_at, one.committed_at) for one in history(git, repo.path)}

    assert told[shas[1]] == (START * SECOND, START * SECOND)
    assert told[shas[2]] == (7 * SECOND, 0)
    assert all(0 <= time < 2**63 for times in told.values() for time in times)


@pytest.mark.req("git.odd-history")
def test_the_edge_of_a_shallow_clone_names_no_files_and_no_root(git, repo, base):
    for number in range(4):
        repo.commit(f"c{number}", **{f"f{number}": ""})
    repo("clone", "--quiet", "--depth=2", f"file://{repo.path}", str(base / "clone"))

    told = history(git, base / "clone")

    assert [(one.subject, one.files) for one in told] == [("c2", ()), ("c3", ("f3",))]
    assert git.root_commits(checkout_at(base / "clone")) == ()


@pytest.mark.req("git.odd-history")
def test_a_clone_without_trees_is_told_without_files_and_nothing_is_fetched(git, repo, base):
    repo("config", "uploadpack.allowFilter", "true")
    shas = [repo.commit(f"c{number}", **{f"f{number}": ""}) for number in range(3)]
    repo("clone", "--quiet", "--no-checkout", "--filter=tree:0", f"file://{repo.path}", str(base / "clone"))
    before = sorted(path for path in (base / "clone").rglob("*"))

    told = history(git, base / "clone")

    assert [(one.sha, one.files) for one in told] == [(sha, ()) for sha in shas]
    assert sorted(path for path in (base / "clone").rglob("*")) == before


@pytest.mark.req("git.history")
def test_replaced_and_grafted_commits_are_told_as_they_were(git, repo):
    one, two = repo.commit("one"), repo.commit("two")
    roots = git.root_commits(checkout_at(repo.path))
    other = repo("commit-tree", "-m", "forged", f"{two}^{{tree}}")
    repo("replace", two, other)
    (repo.path / ".git" / "info" / "grafts").write_text(f"{two}\n")

    assert [entry.subject for entry in history(git, repo.path)] == ["one", "two"]
    assert git.root_commits(checkout_at(repo.path)) == roots == (one,)


@pytest.mark.req("git.damage")
def test_a_damaged_repository_is_not_taken_for_an_empty_one(git, repo):
    sha = repo.commit("one")
    os.remove(repo.path / ".git" / "objects" / sha[:2] / sha[2:])

    with pytest.raises(Unavailable, match=r"could not read .*repo: .*(bad object|missing|not a tree|fatal)"):
        git.root_commits(checkout_at(repo.path))
    with pytest.raises(Unavailable, match="could not read"):
        history(git, repo.path)


@pytest.mark.req("git.damage")
@pytest.mark.parametrize("file", ["HEAD", "refs/heads/main"])
def test_a_damaged_head_is_not_taken_for_a_branch_without_commits(git, repo, file):
    repo.commit("one")
    (repo.path / ".git" / file).write_text("garbage\n")

    for ask in (git.head, git.root_commits):
        with pytest.raises(Unavailable, match="could not read"):
            ask(checkout_at(repo.path))
    with pytest.raises(Unavailable, match="could not read"):
        history(git, repo.path)


@pytest.mark.req("git.damage")
def test_a_repository_without_a_head_is_unavailable(git, repo):
    repo.commit("one")
    checkout = checkout_at(repo.path)
    os.remove(repo.path / ".git" / "HEAD")

    with pytest.raises(Unavailable, match="can't be read"):
        git.head(checkout)


@pytest.mark.req("git.damage")
def test_branches_in_a_form_we_cannot_read_are_named(git, repo):
    repo("config", "extensions.refStorage", "reftable")

    with pytest.raises(Unavailable, match=r"extensions\.refStorage"):
        git.head(checkout_at(repo.path))


@pytest.mark.req("git.damage")
def test_a_missing_git_is_named(repo, base):
    with pytest.raises(Unavailable, match="git was not found"):
        Git(process.run, {"PATH": str(base)}).head(checkout_at(repo.path))


@pytest.mark.req("git.damage")
def test_a_git_that_hangs_is_ended(repo, base):
    program = base / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec tail -f /dev/null\n")
    program.chmod(0o755)

    with pytest.raises(Unavailable, match="gave no answer"):
        Git(process.run, {"PATH": f"{program.parent}:{os.environ['PATH']}"}, timeout=0.3).head(checkout_at(repo.path))


# --- kinds of repositories -------------------------------------------------------------------------------


@pytest.mark.req("git.kinds")
@pytest.mark.parametrize("where", ["repo", "with space", "项目/工作 区", "quo'te\"$(id)", "-dash", "new\nline"])
def test_a_repository_may_lie_anywhere(git, base, where):
    repo = Repository(base / where)
    sha = repo.commit("one", f="")

    assert history(git, repo.path) == (commit(sha, 0, "one", files=["f"]),)
    assert git.root_commits(checkout_at(repo.path)) == (sha,)


@pytest.mark.req("git.kinds")
def test_without_commits_there_is_no_history(git, repo):
    checkout = checkout_at(repo.path)

    assert git.head(checkout) is None
    assert history(git, repo.path) == git.root_commits(checkout) == ()


@pytest.mark.req("git.kinds")
def test_linked_work_trees_have_their_own_head_and_the_common_root(git, repo, base):
    one = repo.commit("one")
    repo("worktree", "add", "--quiet", "-b", "topic", str(base / "out"))
    repo("worktree", "add", "--quiet", "--detach", str(repo.path / "trees" / "in"))
    side = Repository.__new__(Repository)
    side.path, side.days = base / "out", 1
    two = side.commit("two")

    found = [checkout_at(path) for path in (repo.path, base / "out", repo.path / "trees" / "in")]

    assert [git.head(checkout) for checkout in found] == [one, two, one]
    assert [git.root_commits(checkout) for checkout in found] == [(one,)] * 3
    assert [checkout.common_dir for checkout in found] == [str(repo.path / ".git")] * 3
    assert [entry.sha for entry in history(git, base / "out")] == [one, two]


@pytest.mark.req("git.kinds")
def test_a_submodule_has_its_own_history(git, repo, base):
    library = Repository(base / "library")
    own = library.commit("library")
    repo.commit("super")
    repo("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.path), "vendor/lib")

    checkout = checkout_at(repo.path / "vendor" / "lib")

    assert checkout.submodule
    assert main_worktree(checkout.common_dir) == checkout.worktree == str(repo.path / "vendor" / "lib")
    assert git.root_commits(checkout) == (own,)
    assert remotes(checkout.common_dir) == {"origin": str(library.path)}


@pytest.mark.req("git.kinds")
def test_bare_and_packed_repositories_and_those_with_longer_ids_are_read(git, repo, base):
    sha = repo.commit("one")
    repo("clone", "--quiet", "--bare", str(repo.path), str(base / "bare.git"))
    repo("gc", "--quiet")
    longer = Repository(base / "longer", "--object-format=sha256")
    long_sha = longer.commit("one")

    assert [one.sha for one in history(git, base / "bare.git")] == [sha]
    assert checkout_at(base / "bare.git").bare
    assert [one.sha for one in history(git, repo.path)] == [sha]
    assert [one.sha for one in history(git, longer.path, after="f" * 64)] == [long_sha]
    assert git.root_commits(checkout_at(longer.path)) == (long_sha,)


@pytest.mark.req("git.kinds")
def test_objects_borrowed_from_another_repository_are_found(git, repo, base):
    sha = repo.commit("one")
    repo("clone", "--quiet", "--shared", str(repo.path), str(base / "clone"))
    alternates = base / "clone" / ".git" / "objects" / "info" / "alternates"
    alternates.write_text("../../../repo/.git/objects\n")

    assert [one.sha for one in history(git, base / "clone")] == [sha]


@pytest.mark.req("git.kinds")
@pytest.mark.parametrize("kind", ["top", "below", "linked", "submodule", "bare", "inside"])
def test_what_is_found_by_files_is_what_git_finds(repo, base, kind):
    repo.commit("one", **{"src/x": ""})
    Repository(base / "library").commit("x")
    repo("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(base / "library"), "lib")
    repo("worktree", "add", "--quiet", str(base / "linked"))
    repo("clone", "--quiet", "--bare", str(repo.path), str(base / "bare.git"))
    places = {
        "top": repo.path,
        "below": repo.path / "src",
        "linked": base / "linked" / "src",
        "submodule": repo.path / "lib",
        "bare": base / "bare.git" / "refs",
        "inside": repo.path / ".git" / "refs",
    }
    asked = [
        "rev-parse",
        "--path-format=absolute",
        "--absolute-git-dir",
        "--git-common-dir",
        "--is-bare-repository",
    ]

    git_dir, common_dir, bare = repo("-C", str(places[kind]), *asked).splitlines()

    found = checkout_at(places[kind])
    assert (found.git_dir, found.common_dir, found.bare) == (git_dir, common_dir, bare == "true")
    if kind not in ("bare", "inside"):
        assert found.worktree == repo("-C", str(places[kind]), "rev-parse", "--show-toplevel")


# --- roots -----------------------------------------------------------------------------------------------


@pytest.mark.req("git.roots")
def test_foreign_histories_and_branches_without_common_history_do_not_change_the_root(git, repo):
    root = repo.commit("root")
    for _ in range(3):
        repo("checkout", "--quiet", "--orphan", f"pages{repo.days}")
        repo.commit("an unrelated history")
    repo("checkout", "--quiet", "main")
    repo("merge", "--quiet", "--allow-unrelated-histories", "-m", "merge", "pages1")
    assert git.root_commits(checkout_at(repo.path)) == (root,)

    repo("checkout", "--quiet", "pages2")
    assert git.root_commits(checkout_at(repo.path)) == (root,)


@pytest.mark.req("git.roots")
def test_without_a_trunk_the_branch_that_is_out_counts_then_all(git, repo):
    root = repo.commit("root")
    repo("branch", "-m", "odd")
    repo("checkout", "--quiet", "--orphan", "even")
    other = repo.commit("other")
    assert git.root_commits(checkout_at(repo.path)) == (other,)

    repo("checkout", "--quiet", "--orphan", "unborn")
    assert git.root_commits(checkout_at(repo.path)) == tuple(sorted([root, other]))

    repo("checkout", "--quiet", "--detach", "odd")
    assert git.root_commits(checkout_at(repo.path)) == (root,)


@pytest.mark.req("git.roots")
def test_branch_names_are_read_line_by_line(git, repo):
    root = repo.commit("root")
    repo("branch", "-m", "a\u2028refs/heads/main")
    repo("branch", "字")

    assert git.root_commits(checkout_at(repo.path)) == (root,)


# --- the user --------------------------------------------------------------------------------------------


@pytest.mark.req("git.user")
def test_the_user_is_whom_git_would_write_down(git, repo, home):
    checkout = checkout_at(repo.path)
    assert git.user_identity(checkout) == git.user_identity(None) == (None, None)

    (home / ".config" / "git").mkdir(parents=True)
    (home / ".config" / "git" / "config").write_text("[user]\nname = Ann 字\n")
    assert git.user_identity(None) == ("Ann 字", None)

    (home / ".gitconfig").write_text(
        f'[user]\nemail = ann@home\n[includeIf "gitdir:{repo.path}/"]\npath = {home}/work\n'
    )
    (home / "work").write_text("[user]\nemail = ann@work\n")
    assert git.user_identity(None) == ("Ann 字", "ann@home")
    assert git.user_identity(checkout) == ("Ann 字", "ann@work")

    elsewhere = os.environ | {"GIT_CONFIG_GLOBAL": str(home / "work")}
    assert Git(process.run, elsewhere).user_identity(None) == (None, "ann@work")

    repo("config", "user.name", "Repo Ann")
    assert git.user_identity(checkout) == ("Repo Ann", "ann@work")
    assert git.user_identity(None) == ("Ann 字", "ann@home")


@pytest.mark.req("git.user")
def test_a_repository_that_is_not_the_users_cannot_name_the_user(git, repo, home, monkeypatch):
    (home / ".gitconfig").write_text("[user]\nname = Ann\nemail = ann@home\n")
    repo("config", "user.email", "mallory@example.org")
    checkout = checkout_at(repo.path)
    assert git.user_identity(checkout) == ("Ann", "mallory@example.org")

    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert git.user_identity(checkout) == ("Ann", "ann@home")


@pytest.mark.req("git.user")
def test_a_broken_config_of_the_user_is_told(git, home):
    (home / ".gitconfig").write_text("[user\n")

    with pytest.raises(Unavailable, match="could not read its config"):
        git.user_identity(None)


# --- hostile repositories --------------------------------------------------------------------------------


class Trap:
    """A program that leaves a mark for each way it was reached."""

    def __init__(self, base):
        self.marks = base / "marks"
        self.marks.mkdir()
        self.program = base / "trap.sh"
        self.program.write_text(f'#!/bin/sh\ntouch "{self.marks}/$1"\ncat "$2" 2>/dev/null\nexit 1\n')
        self.program.chmod(0o755)

    def __call__(self, name):
        return f"{self.program} {name}"

    def sprung(self):
        found = sorted(path.name for path in self.marks.iterdir())
        for name in found:
            (self.marks / name).unlink()
        return found


@pytest.fixture
def trap(base):
    return Trap(base)


@pytest.fixture
def hostile(repo, trap):
    """A repository in which every setting that names a program names the trap."""
    repo.commit("one", **{"a.txt": "1", ".gitattributes": "* diff=evil filter=evil\n"})
    signed = (
        f"tree {repo('rev-parse', 'HEAD^{tree}')}\nparent {repo('rev-parse', 'HEAD')}\n"
        f"author Ann Author <ann@example.org> {START + DAY} +0000\n"
        f"committer Ann Author <ann@example.org> {START + DAY} +0000\n"
        "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\nsigned\n"
    )
    repo("reset", "--hard", "-q", repo("hash-object", "-t", "commit", "-w", "--stdin", data=signed.encode()))
    for key, name in [
        ("core.fsmonitor", "fsmonitor"),
        ("core.pager", "pager"),
        ("core.sshCommand", "ssh"),
        ("core.askPass", "askpass"),
        ("core.editor", "editor"),
        ("core.alternateRefsCommand", "alternates"),
        ("credential.helper", "credential"),
        ("diff.external", "external"),
        ("diff.evil.textconv", "textconv"),
        ("diff.evil.command", "command"),
        ("filter.evil.clean", "clean"),
        ("filter.evil.smudge", "smudge"),
        ("alias.log", "alias"),
        ("pager.log", "pagerlog"),
        ("uploadpack.packObjectsHook", "pack"),
    ]:
        prefix = "!" if key in ("alias.log", "credential.helper") else ""
        repo("config", key, prefix + trap(name))
    program = trap.program.parent / "gpg"
    program.write_text(f"#!/bin/sh\ntouch '{trap.marks}/gpg'\nexit 1\n")
    program.chmod(0o755)
    hooks = trap.program.parent / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-commit"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch '{trap.marks}/hook'\n")
        (hooks / name).chmod(0o755)
    for key, value in [
        ("core.hooksPath", str(hooks)),
        ("log.showSignature", "true"),
        ("gpg.program", str(program)),
        ("log.mailmap", "true"),
        ("mailmap.blob", "HEAD:a.txt"),
        ("color.ui", "always"),
        ("log.date", "human"),
        ("log.showRoot", "false"),
        ("log.follow", "true"),
        ("i18n.logOutputEncoding", "UTF-16"),
        ("diff.relative", "true"),
        ("diff.orderFile", "/dev/zero"),
        ("core.worktree", "/nonexistent"),
    ]:
        repo("config", key, value)
    trap.sprung()
    return repo


def ask_everything(git, path):
    checkout = checkout_at(path)
    git.root_commits(checkout)
    git.head(checkout)
    git.user_identity(checkout)
    return git.history(checkout, after=None, since=0, limit=10)


@pytest.mark.req("git.no-commands")
def test_no_program_that_a_repository_names_is_run_and_no_setting_bends_the_answer(git, hostile, trap):
    told = ask_everything(git, hostile.path)

    assert trap.sprung() == []
    assert [(one.subject, one.author_email, one.files) for one in told] == [
        ("one", "ann@example.org", (".gitattributes", "a.txt")),
        ("signed", "ann@example.org", ()),
    ]


@pytest.mark.req("git.no-commands")
@pytest.mark.parametrize(
    ("argv", "name"),
    [
        (("log", "-1"), "gpg"),
        (("-c", "log.showSignature=false", "log", "-p", "--textconv", "--root"), "textconv"),
        (("--work-tree=.", "status"), "fsmonitor"),
        (("--work-tree=.", "-c", "core.fsmonitor=false", "reset", "-q", "--hard"), "hook"),
        (("--work-tree=.", "-c", "core.fsmonitor=false", "diff"), "command"),
    ],
)
def test_plain_git_would_have_run_them(hostile, trap, argv, name):
    (hostile.path / "a.txt").write_text("2")

    hostile("-c", "diff.orderFile=/dev/null", *argv, check=False)

    assert name in trap.sprung()


@pytest.mark.req("git.no-commands")
def test_missing_objects_are_not_fetched_with_a_program_the_repository_names(git, repo, trap, base):
    repo.commit("one", **{"d/x": "1"})
    tree = repo("rev-parse", "HEAD^{tree}")
    repo("config", "extensions.partialClone", "evil")
    repo("config", "core.repositoryFormatVersion", "1")
    repo("config", "remote.evil.url", str(base / "nowhere"))
    repo("config", "remote.evil.promisor", "true")
    repo("config", "remote.evil.uploadpack", trap("uploadpack"))
    os.remove(repo.path / ".git" / "objects" / tree[:2] / tree[2:])

    told = ask_everything(git, repo.path)

    assert [(one.subject, one.files) for one in told] == [("one", ())]
    assert trap.sprung() == []

    repo("log", "--name-only", check=False)
    assert trap.sprung() == ["uploadpack"]


@pytest.mark.req("git.no-commands")
def test_a_repository_of_another_user_is_read_without_trusting_it(hostile, trap, home):
    def run(argv, *, env, **kwargs):
        return process.run(argv, env={**env, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}, **kwargs)

    assert [one.subject for one in ask_everything(Git(run, os.environ), hostile.path)] == ["one", "signed"]
    assert trap.sprung() == []
    assert hostile("log", "-1", check=False, GIT_TEST_ASSUME_DIFFERENT_OWNER="1") == ""


@pytest.mark.req("git.no-commands")
def test_the_environment_of_whoever_started_us_does_not_reach_git(repo, trap, base):
    sha = repo.commit("one")
    other = Repository(base / "other")
    other.commit("other")
    environ = os.environ | {
        "GIT_DIR": str(other.path / ".git"),
        "GIT_WORK_TREE": str(other.path),
        "GIT_OBJECT_DIRECTORY": str(other.path / ".git" / "objects"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": trap("fsmonitor"),
        "GIT_EXTERNAL_DIFF": trap("external"),
        "GIT_TRACE": str(base / "trace"),
    }

    assert [one.sha for one in ask_everything(Git(process.run, environ), repo.path)] == [sha]
    assert trap.sprung() == []
    assert not (base / "trace").exists()


@pytest.mark.req("git.no-commands")
def test_every_call_carries_the_protections(repo, home):
    calls = []

    def run(argv, *, env, **kwargs):
        calls.append((argv, env))
        return process.run(argv, env=env, **kwargs)

    repo.commit("one")
    ask_everything(Git(run, os.environ), repo.path)

    assert len(calls) >= 5
    for argv, env in calls:
        assert argv[:2] == ("git", argv[1])
        assert argv[1].startswith("--git-dir=")
        assert {"--no-pager", "core.hooksPath=/dev/null", "core.fsmonitor=false"} <= set(argv)
        assert {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }.items() <= env.items()


@pytest.mark.req("git.read-only")
def test_nothing_is_written_to_the_repository_or_left_behind(git, repo, base, monkeypatch):
    repo.commit("one", f="1")
    monkeypatch.setattr("tempfile.tempdir", str(base / "temporary"))
    (base / "temporary").mkdir()

    def state():
        return {
            path: (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
            for path in sorted(base.rglob("*"))
            if path != base / "temporary"
        }

    before = state()
    ask_everything(git, repo.path)

    assert state() == before


# --- the config, as git reads it -------------------------------------------------------------------------

CONFIG_LINES = st.lists(
    st.sampled_from(
        [
            *(
                "[core]",
                '[remote "a"]',
                '[Remote "A.b"]',
                '[remote "q\\"\\\\x"]',
                "[old.Style]",
                "[remote.Q]",
            ),
            *("[remote", "[]", '[x "y"z]', '[x"y"]', '[a.b "c"]', '[x "y"] url = z', "[a] [b] k = v"),
            *("url = git@host:a/b", "URL=x", "\turl = a b  ", "url", "url =", 'url = "a;b" ; c', "url = a#b"),
            *(
                'url = "x',
                "url = a\\",
                "url = a\\tb",
                "url = a\\qb",
                "\\",
                "# c",
                "; c \\",
                "",
                "  ",
                "1a = b",
            ),
            *(
                "a-b = c",
                "a_b = c",
                'url = "a\\',
                'b" c',
                "url = ' # '",
                'url = " a  b "  ',
                "k ; c",
                "k = \\\\",
            ),
        ]
    ),
    max_size=8,
)


@pytest.mark.req("identity.config")
@given(CONFIG_LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_the_config_parser_agrees_with_git(tmp_path, lines, end, last):
    text = end.join(lines) + (end if last else "")
    (tmp_path / "config").write_bytes(text.encode())
    result = subprocess.run(
        ["git", "config", "--file", str(tmp_path / "config"), "--null", "--list"],
        capture_output=True,
        check=False,
    )

    parsed = [
        f"{section}.{subsection}.{key}" if subsection else f"{section}.{key}" if section else key
        for section, subsection, key, _ in read_config(str(tmp_path))
    ]
    values = [value for *_, value in read_config(str(tmp_path))]

    expected = [entry.partition("\n") for entry in result.stdout.decode().split("\0")[:-1]]
    if result.returncode != 0:
        assert parsed == []
    else:
        assert parsed == [name for name, _, _ in expected]
        # Git before 2.45 turns a tab between two words into a space.
        untabbed = [value if value is None else value.replace("\t", " ") for value in values]
        assert untabbed == [value.replace("\t", " ") if newline else None for _, newline, value in expected]
