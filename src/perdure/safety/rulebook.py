"""The rules at work: which apply to a text, and what they find in it. Expressions are compiled when first needed."""

from __future__ import annotations

import re

from perdure.safety import blocks, forms, lazy, places, prefilter, speech

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    Gate: TypeAlias = tuple[str, str, str]
    Row: TypeAlias = tuple[str, str, tuple[Gate, ...], tuple[str, ...], str, str, bool, bool, int, float, str]
    Check: TypeAlias = Callable[..., Iterable[tuple[int, int]]]

CHECKS: dict[str, Check] = {
    "armour": blocks.armour,
    "armoured": forms.armoured,
    "assignment": places.assignment,
    "authorization": places.authorization,
    "command": places.command,
    "cookie": places.cookie,
    "digit": forms.digit,
    "discord": forms.discord,
    "dotted": forms.dotted,
    "entropy": forms.entropy,
    "environment": places.environment,
    "flag": places.flag,
    "foreign": speech.foreign,
    "generic": forms.generic,
    "jwk": forms.surely,
    "login": speech.login,
    "near": forms.near,
    "none": forms.surely,
    "otpauth": places.otpauth,
    "password": forms.password,
    "pipe": places.pipe,
    "private": blocks.private,
    "putty": blocks.putty,
    "scattered": forms.scattered,
    "statement": places.statement,
    "tail": blocks.tail,
    "telegram": forms.telegram,
    "token": forms.token,
    "url": places.url,
    "userinfo": places.userinfo,
}
MEASURED = frozenset({"entropy", "generic", "near"})
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


_ESCAPE = lazy.Pattern(r".{0,4}(?:\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u00[0-9a-fA-F]{2})\Z", re.DOTALL)


def begins(text: str, start: int) -> bool:
    """Whether a word may begin at ``start``: no letter or digit before it but that of an escape."""
    return start == 0 or text[start - 1] not in _LETTERS or bool(_ESCAPE.match(text[max(0, start - 6) : start]))


class Rulebook:
    """Rules with their index. Earlier rules take precedence."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = tuple(rows)
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._index = prefilter.Prefilter((number, row[2]) for number, row in enumerate(self._rows))

    def _pattern(self, expression: str) -> re.Pattern[str]:
        found = self._patterns.get(expression)
        if found is None:
            found = self._patterns[expression] = re.compile(expression)
        return found

    def _matches(self, number: int, hits: Sequence[str], text: str, lower: str) -> Iterator[re.Match[str]]:
        """The matches of one rule, from left to right for each of the strings it begins with.

        The texts are :func:`prefilter.shadow` ones, but for a rule that speaks of more than ASCII.
        """
        _, form, _, anchors, expression, follow, cased, called, back, _, _ = self._rows[number]
        subject = text if cased else lower
        if not anchors:
            yield from self._pattern(expression).finditer(subject)
        for anchor in anchors:
            if not called and anchor.lower() not in hits:
                continue
            if form == "back":
                yield from self._stepped(expression, re.escape(anchor) + follow, text, back)
                continue
            for match in self._pattern(re.escape(anchor) + expression).finditer(subject):
                if form != "prefix" or begins(text, match.start()):
                    yield match

    def _stepped(self, expression: str, anchor: str, text: str, back: int) -> Iterator[re.Match[str]]:
        """Matches that begin, as a word, a fixed number of characters before what they are found by."""
        pattern = self._pattern(expression)
        for found in self._pattern(anchor).finditer(text):
            match = pattern.match(text, found.start() - back) if found.start() >= back else None
            if match and begins(text, match.start()):
                yield match

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Every stretch that a rule claims: start, end, kind. Claims may overlap."""
        lower = prefilter.lowered(text)
        shadows = prefilter.shadow(text), prefilter.shadow(lower)
        for number, hits in self._index.hits(lower).items():
            kind, *_, least, name = self._rows[number]
            check = CHECKS[name]
            seen = reached = 0
            for match in self._matches(number, hits, *((text, lower) if name == "foreign" else shadows)):
                if match.start() < seen:
                    reached = 0
                seen = match.start()
                if seen < reached:
                    continue
                spans = check(text, lower, match, least) if name in MEASURED else check(text, lower, match)
                for start, end in spans:
                    # An empty stretch says that the text has been examined up to there.
                    reached = max(reached, end)
                    if start < end:
                        yield start, end, kind
