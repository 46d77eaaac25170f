"""Find the repository a path lies in by reading files alone, without running git.

A hook asks this at every event, so nothing but ``os`` is imported and no process is started. A missing,
unreadable, oversized or malformed file is an answer of less, never an error.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

CONFIG_CAP = 1 << 20
"""Bytes of a config file that are read; a larger one counts as unreadable."""

_POINTER_CAP = 1 << 14
_SPACE = " \t\r"
_TRUE = frozenset({"true", "yes", "on", "1"})
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}
_KEY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")

Entry = tuple[str, str, str, "str | None"]
"""Section, subsection (empty where there is none), key and value (None where the key stands alone)."""


class Checkout(tuple[str, str, str, bool, bool]):
    """One work tree and the repository behind it, as absolute paths without symbolic links.

    ``common_dir`` is the same for all work trees of a repository, ``git_dir`` is the one's own. A bare
    repository is its own ``worktree``. A submodule is a project for itself.
    """

    __slots__ = ()

    def __new__(
        cls, worktree: str, git_dir: str, common_dir: str, *, bare: bool = False, submodule: bool = False
    ) -> Self:
        """Take the three directories and what is special about them."""
        return super().__new__(cls, (worktree, git_dir, common_dir, bare, submodule))

    @property
    def worktree(self) -> str:
        """Where the files are."""
        return self[0]

    @property
    def git_dir(self) -> str:
        """Where this work tree's HEAD is."""
        return self[1]

    @property
    def common_dir(self) -> str:
        """Where objects, branches and the config are."""
        return self[2]

    @property
    def bare(self) -> bool:
        """Whether there is no work tree."""
        return self[3]

    @property
    def submodule(self) -> bool:
        """Whether the repository is kept inside another one as its submodule."""
        return self[4]


def find_checkout(path: str) -> Checkout | None:
    """The innermost repository at or above ``path``, which may itself be gone; None where there is none.

    A ``.git`` file that leads nowhere ends the search: what lies around it is another project.
    """
    try:
        start = os.path.realpath(path)
    except (OSError, ValueError):
        return None
    for directory in _upwards(start):
        dot_git = os.path.join(directory, ".git")
        if os.path.isfile(dot_git):
            return _from_pointer(directory, dot_git)
        if os.path.isdir(dot_git) and _is_begun(dot_git):
            return _checkout(directory, os.path.realpath(dot_git))
        if _is_repository(directory):
            return _from_inside(directory)
    return None


def main_worktree(common_dir: str) -> str:
    """The main work tree's path, or the repository's own where no file tells of a work tree."""
    common = os.path.realpath(common_dir)
    worktree = settings(common, "core").get("worktree")
    if worktree:
        return _resolved(common, worktree) or common
    return os.path.dirname(common) if os.path.basename(common) == ".git" else common


def head_ref(git_dir: str) -> str | None:
    """The full name of the branch that is checked out, such as ``refs/heads/main``; None when detached."""
    head = _read(os.path.join(git_dir, "HEAD"), _POINTER_CAP)
    if head is None or not head.startswith("ref:"):
        return None
    return head.removeprefix("ref:").strip() or None


def remotes(common_dir: str) -> dict[str, str]:
    """The first URL of every remote in the repository's config, as written there; includes are ignored."""
    found: dict[str, str] = {}
    for section, name, key, value in read_config(common_dir):
        if section == "remote" and key == "url" and name and value:
            found.setdefault(_plain(name), _plain(value))
    return found


def settings(common_dir: str, section: str) -> dict[str, str]:
    """The keys of one plain section of the repository's config in lower case; a key alone is ``true``."""
    return {
        key: "true" if value is None else value
        for name, subsection, key, value in read_config(common_dir)
        if name == section and not subsection
    }


def shallow_commits(common_dir: str) -> frozenset[str]:
    """The commits at which a shallow clone's history was cut off; empty for a whole clone."""
    return frozenset((_read(os.path.join(common_dir, "shallow"), CONFIG_CAP) or "").split())


def read_config(common_dir: str) -> tuple[Entry, ...]:
    """All entries of the repository's config in order; empty where the file is missing or broken."""
    text = _read(os.path.join(common_dir, "config"), CONFIG_CAP)
    if text is None:
        return ()
    try:
        return tuple(_entries(text))
    except ValueError:
        return ()


def _upwards(path: str) -> Iterator[str]:
    while True:
        yield path
        parent = os.path.dirname(path)
        if parent == path:
            return
        path = parent


def _is_repository(directory: str) -> bool:
    return (
        os.path.isfile(os.path.join(directory, "HEAD"))
        and os.path.isdir(os.path.join(directory, "objects"))
        and os.path.isdir(os.path.join(directory, "refs"))
    )


def _is_begun(git_dir: str) -> bool:
    """Whether a ``.git`` directory is a repository, be it damaged or closed to us: still its own project."""
    if not os.access(git_dir, os.X_OK):
        return True
    return any(os.path.exists(os.path.join(git_dir, name)) for name in ("HEAD", "objects", "refs", "config"))


def _from_pointer(directory: str, dot_git: str) -> Checkout | None:
    text = _read(dot_git, _POINTER_CAP)
    if text is None or not text.startswith("gitdir:"):
        return None
    target = text.removeprefix("gitdir:").strip()
    git_dir = _resolved(directory, target)
    if not target or not git_dir:
        return None
    if os.path.isdir(git_dir):
        return _checkout(directory, git_dir) if _is_begun(_common(git_dir)) else None
    # The registration of a linked work tree was pruned, yet the files are still the repository's.
    parent, kind = os.path.split(os.path.dirname(git_dir))
    return _checkout(directory, git_dir, parent) if kind == "worktrees" and _is_repository(parent) else None


def _from_inside(directory: str) -> Checkout:
    core = settings(directory, "core")
    if "bare" not in core and "worktree" not in core and os.path.basename(directory) != ".git":
        return Checkout(directory, directory, directory, bare=True, submodule=_is_submodule(directory))
    return _checkout(directory if _is_bare(directory) else main_worktree(directory), directory)


def _checkout(worktree: str, git_dir: str, common_dir: str = "") -> Checkout:
    common = common_dir or _common(git_dir)
    return Checkout(
        worktree,
        git_dir,
        common,
        bare=common == git_dir and _is_bare(common),
        submodule=_is_submodule(common),
    )


def _common(git_dir: str) -> str:
    target = (_read(os.path.join(git_dir, "commondir"), _POINTER_CAP) or "").strip()
    return (target and _resolved(git_dir, target)) or git_dir


def _resolved(directory: str, target: str) -> str:
    """What a path in a file leads to; empty where it can't be a path."""
    try:
        return os.path.realpath(os.path.join(directory, target))
    except (OSError, ValueError):
        return ""


def _is_bare(common_dir: str) -> bool:
    return settings(common_dir, "core").get("bare", "").lower() in _TRUE


def _is_submodule(common_dir: str) -> bool:
    """Whether a directory ``modules`` of another repository holds this one."""
    parts = common_dir.split(os.sep)
    return any(
        part == "modules" and os.path.isfile(os.path.join(os.sep.join(parts[:index]), "HEAD"))
        for index, part in enumerate(parts)
    )


def _read(path: str, cap: int) -> str | None:
    """A regular file's text. A pipe or device in the way must neither block nor be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError):
        return None
    try:
        # Only a regular file has a size beyond 0, and no more than that many bytes are asked for.
        size = os.fstat(descriptor).st_size
        data = os.read(descriptor, size) if size <= cap else None
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _plain(text: str) -> str:
    """Text that any database takes, with a mark for each byte that isn't UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _entries(text: str) -> Iterator[Entry]:
    """Parse git's config format; ``ValueError`` where git would refuse the file."""
    if "\0" in text:
        raise ValueError
    lines = iter(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))
    section = subsection = ""
    for raw in lines:
        line = raw.lstrip(_SPACE)
        while line.startswith("["):
            section, subsection, rest = _header(line)
            line = rest.lstrip(_SPACE)
        if not line or line[0] in "#;":
            continue
        key, value = _assignment(line, lines)
        yield section, subsection, key, value


def _header(line: str) -> tuple[str, str, str]:
    """Section in lower case, subsection as written, and what follows the bracket."""
    end = 1
    while line[end : end + 1] in _KEY or line[end : end + 1] == ".":
        end += 1
    name = line[1:end].lower()
    if not name:
        raise ValueError
    if line[end : end + 1] == "]":
        section, _, subsection = name.partition(".")
        return section, subsection, line[end + 1 :]
    quoted = line[end:].lstrip(_SPACE)
    if len(quoted) == len(line) - end or not quoted.startswith('"'):
        raise ValueError
    subsection, rest = _quoted(quoted)
    section, _, prefix = name.partition(".")
    return section, f"{prefix}.{subsection}" if prefix else subsection, rest


def _quoted(text: str) -> tuple[str, str]:
    """The subsection between quotes, and what follows the bracket after it."""
    said: list[str] = []
    index = 1
    while index < len(text):
        char = text[index]
        if char == '"':
            if text[index + 1 : index + 2] != "]":
                break
            return "".join(said), text[index + 2 :]
        if char == "\\":
            index += 1
            char = text[index : index + 1]
        said.append(char)
        index += 1
    raise ValueError


def _assignment(line: str, lines: Iterator[str]) -> tuple[str, str | None]:
    name, equals, value = line.partition("=")
    key = name.rstrip(" \t" if equals else _SPACE)
    if not (key[:1].isalpha() and _KEY.issuperset(key)):
        raise ValueError
    if not equals:
        return key.lower(), None
    if any(char in value for char in '"\\#;'):
        return key.lower(), _value(value, lines)
    return key.lower(), value.strip(_SPACE)


def _value(line: str, lines: Iterator[str]) -> str:
    """A value with quotes, escapes, comments or continuation lines, which are taken from ``lines``."""
    said: list[str] = []
    kept = index = 0  # ``kept`` is how much of ``said`` stays when trailing space is dropped
    inside = False
    while index < len(line):
        char = line[index]
        index += 1
        if char == '"':
            inside = not inside
        elif char == "\\":
            if index == len(line):
                line, index = next(lines, ""), 0
                continue
            said.append(_escaped(line[index]))
            index += 1
        elif inside or char not in f"{_SPACE};#":
            said.append(char)
        elif char in _SPACE:
            said.extend(char if said else "")
            continue
        else:
            break
        kept = len(said)
    if inside:
        raise ValueError
    return "".join(said[:kept])


def _escaped(char: str) -> str:
    if char not in _ESCAPES:
        raise ValueError
    return _ESCAPES[char]
