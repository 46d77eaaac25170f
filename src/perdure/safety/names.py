"""What a name says about its value: ``dbPassword``, ``X-Api-Key``, ``max_tokens``, ``primary_key``."""

from __future__ import annotations

from perdure.safety import _rules, lazy

# How secret a value of that name is.
NOTHING, PASSWORD, TOKEN, KEY, AUTH, QUERY = range(6)

_PASSWORD = frozenset(_rules.PASSWORD)
_TOKEN = frozenset(_rules.TOKEN)
_OPENING = frozenset(_rules.OPENING)
_FINDING = frozenset(_rules.FINDING)
_TAIL = frozenset(_rules.TAIL)
_PARTS = lazy.Pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_QUERY = frozenset({"sig", "signature", "key", "code", "hmac"})
_ENDINGS = ("password", "passwd", "passphrase", "passwort", "kennwort")
_FOUND = frozenset({"pwd", "oldpwd", "passkey", "nopasswd"})
_PASSING = frozenset(
    {"db", "smtp", "mail", "imap", "ftp", "redis", "user", "admin", "sudo", "become", "ssh", "ldap", "http"}
)
_PASSES = frozenset({"bypass", "compass", "pass", "surpass", "overpass", "trespass", "encompass"})
_CACHED = 4096
_CACHE: dict[str, int] = {}


def parts(name: str) -> list[str]:
    """The words of a name in snake, kebab, dotted or camel case, in lower case."""
    return [part.lower() for part in _PARTS.findall(name)]


def _of_key(before: str) -> int:
    if before in _FINDING:
        return NOTHING
    return TOKEN if before in _OPENING else KEY


def _level(name: str) -> int:
    if name == "_auth":
        return TOKEN
    words = parts(name)
    if not words or name.lower() in _FOUND:
        return NOTHING
    while len(words) > 1 and words[-1] in _TAIL:
        words.pop()
    last = words[-1]
    before = words[-2] if len(words) > 1 else ""
    if last == "pass" and before and before not in _PASSING and not name.isupper():
        return NOTHING
    if last in _PASSWORD or last.endswith(_ENDINGS):
        return NOTHING if before in {"no", "min", "max", "is", "has"} else PASSWORD
    if last in {"auth", "authorization"}:
        return AUTH
    if name.isupper() and last.endswith("pass") and last not in _PASSES:
        return PASSWORD
    return _level_of_token(before, last)


def _level_of_token(before: str, last: str) -> int:
    if last == "key" and before:
        return _of_key(before)
    if (before, last) == ("secret", "id"):
        return TOKEN
    if last in _TOKEN or last.endswith(("token", "apikey", "secret", "secretkey")):
        return NOTHING if before in {"page", "next", "csrf", "cancellation", "public", "sync"} else TOKEN
    return QUERY if last in _QUERY else NOTHING


def level(name: str) -> int:
    """How secret a value of this name is: one of the constants of this module."""
    found = _CACHE.get(name)
    if found is None:
        found = _level(name)
        if len(_CACHE) < _CACHED:
            _CACHE[name] = found
    return found
