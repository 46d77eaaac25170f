"""What makes two directories the same project, whatever the clone, the work tree or the machine.

A project is known by keys. In order of trust: the name in a ``.perdure.toml`` marker, the remote's
normalised URL, the root commit, the path of the main work tree. Everything here is pure and total: any
string is legal input, and one that names nothing is answered with None.
"""

from __future__ import annotations

from perdure.domain.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

MARKER = "marker"
REMOTE = "remote"
ROOT = "root"
PATH = "path"

_KINDS = (MARKER, REMOTE, ROOT, PATH)
_URL_CAP = 4096
_SLUG_CHARS = 64
_SLUG_BYTES = 200  # a file name may have 255, and some suffix may have to fit
_DIGEST = 8
_SHA_LENGTHS = (40, 64)
_HEX = frozenset("0123456789abcdef")
_HOST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
_SCHEME = _HOST | {"+"}
_PORT_CAP = 65535
_SSH_PORT = 22

_SCHEME_PORTS = {
    "ssh": _SSH_PORT,
    "git+ssh": _SSH_PORT,
    "ssh+git": _SSH_PORT,
    "git": 9418,
    "http": 80,
    "git+http": 80,
    "https": 443,
    "git+https": 443,
    "ftp": 21,
    "ftps": 990,
}
_WEB = frozenset({"http", "https", "git+http", "git+https"})

# Services that look repositories up without regard to case and redirect or serve every spelling, so that
# two spellings are one repository: GitHub, its gists, GitLab, Bitbucket Cloud, Codeberg and Azure DevOps.
# Each is one service on one host, so a port says nothing either. On any other host case may matter.
_SERVICES = frozenset({"github.com", "gist.github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com"})
_ALIASES = {
    "www.github.com": "github.com",
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
    "vs-ssh.visualstudio.com": "dev.azure.com",
}

# Letters and marks that leave no trace on the screen.
_INVISIBLE = (
    ("\u034f", "\u034f"),
    ("\u115f", "\u1160"),
    ("\u17b4", "\u17b5"),
    ("\u180b", "\u180f"),
    ("\u3164", "\u3164"),
    ("\ufe00", "\ufe0f"),
    ("\uffa0", "\uffa0"),
    ("\U000e0100", "\U000e01ef"),
)


class ProjectKey(tuple[str, str]):
    """One thing a project is known by; its text form is ``remote:github.com/org/repo``."""

    __slots__ = ()

    def __new__(cls, kind: str, value: str) -> Self:
        """``kind`` is marker, remote, root or path; ``UsageError`` for any other and for an empty value."""
        if kind not in _KINDS or not value:
            raise UsageError(f"{kind}:{value} is not a project key; it has the form remote:host/org/repo")
        return super().__new__(cls, (kind, value))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text form back."""
        kind, _, value = text.partition(":")
        return cls(kind, value)

    @property
    def kind(self) -> str:
        """Which of the four it is."""
        return self[0]

    @property
    def value(self) -> str:
        """What is the same wherever the project is."""
        return self[1]

    def __str__(self) -> str:
        return f"{self[0]}:{self[1]}"


def project_keys(
    marker: str | None, remote: str | None, roots: Iterable[str], path: str | None
) -> tuple[ProjectKey, ...]:
    """All keys of a project, the most trusted first.

    Of several root commits the smallest counts, for it is the same in whatever order they are found.
    """
    values = (
        (MARKER, canonical_name(marker or "")),
        (REMOTE, normalise_remote(remote or "")),
        (ROOT, min(filter(_is_sha, (root.lower() for root in roots)), default="")),
        (PATH, _path_value(path or "")),
    )
    return tuple(ProjectKey(kind, value) for kind, value in values if value)


def choose_remote(remotes: Mapping[str, str]) -> str | None:
    """The URL that speaks for a repository: origin's, else upstream's, else that of the first name.

    Remotes that are paths are passed over: they are not the same on another machine.
    """
    for name in ("origin", "upstream", *sorted(remotes)):
        url = remotes.get(name, "")
        # To git a text without a colon before the first slash is a path, even one like github.com/org/repo.
        if ":" in url.partition("/")[0] and normalise_remote(url):
            return url
    return None


def normalise_remote(url: str) -> str | None:
    """One value ``host/org/repo`` for all spellings of a remote's URL; None where it is not one.

    User, password, token, query, scheme, default port, ``.git`` and superfluous slashes are dropped. Paths
    and ``file:`` URLs give None, since the same path means something else on another machine, and so do
    schemes that git doesn't speak itself. A result given in again comes back unchanged.
    """
    text = url.strip()
    if not text or len(text) > _URL_CAP or "\\" in text or not text.isprintable():
        return None
    scheme, separator, rest = text.partition("://")
    if separator and _SCHEME.issuperset(scheme.lower()):
        parts = _from_url(scheme.lower(), rest)
    elif text[0] in "/.~":
        parts = None
    elif "[" in text.partition("/")[0]:
        parts = _from_brackets(text)
    else:
        parts = _from_short_form(text)
    return None if parts is None else _canonical(*parts)


def slug(name: str) -> str:
    """A readable directory name: lower case, letters of all scripts kept, at most 64 characters.

    It never begins with a dot or hyphen, has no separators, and is never empty. A name that is cut, or of
    which nothing is left, gets a digest instead, so that two such names stay two.
    """
    kept = ""
    for char in _composed(_composed(name).lower()):
        kept += char if _is_slug_char(char, kept[-1:]) else "-"
    text = "-".join(filter(None, kept.split("-"))).strip(".-")
    if not text:
        return f"project-{_digest(name)}" if name else "project"
    if len(text) <= _SLUG_CHARS and len(text.encode()) <= _SLUG_BYTES:
        return text
    head = text[: _SLUG_CHARS - _DIGEST - 1].encode()[: _SLUG_BYTES - _DIGEST - 1].decode(errors="ignore")
    return f"{head.rstrip('.-')}-{_digest(text)}"


def canonical_name(name: str) -> str:
    """What names are compared by: without regard to case, and with ``-``, ``_`` and spaces all one."""
    folded = _composed(_composed(name.strip()).casefold())
    kept = ""
    for char in folded:
        if char not in "-_" and not char.isspace():
            kept += char
        elif not kept.endswith("-"):
            kept += "-"
    return _storable(kept)


_Parts = tuple[str, "int | None", str]
"""Host as written (IPv6 in brackets), port where it says something, path."""


def _from_url(scheme: str, rest: str) -> _Parts | None:
    if scheme not in _SCHEME_PORTS:
        return None
    if scheme in _WEB:
        rest = rest.partition("#")[0].partition("?")[0]
    authority, _, path = rest.partition("/")
    authority = authority.rpartition("@")[2]
    bracket = authority.find("]") + 1
    host, _, number = authority[bracket:].partition(":")
    port = _port(number)
    if (number and port is None) or (bracket and host):
        return None
    return authority[:bracket] + host, None if port == _SCHEME_PORTS[scheme] else port, _unquoted(path)


def _from_brackets(text: str) -> _Parts | None:
    """Git's ``[user@host:port]:path`` and ``user@[v6]:path``, and our own ``[v6]/path``."""
    user, _, rest = text.partition("[")
    inner, closed, tail = rest.partition("]")
    if not closed or tail[:1] not in (":", "/") or (user and not user.endswith("@")):
        return None
    inner = inner.rpartition("@")[2]
    if inner.count(":") > 1:
        port, path = _leading_port(tail[1:], user=user) if tail[0] == ":" else (None, tail)
        return f"[{inner}]", port, path
    host, colon, number = inner.partition(":")
    port = _port(number)
    if (colon and port is None) or tail[0] == "/":
        return None
    return host, None if port == _SSH_PORT else port, tail[1:]


def _from_short_form(text: str) -> _Parts | None:
    """``user@host:path``, ``host:path``, or our own ``host/path`` and ``host:port/path``."""
    head, slash, tail = text.partition("/")
    user, at, address = head.partition("@")
    if ":" in user or not at:
        # A secret before the host, as in user:token@host:path, must not be taken for a path.
        before = head.rpartition(":")[0]
        at, address = ("@", head[before.rindex("@") + 1 :]) if "@" in before else ("", head)
    host, colon, path = address.partition(":")
    if not colon:
        return None if "@" in head or not slash else (host, None, tail)
    if not at and "@" in path[1:]:
        return None
    if path.startswith(":") or (len(host) == 1 and not at and not path.isdigit()):
        return None  # the address of a transport helper, and a drive letter
    if _alias(host) in _SERVICES:
        return host, None, path + slash + tail
    return host, *_leading_port(path + slash + tail, user=at)


def _leading_port(path: str, *, user: str) -> tuple[int | None, str]:
    """Tell a port from a path's first part in forms where git knows no port, yet people write one.

    Without a user it is our own text, where digits are a port. With one, a number before two further parts
    is more likely a port than an organisation's name.
    """
    first, _, rest = path.partition("/")
    port = _port(first)
    if port is None or not rest.strip("/") or (user and "/" not in rest.strip("/")):
        return None, path
    return None if user and port == _SSH_PORT else port, rest


def _port(number: str) -> int | None:
    if not (number.isascii() and number.isdigit()) or len(number) > len(str(_PORT_CAP)):
        return None
    port = int(number)
    return port if 0 < port <= _PORT_CAP else None


def _canonical(host: str, port: int | None, path: str) -> str | None:
    written = _ipv6(host[1:-1]) if host.startswith("[") else _host(host)
    name = _alias(written)
    is_service = name in _SERVICES
    parts = _path_parts(path.lower() if is_service else path)
    if name == "dev.azure.com":
        parts = _azure_parts(written, parts)
    elif name == "gist.github.com":
        parts = parts[-1:]  # the owner's name may be left out
    if not name or not parts:
        return None
    return "/".join((name if port is None or is_service else f"{name}:{port}", *parts))


def _host(host: str) -> str:
    """In lower case and as DNS spells it (``xn--``); empty where that is no host's name."""
    name = host.rstrip(".").lower()
    if not name.isascii():
        try:
            name = name.encode("idna").decode("ascii")
        except UnicodeError:
            return ""
    is_name = _HOST.issuperset(name) and name[:1].isalnum() and ".." not in name
    return name if is_name else ""


def _ipv6(text: str) -> str:
    import ipaddress  # costs more than all else here, and few remotes need it

    try:
        return f"[{ipaddress.IPv6Address(text.partition('%')[0])}]"
    except ValueError:
        return ""


def _alias(host: str) -> str:
    name = host.rstrip(".").lower()
    return "dev.azure.com" if name.endswith(".visualstudio.com") else _ALIASES.get(name, name)


def _path_parts(path: str) -> list[str]:
    """The path's parts without ``.git`` at the end; empty where it has none or leads upwards."""
    text = _composed(path)
    while True:
        parts = [part for part in (piece.strip() for piece in text.split("/")) if part not in ("", ".")]
        text = "/".join(parts)
        if not text.endswith(".git"):
            break
        text = text.removesuffix(".git")
    return [] if ".." in parts or "\\" in text or not text.isprintable() else parts


def _azure_parts(host: str, parts: list[str]) -> list[str]:
    """Azure DevOps as organisation, project and repository, from any of its four kinds of URL."""
    if host.startswith(("ssh.", "vs-ssh.")):
        return parts[1:] if parts[:1] == ["v3"] else parts
    if host.endswith(".visualstudio.com"):
        parts = [host.partition(".")[0], *(part for part in parts if part != "defaultcollection")]
    if "_git" not in parts:
        return parts
    split = parts.index("_git")
    before = parts[:split]
    repository = [part for part in parts[split:] if part != "_git"]
    # A project's first repository has its name, and then the name stands once.
    return [*before, *repository[:1], *repository] if len(before) == 1 else [*before, *repository]


def _unquoted(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote  # few remotes need it

    try:
        return unquote(path, errors="strict")
    except UnicodeDecodeError:
        return path


def _composed(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata  # a shared library that names in ASCII do without

    return unicodedata.normalize("NFC", text)


def _is_slug_char(char: str, before: str) -> bool:
    if char.isascii():
        return char.isalnum() or char in "._-"
    if any(first <= char <= last for first, last in _INVISIBLE):
        return False
    if char.isalnum():
        return True
    import unicodedata

    return unicodedata.category(char).startswith("M") and before not in ("", "-", ".", "_")


def _is_sha(text: str) -> bool:
    return len(text) in _SHA_LENGTHS and _HEX.issuperset(text)


def _path_value(path: str) -> str:
    return _storable(path.rstrip("/") or path[:1])


def _storable(text: str) -> str:
    """Text that any database takes: a byte of a file name that isn't UTF-8 is spelled out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _digest(text: str) -> str:
    import hashlib  # only names that are cut or empty need it

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
