"""Which project a directory belongs to, read from files alone, so that a hook can afford to ask."""

from __future__ import annotations

import os
import zlib

from perdure.domain.errors import Unavailable
from perdure.domain.place import Place
from perdure.domain.project import choose_remote, normalise_remote, project_keys
from perdure.vault.gitdir import find_checkout, main_worktree, remotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perdure.domain.commit import Commit
    from perdure.vault.git import Git
    from perdure.vault.gitdir import Checkout

MARKER = ".perdure.toml"
_MARKER_CAP = 1 << 16
_DEEPEST = 64


def locate(directory: str, home: str, root_commits: Callable[[Checkout], Sequence[str]] | None = None) -> Place | None:
    """The project of a directory; None for no directory. The user's home is a project of its own, called ``home``.

    ``root_commits`` asks git for a repository's first commits; without it the place has no such key. A directory that
    is gone is known by its path. Nothing is raised for what cannot be read.
    """
    if not directory:
        return None
    directory = os.path.realpath(directory)
    checkout = find_checkout(directory)
    top = (checkout.worktree or checkout.common_dir) if checkout else ""
    marked, told = _marker(directory, top)
    remote, main = None, marked or directory
    roots: tuple[str, ...] = ()
    if checkout is not None:
        remote = choose_remote(remotes(checkout.common_dir))
        roots = tuple(root_commits(checkout)) if root_commits is not None else ()
        main = main_worktree(checkout.common_dir) or top
    name = told.get("project", "")
    keys = project_keys(name or None, remote, roots, main)
    if not keys:
        return None
    shown = name or (normalise_remote(remote or "") or main).rstrip("/").rpartition("/")[2].removesuffix(".git")
    if not name and checkout is None and home and directory == os.path.realpath(home):
        shown = "home"
    return Place(shown or "root", keys, top or marked or directory, captures=told.get("captures") != "no")


def briefing_name(key: str) -> str:
    """The file name of the compiled briefing for a project's key; the empty key is that of no project.

    Two keys can share a name, so the file itself says which key it is for.
    """
    return f"{zlib.crc32(key.encode('utf-8', 'surrogatepass')):08x}.json"


def _marker(directory: str, top: str) -> tuple[str, dict[str, str]]:
    """The nearest directory with a marker, not above ``top``, and what the marker tells."""
    asked = directory
    for _step in range(_DEEPEST):
        path = os.path.join(directory, MARKER)
        if os.path.isfile(path):
            return directory, _told(path, asked)
        parent = os.path.dirname(directory)
        if directory in {top, parent}:
            break
        directory = parent
    return "", {}


def _told(path: str, directory: str) -> dict[str, str]:
    import tomllib

    try:
        with open(path, encoding="utf-8") as file:
            table = tomllib.loads(file.read(_MARKER_CAP))
    except (OSError, ValueError, RecursionError):
        return {}
    told: dict[str, str] = {}
    if isinstance(name := table.get("project"), str):
        told["project"] = name
    capture = table.get("capture")
    if isinstance(capture, dict):
        patterns = capture.get("ignore")
        inside = os.path.relpath(directory, os.path.dirname(path))
        ignored = isinstance(patterns, list) and any(_matches(inside, str(pattern)) for pattern in patterns)
        if capture.get("enabled") is False or ignored:
            told["captures"] = "no"
    return told


def _matches(inside: str, pattern: str) -> bool:
    """Whether a directory below the marker, or one above it up to there, matches a pattern."""
    import fnmatch

    parts = inside.split(os.sep)
    return any(fnmatch.fnmatchcase("/".join(parts[:end]), pattern.strip("/")) for end in range(1, len(parts) + 1))


class Checkouts:
    """``perdure.ports.Repo``: the work trees that sessions work in, read with git and never written."""

    def __init__(self, git: Git, home: str) -> None:
        """Ask ``git``; ``home`` is the user's home, which is no project."""
        self._git = git
        self._home = home

    def locate(self, directory: str) -> Place | None:
        """The project of a directory with all its keys; where git does not answer, with those that files tell."""
        return locate(directory, self._home, self._roots)

    def _roots(self, checkout: Checkout) -> tuple[str, ...]:
        try:
            return self._git.root_commits(checkout)
        except Unavailable:
            return ()

    def head(self, root: str) -> str:
        """The commit that is checked out; empty where there is none."""
        checkout = find_checkout(root)
        return (self._git.head(checkout) or "") if checkout else ""

    def history(self, root: str, *, after: str, since: int, limit: int) -> Sequence[Commit]:
        """See the port."""
        checkout = find_checkout(root)
        return self._git.history(checkout, after=after or None, since=since, limit=limit) if checkout else ()

    def email(self, root: str) -> str:
        """The address that the user commits with there; empty where git has none."""
        return self._git.user_identity(find_checkout(root))[1] or ""

    def person(self, directory: str) -> str:
        """The name that the user commits with; empty where git has none or is not there."""
        try:
            return self._git.user_identity(find_checkout(directory))[0] or ""
        except Unavailable:
            return ""
