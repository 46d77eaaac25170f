"""Places where a word of no form of its own is a secret: after a name, a flag, a verb, in an address.

Each function looks at one match of its rule and gives the stretches to take out. Offsets are those of the
text; ``lower`` is the same text in lower case.
"""

from __future__ import annotations

import re

from perdure.safety import lazy, names, shapes, speech, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Spans: TypeAlias = Iterable[tuple[int, int]]

# A word this long that is no secret holds none of the same kind either.
_EXAMINED = 100
# So short is no password in an address.
_SHORTEST = 4
# So long is a name in capitals that is a variable of the environment.
_SHOUTED = 4
# Fewer letters and nothing else, without quotes, are a word of a language.
_LETTERS = 16
_NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$"
_BLOCK_SCALAR = lazy.Pattern(r"[|>][+-]?\d?[ \t]*(?:\r?\n|\\+n)[ \t]*")


def name_at(text: str, start: int, end: int) -> tuple[int, str]:
    """Where the name that reaches to ``end`` begins, at most 60 characters before ``start``, and the name."""
    before = text[max(0, start - 60) : start]
    left = start - len(before) + len(before.rstrip(_NAME))
    if left and text[left - 1] == "\\" and text[left] in "nrt" and left < start:
        left += 1
    return left, text[left:end].strip("-.$")


_SEPARATOR = lazy.Pattern(
    r"""(?:\\{0,4}["'`\])}*]|\*\*|[ \t]){0,6}+"""
    r"""(?P<sep>(?:,|[ \t\r\n{]|\\+[nr]){0,20}+\\{0,4}["']?(?:value|default|val)\\{0,4}["']?[ \t]{0,3}[:=]"""
    r"""|=>|:=|={1,3}|::?|\uff1a|\||>|\(|,)[ \t]{0,8}+(?:\*\*[ \t]?)?(?:[brfu]{1,2}(?=\\{0,4}["']))?"""
    r"""(?P<quote>\\{0,4}["'`「“])?"""
)
# What may come after a name; the empty string, for the end of the text, is in it.
_FOLLOWING = " \t\r\n\\\"'`])}*=:\uff1a|<>(,{"
_SPACED_NAME = lazy.Pattern(r"(?:api|access|secret|private|auth|encryption|signing|master|license|account)[ ]\Z")


def assignment(text: str, lower: str, match: re.Match[str]) -> Spans:
    """``name = word`` in all the notations of code, data, markup and headers; else the name as it is spoken."""
    end = match.end()
    if text[end : end + 1] not in _FOLLOWING:
        return ()
    left, name = name_at(text, match.start(), end)
    phrase = _seed(lower, end) if _PHRASE.search(name) else ()
    if phrase:
        return phrase
    level = names.level(name)
    before = text[left - 1] if left else ""
    query = before != "" and before in "?&;" and text.startswith("=", end)
    if level in {names.NOTHING, names.QUERY}:
        if not query and (before != " " or not _SPACED_NAME.search(lower, max(0, left - 12), left)):
            return ()
        if level == names.NOTHING and name.lower() != "key":
            return ()
        level = names.TOKEN
    separator = _SEPARATOR.match(lower, end)
    if separator is None:
        return _unseparated(text, lower, (left, end), level)
    lead = lower[max(0, left - 4) : left] + lower[max(0, separator.start("sep") - 1) : separator.start("sep")]
    if not _fits(separator["sep"], separator["quote"], before, lead):
        return _unseparated(text, lower, (left, end), level)
    spaced = separator.start("sep") > end and separator["sep"] == "="
    found = _judge(text, separator.end(), (name, level, separator["quote"], query, separator["sep"] + " " * spaced))
    if not found and level == names.PASSWORD and separator["sep"] == ":":
        return speech.spoken(text, lower, (left, end))
    return found


_PHRASE = lazy.Pattern(r"(?i:mnemonic|seed|phrase|words)\Z")
_SEED = lazy.Pattern(r"(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}")


def _seed(lower: str, end: int) -> Spans:
    """The twelve words or more after ``mnemonic:`` and its like."""
    separator = _SEPARATOR.match(lower, end)
    phrase = _SEED.match(lower, separator.end()) if separator else None
    return (phrase.span(),) if phrase else ()


def _unseparated(text: str, lower: str, name: tuple[int, int], level: int) -> Spans:
    """What follows a name with no sign in between, as people speak and some commands are written."""
    left, end = name
    if level == names.PASSWORD:
        found = speech.spoken(text, lower, name)
        if found:
            return found
    written = "_" in text[left:end] or text[left:end].isupper()
    if level == names.TOKEN or (level == names.PASSWORD and written):
        return speech.named_token(text, lower, end, written=written)
    return ()


def _fits(separator: str, quote: str | None, before: str, lead: str) -> bool:
    """Whether a separator makes an assignment there; some do so only in a certain company."""
    if separator in {"(", "==", "==="}:
        return bool(quote)
    if separator == ",":
        return bool(quote) and before in {'"', "'"} and lead[-3:-2] in {"(", "[", "{"}
    if separator == ">":
        return before in {"<", ":", '"', "'"}
    if separator == "|":
        return "|" in lead[:-1] and lead[-1] in " `*"
    return separator != "::"


def _judge(text: str, start: int, place: tuple[str, int, str | None, bool, str]) -> Spans:
    name, level, quote, query, separator = place
    block = _BLOCK_SCALAR.match(text, start) if not quote and separator == ":" else None
    if block:
        start = block.end()
    word = words.word_at(text, start, quote, query=query)
    if word is None:
        return ()
    shouted = name.isupper() and len(name) >= _SHOUTED
    sure = shouted and (separator == "=" or (separator == ":" and "_" in name))
    if not quote and word.value.startswith("$("):
        word = words.heredoc(text, start) or word
    elif not quote and not shouted and text.find("=", word.end, word.end + 40) >= 0:
        word = words.typed_default(text, start) or word
    if not word.quoted and not sure and not query and word.value.isalpha() and len(word.value) < _EXAMINED:
        return () if len(word.value) < _LETTERS or word.value.islower() else _found(word, level, sure=False)
    if separator == ">" and not text.startswith("</", word.end):
        return ()
    return _found(word, level, sure=sure or query)


def _found(word: words.Word, level: int, *, sure: bool) -> Spans:
    """The word if it is a secret; an empty stretch at the end of a long one that is none."""
    if words.secret(word, level, sure=sure):
        return ((word.start, word.end),)
    return ((word.end, word.end),) if len(word.value) > _EXAMINED else ()


def flag(text: str, lower: str, match: re.Match[str]) -> Spans:
    """``--password word`` and its like."""
    del lower
    name = text[match.start("name") : match.end("name")].strip("-")
    level = names.level(name)
    if level == names.NOTHING and name not in {"user", "cookie"}:
        return ()
    word = words.word_at(text, match.end(), match["quote"])
    if word and name == "user":
        return _user(word)
    if word and name == "cookie":
        return _cookies(text, word.start, word.end)
    if level in {names.NOTHING, names.QUERY} or word is None or word.value.startswith("-"):
        return ()
    if level == names.KEY and shapes.located(word.value):
        return ()
    sure = bool(word.quoted) or shapes.mixed(word.value)
    if words.secret(word, level, sure=sure) and not word.value.startswith(("id=", "type=")):
        return ((word.start, word.end),)
    return ()


def environment(text: str, lower: str, match: re.Match[str]) -> Spans:
    """``set -x NAME word``, ``setx NAME word``, ``setenv NAME word``."""
    del lower
    name = text[match.start("name") : match.end("name")]
    level = names.level(name) if name.isupper() or not match[0].startswith("env") else names.NOTHING
    word = words.word_at(text, match.end(), match["quote"])
    return ((word.start, word.end),) if word and words.secret(word, level, sure=True) else ()


# Flag to the programs whose next word it makes a secret, or which take it without a blank.
_MYSQL = ("mysql", "mysqldump", "mysqladmin", "mariadb", "mysqlimport", "7z", "7za", "sshpass")
_ATTACHED: dict[str, tuple[str, ...]] = {"p": _MYSQL, "u": ("curl",)}
_SPACED: dict[str, tuple[str, ...]] = {
    "p": ("sshpass", "docker", "podman", "helm", "az ", "oc ", "mongo", "buildah", "skopeo", "vault"),
    "a": ("redis-cli", "http "),
    "w": ("ldap",),
    "u": ("curl",),
    "b": ("curl",),
    "k": ("openssl",),
}
_CLIENTS = ("zip", "sqlcmd", "mosquitto", "ipmitool", "bcp", "keygen")
_SPACED_UPPER: dict[str, tuple[str, ...]] = {"p": _CLIENTS, "n": _CLIENTS, "a": ("snmp",), "u": ("smbclient",)}
_END_OF_COMMAND = lazy.Pattern(r"[\n|;]|&&|\\n")


def command(text: str, lower: str, match: re.Match[str]) -> Spans:
    """A one-letter flag of a program that is known to take a secret there."""
    letter = match[0][2]
    word = words.word_at(text, match.end(), match["quote"])
    if word is None:
        return ()
    sure = match["gap"] is None or letter != "p"
    if letter == "u":
        found = _user(word)
    elif letter == "b":
        found = _cookies(text, word.start, word.end)
    else:
        found = ((word.start, word.end),) if words.password(word, sure=sure) else ()
    upper = text[match.start() + 2].isupper()
    return found if found and _takes(lower, match.start(), letter, upper=upper, attached=match["gap"] is None) else ()


def _takes(lower: str, end: int, letter: str, *, upper: bool, attached: bool) -> bool:
    """Whether the command that reaches to ``end`` runs a program to which that flag gives a secret."""
    line = _END_OF_COMMAND.split(lower[max(0, end - 240) : end])[-1]
    programs: tuple[str, ...] = _SPACED.get(letter, ())
    if attached:
        programs = () if upper else _ATTACHED.get(letter, ())
    elif upper:
        programs = _SPACED_UPPER.get(letter, ())
    return any(program in line for program in programs)


def _user(word: words.Word) -> Spans:
    """The password of ``user:password``."""
    user, colon, value = word.value.partition("%" if ":" not in word.value else ":")
    start = word.start + len(user) + 1
    fits = colon and words.password(words.Word(start, word.end, value, quoted=True), sure=True)
    return ((start, word.end),) if fits else ()


_ECHO = lazy.Pattern(r"""(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?(?P<quote>\\{0,4}["'])?""")


def pipe(text: str, lower: str, match: re.Match[str]) -> Spans:
    """``echo word | program`` where the program reads a password."""
    begin = max(
        lower.rfind("echo", max(0, match.start() - 300), match.start()),
        lower.rfind("printf", max(0, match.start() - 300), match.start()),
    )
    opening = _ECHO.match(lower, begin) if begin >= 0 else None
    if opening is None or "|" not in lower[begin : match.end()]:
        return ()
    word = words.word_at(text, opening.end(), opening["quote"])
    if word is None:
        return ()
    user, colon, rest = word.value.partition(":")
    if colon and match[0].endswith("chpasswd"):
        start = word.start + len(user) + 1
        word = words.Word(start, word.end, rest, quoted=True)
    return ((word.start, word.end),) if words.password(word, sure=True) else ()


def url(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The password between user and host of an address; user and host stay."""
    del lower, text
    value = match["word"]
    return () if len(value) < _SHORTEST or shapes.standing(value) or value == "x-oauth-basic" else (match.span("word"),)


def userinfo(text: str, lower: str, match: re.Match[str]) -> Spans:
    """A token in the place of the user of an address."""
    del lower, text
    word = match["word"]
    return (match.span("word"),) if shapes.scattered(word) or shapes.digest(word) else ()


def otpauth(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The seed in the address of a one-time password."""
    del text
    return (match.span("word"),) if "otpauth://" in lower[max(0, match.start() - 200) : match.start()] else ()


def statement(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The quoted password of an SQL statement."""
    del lower
    word = words.word_at(text, match.end(), match["quote"])
    return ((word.start, word.end),) if word and words.password(word, sure=True) else ()


def authorization(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The credentials of an authorization header, or of a scheme that names itself."""
    del lower
    start, end = match.span("word")
    value = text[start:end].rstrip(".")
    scheme = match[0][:6]
    if shapes.standing(value):
        return ()
    if scheme.startswith("basic"):
        return ((start, end),) if words.pair(value) else ()
    if scheme == "bearer" and len(value) >= _LETTERS and any(c.isdigit() for c in value):
        return ((start, end),) if not shapes.wordy(value) else ()
    return ((start, end),) if len(value) >= _LETTERS and shapes.scattered(value) else ()


_COOKIE = lazy.Pattern(
    r"(?<![^\s;,\"'{])(?P<name>[^\s=:;,\"'{}]{1,80}+)[\"']?[ ]?[=:][ ]?[\"']?(?P<word>[^\s;,\"'\\]{6,4000}+)"
)
_SESSION = lazy.Pattern(r"sess|sid|auth|token|jwt|login|csrf|xsrf|remember", re.IGNORECASE)
_LINE = lazy.Pattern(r"(?:[^\n\\]|\\(?!n))*")


def _cookies(text: str, start: int, end: int) -> Spans:
    found = []
    for match in _COOKIE.finditer(text, start, end):
        value = match["word"]
        if shapes.standing(value):
            continue
        if shapes.scattered(value) or (
            _SESSION.search(match["name"]) and words.token(words.Word(0, 0, value, quoted=True))
        ):
            found.append(match.span("word"))
    return found


def cookie(text: str, lower: str, match: re.Match[str]) -> Spans:
    """Every pair of a cookie header whose value is a session and not a preference."""
    del lower
    line = _LINE.match(text, match.end(), min(len(text), match.end() + 4096))
    return [*_cookies(text, match.end(), line.end()), (line.end(), line.end())] if line else ()
