"""Read the history of a user's repository, without trusting the repository.

A repository's config can name programs that git would run, even for a plain ``git log``. Therefore git
never sees that config here: it is given a *mirror*, a temporary repository directory with a config of our
own, the HEAD and the branches of the real one (as links), and its objects. The same mirror makes what git
prints independent of the user's settings, and makes it safe to read a repository that someone else owns,
so that no ``safe.directory`` is needed. The usual switches against hooks, monitors, pagers and remotes are
given besides. Nothing is ever written to the repository.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from perdure.domain.commit import Commit
from perdure.domain.errors import Unavailable
from perdure.vault.gitdir import head_ref, settings, shallow_commits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perdure.vault.gitdir import Checkout

FILES_CAP = 50
"""Names of files that are told of one commit."""
SUBJECT_CAP = 500
BODY_CAP = 8_000
"""Characters that are kept of a commit's message."""

_OUTPUT_CAP = 16 << 20
_BATCH = 500
_TIMEOUT = 30.0
_SMALL = 1 << 10
_LAST_SECOND = 253_402_300_799  # of the year 9999
_SECOND = 1_000_000
_TRUNKS = ("refs/heads/main", "refs/heads/master", "refs/heads/trunk", "refs/heads/develop")
_HEX = frozenset("0123456789abcdef")
_SHA_LENGTHS = (40, 64)

_KEPT_ENVIRONMENT = ("PATH", "HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "false",
    "GIT_SSH_COMMAND": "false",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_GRAFT_FILE": "/dev/null/none",
    "GIT_PAGER": "cat",
}
_SWITCHES = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.sshCommand=false"),
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "credential.helper="),
    *("-c", "protocol.allow=never"),
    *("-c", "log.showSignature=false"),
)
_LOG = (
    *("log", "--stdin", "--no-walk=unsorted", "-z", "--encoding=UTF-8", "--no-color", "--no-notes"),
    *("--no-ext-diff", "--no-textconv", "--no-renames", "--no-show-signature", "--no-mailmap"),
)
_FIELDS = ("H", "an", "ae", "at", "ct", "s", "b")


class Output(Protocol):
    """How a program ended and what it wrote."""

    @property
    def code(self) -> int:
        """The exit code."""

    @property
    def out(self) -> bytes:
        """What it wrote to its standard output, up to the cap."""

    @property
    def err(self) -> bytes:
        """What it wrote to its standard error, up to the cap."""

    @property
    def truncated(self) -> bool:
        """Whether it was ended because it wrote more than the cap."""


class Run(Protocol):
    """Start a program and wait for its end; ``Unavailable`` where it is missing or too slow."""

    def __call__(
        self,
        argv: Sequence[str],
        *,
        cwd: str | None,
        env: Mapping[str, str] | None,
        stdin: bytes = b"",
        timeout: float,
        cap: int = ...,
    ) -> Output:
        """``timeout`` in seconds, ``cap`` in bytes for each output."""


class Git:
    """Questions to git about repositories that are not ours.

    ``environ`` is the environment that PATH and the place of the user's config are taken from; nothing else of it
    reaches git, so that a GIT_DIR left by whoever started us leads nowhere astray. A repository that can't be read, a
    missing git and one that takes longer than ``timeout`` seconds are ``Unavailable``.
    """

    def __init__(self, run: Run, environ: Mapping[str, str], *, timeout: float = _TIMEOUT) -> None:
        self._run = run
        self._timeout = timeout
        self._environ = {name: environ[name] for name in _KEPT_ENVIRONMENT if name in environ} | _ENVIRONMENT

    def root_commits(self, checkout: Checkout) -> tuple[str, ...]:
        """Where the repository's main line began: the same from every clone and work tree, in order.

        The main line is followed by first parents from the trunk (main, master, ...), else from the main
        work tree's branch, else from all branches. So neither a branch without common history, nor a merged
        foreign history, nor what a work tree happens to have checked out changes the answer. Empty for a
        repository without commits, and for a shallow clone, whose beginning is not there.
        """
        if shallow_commits(checkout.common_dir):
            return ()
        with _mirror(checkout, checkout.common_dir) as mirror:
            branches = self._lines(mirror, "for-each-ref", "--format=%(refname)", "refs/heads/")
            start = next((name for name in (*_TRUNKS, mirror.branch) if name in branches), None)
            if start is None:
                start = "--branches" if self._head(mirror) is None else "HEAD"
            roots = self._lines(mirror, "rev-list", "--first-parent", "--max-parents=0", start, "--")
        return tuple(sorted(roots))

    def head(self, checkout: Checkout) -> str | None:
        """The commit that is checked out; None where there is none yet."""
        with _mirror(checkout, checkout.git_dir) as mirror:
            return self._head(mirror)

    def history(self, checkout: Checkout, *, after: str | None, since: int, limit: int) -> tuple[Commit, ...]:
        """The newest ``limit`` commits that HEAD reaches and ``after`` doesn't, oldest first, without merges.

        ``after`` is the HEAD up to which the history is known already; one that is no longer there
        (rewritten history, another clone) counts as None. Commits made before ``since`` (microseconds) are
        left out, by the committer's date.
        """
        with _mirror(checkout, checkout.git_dir) as mirror:
            if limit <= 0 or self._head(mirror) is None:
                return ()
            known = self._verified(mirror, f"{after}^{{commit}}") if after and _is_sha(after) else None
            listed = self._lines(
                mirror,
                *("rev-list", "--no-merges", "--timestamp", f"--max-count={limit}", "HEAD"),
                *((f"^{known}",) if known else ()),
                "--",
            )
            # Filtered here, since git's own limit stops at the first commit with too old a date.
            dated = (line.partition(" ") for line in reversed(listed))
            shas = [sha for seconds, _, sha in dated if _microseconds(seconds) >= since]
            batches = (shas[start : start + _BATCH] for start in range(0, len(shas), _BATCH))
            return tuple(commit for batch in batches for commit in self._commits(mirror, batch))

    def user_identity(self, checkout: Checkout | None) -> tuple[str | None, str | None]:
        """The name and address that the user's git config gives, each None where unset.

        The repository's own config is heard only where the user owns it, for whoever writes it could
        otherwise pass for the user. Git only reads settings for this and runs nothing.
        """
        is_heard = checkout is not None and _is_own(os.path.join(checkout.common_dir, "config"))
        where = checkout.common_dir if checkout is not None and is_heard else "/dev/null"
        argv = ("config", "--null", "--includes", "--get-regexp", r"^user\.(name|email)$")
        result = self._call(where, "/", argv, self._environ)
        if result.code not in (0, 1):  # 1: nothing is set
            raise Unavailable(f"git could not read its config: {_reason(result)}")
        pairs = (entry.partition("\n") for entry in _text(result.out).split("\0"))
        found = {key: value.strip() for key, _, value in pairs}
        return found.get("user.name") or None, found.get("user.email") or None

    def _commits(self, mirror: _Mirror, shas: list[str], *, names: bool = True) -> Iterator[Commit]:
        """The commits named, in order; in halves where they are too long for one answer."""
        mark = secrets.token_hex(16)  # no message or file name can hold it
        form = "%x00".join((mark, *(f"%{field}" for field in _FIELDS), ""))
        argv = (*_LOG, f"--format={form}", *(("--name-only",) if names else ()), "--")
        result = self._ask(mirror, *argv, stdin="\n".join(shas).encode())
        if result.truncated and len(shas) > 1:
            middle = len(shas) // 2
            yield from self._commits(mirror, shas[:middle], names=names)
            yield from self._commits(mirror, shas[middle:], names=names)
        elif result.code and not result.truncated and names:
            # A partial clone can know its commits without their directories.
            yield from self._commits(mirror, shas, names=False)
        elif result.code and not result.truncated:
            raise Unavailable(f"git could not read {mirror.worktree}: {_reason(result)}")
        else:
            for record in result.out.split(mark.encode())[1:]:
                yield _commit(record, mirror.shallow)

    def _head(self, mirror: _Mirror) -> str | None:
        """The commit that HEAD means, be it there or not; None for a branch without commits."""
        sha = self._verified(mirror, "HEAD")
        if sha is None and (not mirror.branch or os.path.exists(os.path.join(mirror.common, mirror.branch))):
            raise Unavailable(f"git could not read {mirror.worktree}: its HEAD is damaged; git fsck says more")
        return sha

    def _verified(self, mirror: _Mirror, name: str) -> str | None:
        result = self._ask(mirror, "rev-parse", "--quiet", "--verify", name, "--")
        return _text(result.out).strip() or None if result.code == 0 else None

    def _lines(self, mirror: _Mirror, *argv: str) -> list[str]:
        result = self._ask(mirror, *argv)
        if result.code:
            raise Unavailable(f"git could not read {mirror.worktree}: {_reason(result)}")
        return _text(result.out).split("\n")[:-1]

    def _ask(self, mirror: _Mirror, *argv: str, stdin: bytes = b"") -> Output:
        # Without a home there is no global config, whatever git's version.
        own = {"HOME": mirror.home, "XDG_CONFIG_HOME": mirror.home, "GIT_CONFIG_GLOBAL": "/dev/null"}
        objects = {"GIT_OBJECT_DIRECTORY": os.path.join(mirror.common, "objects")}
        return self._call(mirror.git_dir, mirror.home, argv, self._environ | own | objects, stdin)

    def _call(
        self, git_dir: str, cwd: str, argv: Sequence[str], environ: Mapping[str, str], stdin: bytes = b""
    ) -> Output:
        return self._run(
            ("git", f"--git-dir={git_dir}", *_SWITCHES, *argv),
            cwd=cwd,
            env=environ,
            stdin=stdin,
            timeout=self._timeout,
            cap=_OUTPUT_CAP,
        )


@dataclass(frozen=True, slots=True)
class _Mirror:
    home: str
    git_dir: str
    common: str
    worktree: str
    branch: str
    shallow: frozenset[str]


@contextmanager
def _mirror(checkout: Checkout, head_dir: str) -> Iterator[_Mirror]:
    """A repository directory with a config of our own, and HEAD, branches and objects of the real one."""
    common = checkout.common_dir
    try:
        with tempfile.TemporaryDirectory(prefix="perdure-git-") as home:
            git_dir = os.path.join(home, "mirror.git")
            os.mkdir(git_dir)
            _write(os.path.join(git_dir, "config"), _config(checkout))
            with open(os.path.join(head_dir, "HEAD"), encoding="utf-8") as file:
                _write(os.path.join(git_dir, "HEAD"), file.read(_SMALL))
            for name in ("refs", "packed-refs", "shallow"):
                if os.path.exists(os.path.join(common, name)):
                    os.symlink(os.path.join(common, name), os.path.join(git_dir, name))
            branch = head_ref(head_dir) or ""
            yield _Mirror(home, git_dir, common, checkout.worktree, branch, shallow_commits(common))
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(f"the repository at {checkout.worktree} can't be read: {error}") from error


def _config(checkout: Checkout) -> str:
    """What git has to know of the repository, and nothing that could name a program."""
    extensions = settings(checkout.common_dir, "extensions")
    if extensions.get("refstorage", "files") != "files":
        raise Unavailable(
            f"the repository at {checkout.worktree} keeps its branches in a form that can't be read yet "
            f"(extensions.refStorage); name the project in a .perdure.toml instead"
        )
    lines = ["[core]", "repositoryFormatVersion = 1", "bare = true"]
    if extensions.get("objectformat", "").lower() == "sha256":
        lines += ["[extensions]", "objectFormat = sha256"]
    return "\n".join((*lines, ""))


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _commit(record: bytes, shallow: frozenset[str]) -> Commit:
    """Read one record: NUL, the fields each with a NUL after it, a NUL and a newline, the names of files."""
    fields = [_text(field) for field in record.split(b"\0", len(_FIELDS) + 1)[1:]]
    fields += [""] * (len(_FIELDS) + 1 - len(fields))  # an answer that was cut ends anywhere
    sha, author_name, author_email, authored, committed, subject, body, rest = fields
    names = rest.removeprefix("\0").removeprefix("\n").split("\0")
    committed_at = _microseconds(committed)
    return Commit(
        sha=sha,
        author_name=author_name,
        author_email=author_email,
        authored_at=_microseconds(authored) or committed_at,
        committed_at=committed_at,
        subject=_cut(subject, SUBJECT_CAP),
        body=_cut(body.strip("\n"), BODY_CAP),
        files=() if sha in shallow else tuple(name for name in names if name)[:FILES_CAP],
    )


def _microseconds(seconds: str) -> int:
    """A commit's date; 0 where it is none."""
    if not (seconds.isascii() and seconds.isdigit()) or len(seconds) > len(str(_LAST_SECOND)):
        return 0
    return min(int(seconds), _LAST_SECOND) * _SECOND


def _cut(text: str, cap: int) -> str:
    return text if len(text) <= cap else f"{text[: cap - 1]}…"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _reason(result: Output) -> str:
    """Git's own first word on what went wrong."""
    lines = _text(result.err).strip().splitlines()
    return _cut(lines[0], SUBJECT_CAP) if lines else f"exit code {result.code}"


def _is_sha(text: str) -> bool:
    return len(text) in _SHA_LENGTHS and _HEX.issuperset(text)


def _is_own(path: str) -> bool:
    try:
        return os.stat(path).st_uid == os.geteuid()
    except OSError:
        return False
