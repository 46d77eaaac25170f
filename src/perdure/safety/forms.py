"""Whether what has the form of a token is one."""

# ruff: noqa: PLR2004 - lengths and counts are judgements, said by the words around them
from __future__ import annotations

import binascii

from perdure.safety import shapes, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable
    from typing import TypeAlias

    Spans: TypeAlias = Iterable[tuple[int, int]]


def _span(match: re.Match[str]) -> tuple[int, int]:
    """The stretch the rule speaks of: the group ``word``, else the first group, else all."""
    if "word" in match.re.groupindex:
        return match.span("word")
    return match.span(1) if match.re.groups and match[1] is not None else match.span()


def _value(text: str, match: re.Match[str]) -> tuple[tuple[int, int], str]:
    span = _span(match)
    return span, text[span[0] : span[1]]


def surely(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The form leaves no doubt."""
    del text, lower
    return (_span(match),)


def token(text: str, lower: str, match: re.Match[str]) -> Spans:
    """More than one word of letters, and no placeholder."""
    del lower
    span, value = _value(text, match)
    varied = len(set(value)) >= 6 and not shapes.standing(value)
    letters = sum(char.isupper() for char in value)
    made = any(char.isdigit() for char in value[4:]) or (letters >= 3 and letters < len(value) - 3)
    return (span,) if varied and made else ()


def dotted(text: str, lower: str, match: re.Match[str]) -> Spans:
    """A token that may have dots in it: long enough as a whole."""
    del lower
    span, value = _value(text, match)
    body = value.split("-", 2)[-1]
    fits = len(value) >= 18 and len(body) >= 8 and not shapes.standing(value)
    return (span,) if fits and ("." in value or any(char.isdigit() for char in value)) else ()


def scattered(text: str, lower: str, match: re.Match[str]) -> Spans:
    """Letters and digits as dice throw them."""
    del lower
    span, value = _value(text, match)
    return (span,) if shapes.scattered(value) and any(c.isdigit() for c in value) and not shapes.standing(value) else ()


def digit(text: str, lower: str, match: re.Match[str]) -> Spans:
    """Capitals that are no word: a digit is among them."""
    del lower
    span, value = _value(text, match)
    body = value[4:]
    fits = any(c.isdigit() for c in body) and not body.isdigit() and len(set(body)) >= 6
    return (span,) if fits and not value.endswith("EXAMPLE") else ()


def telegram(text: str, lower: str, match: re.Match[str]) -> Spans:
    """A bot's token with the digits before its colon."""
    del lower
    start = match.start()
    while start > 0 and match.start() - start < 13 and text[start - 1].isdigit():
        start -= 1
    return ((start, match.end()),) if match.start() - start >= 7 else ()


_URLSAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def discord(text: str, lower: str, match: re.Match[str]) -> Spans:
    """A bot's token with its first part, the bot's number in base64."""
    del lower
    start = match.start()
    while start > 0 and match.start() - start < 30 and text[start - 1] in _URLSAFE:
        start -= 1
    if text[start - 1 : start] == "\\" and text[start] in "nrt":
        start += 1
    elif text[start - 1 : start] == "%":
        start += 2
    fits = 22 <= match.start() - start <= 28 and text[start] in "MNO" and shapes.scattered(text[start : match.end()])
    return ((start, match.end()),) if fits else ()


def armoured(text: str, lower: str, match: re.Match[str]) -> Spans:
    """An armoured key in base64; a certificate in base64 stays."""
    del lower, text
    try:
        head = binascii.a2b_base64(match[0][:64])
    except (binascii.Error, ValueError):
        return ()
    return (match.span(),) if b"PRIVATE KEY" in head else ()


def entropy(text: str, lower: str, match: re.Match[str], least: float = 0.0) -> Spans:
    """As random as the rule asks."""
    del lower
    span, value = _value(text, match)
    return (span,) if shapes.entropy(value) >= least and not shapes.standing(value) else ()


def generic(text: str, lower: str, match: re.Match[str], least: float = 0.0) -> Spans:
    """As random as the rule asks, with a digit."""
    found = entropy(text, lower, match, least)
    return found if any(char.isdigit() for char in match[1]) else ()


def near(text: str, lower: str, match: re.Match[str], least: float = 0.0) -> Spans:
    """A value near a vendor's name; one that looks like an identifier needs a word for secret in between."""
    span, value = _value(text, match)
    between = lower[match.start() : span[0]]
    named = any(word in between for word in ("key", "token", "secret", "pass", "auth", "cred", "api"))
    if not any(char.isdigit() for char in value) or (shapes.digest(value) and not named) or shapes.wordy(value):
        return ()
    return (span,) if shapes.entropy(value) >= least and not shapes.standing(value) else ()


def password(text: str, lower: str, match: re.Match[str]) -> Spans:
    """A word where only a password stands."""
    del lower
    span, value = _value(text, match)
    return (span,) if words.password(words.Word(*span, value, quoted=True), sure=True) else ()
