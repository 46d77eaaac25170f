"""Passwords that someone says: "the password is ...", "use ... as the password", "das Passwort lautet ..."."""

# ruff: noqa: PLR2004, RUF001 - lengths and counts are judgements, said by the words around them; signs of many scripts
from __future__ import annotations

import re

from perdure.safety import lazy, shapes, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Spans: TypeAlias = Iterable[tuple[int, int]]

_OPENING = "\"'`(«“「*_[{"
_CLOSING = "\"'`,;:)»”」]}。、，；"
_TOKEN = lazy.Pattern(r"[^\s「」『』《》，。；：、“”«»\"'`\\]+")
_DIGIT = lazy.Pattern("[0-9]")
_ASCII = lazy.Pattern(r"[!-~]{5,}")
_LINKING = lazy.Pattern(
    r"(?:^|[\s:：=])"
    r"(?:lautet|ist|is|es|est|è|é|to|je|är|er|on|jest|to je|adalah|là|είναι|هي|هو|=|：|:|は|是|为|為|는|은)"
    r"[\s:：]*[\"'`“«「]?$"
)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without the quotes and stops around it; one closing stop of a sentence goes as well."""
    while start < end and text[start] in _OPENING:
        start += 1
        if text[start - 1] in "*_" and end > start and text[end - 1] == text[start - 1]:
            end -= 1
    while end > start and text[end - 1] in _CLOSING:
        end -= 1
    if end > start and text[end - 1] == ".":
        end -= 1
    return start, end


_IS = (
    r"(?:,?[ \t]{1,3}(?:is|was|are|will be|shall be|should be|to|set to|changed to|now|lautet|ist)\b:?[ \t]{1,3}"
    r"(?:(?:now|still|just|set to)[ \t])?|[ \t]*:)"
)
_VERB = lazy.Pattern(
    rf"""(?:[ \t](?:for|of|to|on|at|in|from|is still)[ \t][^\n.!?:=]{{1,40}}?(?={_IS}))?(?P<verb>{_IS})?"""
    r"""[ \t]{0,4}(?P<quote>\\{0,4}["'`“«])?(?=\S)"""
)
_TOKEN_IS = lazy.Pattern(
    r"""[ \t]{1,3}(?P<verb>(?:is|was|ist|lautet|[=:–—-])[ \t]{1,3})?(?P<quote>\\{0,4}["'`“«])?(?=\S)"""
)
_BEFORE = lazy.Pattern(
    r"[ \t](?:as|is|for|als|ist|comme|como)[ \t](?:(?:the|a|your|my|our|its|das|dein|mein|le|la)[ \t])?"
    r"(?:[a-z]{2,12}[ \t])?\Z"
)
_USER = lazy.Pattern(r"\b(?:login|user(?:name)?|machine)[ :=]+[\w.@-]+[,;]?\s+\Z|\b(?:with|encrypted)\s+\Z")
# Without one of these close by, nothing that follows or precedes the name can be a password.
_TELLING = lazy.Pattern("[0-9\"'`“«]")
# Words that are the end of other words, too.
_WHOLE = frozenset({"mdp", "clave", "senha", "heslo", "haslo", "parola", "sifre"})
_SAID = frozenset({"password", "passphrase", "passcode", "passwd", "passwort", "pass", "pwd", "pw", "kennwort"})


def spoken(text: str, lower: str, name: tuple[int, int]) -> Spans:
    """The word after "the password is", before "as the password", or right after "password" if it can be no other."""
    left, end = name
    if lower[left:end] not in _SAID or not _TELLING.search(text, max(0, left - 120), end + 300):
        return ()
    if left and lower[left - 1] == " ":
        start = max(0, left - 40)
        before = _BEFORE.search(lower, start, left)
        if before:
            found = _before(text, before.start())
            if found:
                return found
    match = _VERB.match(lower, end)
    if match is None:
        return ()
    # "pass" is a verb as well: it needs a user before it or a verb after it.
    if lower[left:end] == "pass" and not match["verb"] and "user" not in lower[max(0, left - 40) : left]:
        return ()
    return _said(text, lower, match, left)


def _said(text: str, lower: str, match: re.Match[str], left: int) -> Spans:
    verb, quote = match["verb"], match["quote"]
    word = words.word_at(text, match.end(), quote)
    if word is None or (not verb and not lower[match.start()].isspace()):
        return ()
    first, last = (word.start, word.end) if word.quoted else _trimmed(text, word.start, word.end)
    value = text[first:last]
    numbered = any(char.isdigit() for char in value)
    if len(value) < 5 or not (numbered or (word.quoted and verb)):
        return ()
    if shapes.standing(value):
        return ()
    if not verb:
        named = _USER.search(lower, max(0, left - 80), left)
        least = 6 if word.quoted or named else 8
        fits = shapes.strict(value) or (named and shapes.mixed(value) and not shapes.located(value))
        return ((first, last),) if len(value) >= least and fits else ()
    if word.quoted:
        return ((first, last),) if words.password(words.Word(first, last, value, quoted=True)) else ()
    fits = shapes.mixed(value) and not shapes.located(value) and not shapes.code(value)
    return ((first, last),) if fits and value.lower() not in shapes.TECHNICAL and _no_compound(value) else ()


def _no_compound(value: str) -> bool:
    """False for ``base64-encoded`` and ``SHA-256-hashed``: a technical word that was joined to another."""
    head = value.lower().split("-")[0]
    return head not in shapes.TECHNICAL and "-".join(value.lower().split("-")[:2]) not in shapes.TECHNICAL


def named_token(text: str, lower: str, end: int, *, written: bool) -> Spans:
    """The word after "the api key is", or right after a ``written`` API_KEY: only one that dice have thrown."""
    match = _TOKEN_IS.match(lower, end)
    if match is None or not (match["verb"] or written):
        return ()
    word = words.word_at(text, match.end(), match["quote"])
    if word is None or word.value.startswith("0x"):
        return ()
    first, last = _trimmed(text, word.start, word.end)
    value = text[first:last]
    made = shapes.scattered(value) or (shapes.digest(value) and len(value) >= 16)
    return ((first, last),) if made and not shapes.standing(value) and not shapes.located(value) else ()


def _before(text: str, end: int) -> Spans:
    """The word that ends at ``end``, before "as the password"."""
    start = end
    limit = max(0, end - 200)
    while start > limit and not text[start - 1].isspace():
        start -= 1
    start, end = _trimmed(text, start, end)
    value = text[start:end]
    return ((start, end),) if len(value) >= 6 and shapes.strict(value) and not shapes.code(value) else ()


def foreign(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The first word after "Passwort", "пароль", "密码" that can be nothing but a password."""
    end = min(len(text), match.end() + 64)
    if match[0] in _WHOLE and match.start() and lower[match.start() - 1].isalpha():
        return ()
    if not _DIGIT.search(text, match.end(), end):
        return ()
    stop = re.search(r"[\n.!?。！？](?:\s|$)|\n|\\n", lower[match.end() : end])
    end = match.end() + stop.start() if stop else end
    for token in _TOKEN.finditer(text, match.end(), end):
        runs = [token.span()] if token[0].isascii() else [run.span() for run in _ASCII.finditer(text, *token.span())]
        for run in runs:
            span = _trimmed(text, run[0], _whole(text, run[1], end))
            if _said_abroad(text, lower, span):
                return (span,)
    return ()


def _whole(text: str, finish: int, end: int) -> int:
    """Where the word that was cut off at ``end`` really ends."""
    while end == finish < len(text) and not text[finish].isspace() and text[finish].isascii():
        finish += 1
        end += 1
    return finish


def _said_abroad(text: str, lower: str, span: tuple[int, int]) -> bool:
    """Whether a word some way after a foreign name for password is one."""
    start, finish = span
    value = text[start:finish]
    if len(value) < 5 or shapes.standing(value) or shapes.located(value):
        return False
    linked = bool(_LINKING.search(lower[max(0, start - 14) : start]))
    plain = linked and shapes.mixed(value) and any(c.isdigit() for c in value) and not shapes.code(value)
    return (plain and value.lower() not in shapes.TECHNICAL) or shapes.strict(value)


def login(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The second word of ``log in as user / word`` and ``creds: user word``."""
    del lower
    word = words.word_at(text, match.end(), None)
    if word is None:
        return ()
    start, end = _trimmed(text, word.start, word.end)
    value = text[start:end]
    return ((start, end),) if shapes.strict(value) and not shapes.code(value) else ()
