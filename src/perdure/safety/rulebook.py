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
# A long text is taken in pieces; a keyword may stand so far before or after what it calls a rule for.
_PIECE = 131_072
_LOOK_BACK = 512
_LOOK_AHEAD = 64
# Most matches are shorter; the rest is looked at again.
_REACH = 4096
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

    def _matches(
        self, number: int, hits: Sequence[str], texts: tuple[str, str], stretch: tuple[int, int]
    ) -> Iterator[re.Match[str]]:
        """The matches of one rule that begin in a stretch, from left to right for each string it begins with.

        ``texts`` are the text as written and in lower case.
        """
        _, form, _, anchors, expression, follow, cased, called, back, _, _ = self._rows[number]
        text = texts[0]
        subject = text if cased else texts[1]
        if not anchors:
            yield from _within(self._pattern(expression), subject, stretch)
        for anchor in anchors:
            if not called and anchor.lower() not in hits:
                continue
            if form == "back":
                steps = _within(self._pattern(re.escape(anchor) + follow), text, stretch)
                yield from self._stepped(expression, steps, text, back)
                continue
            for match in _within(self._pattern(re.escape(anchor) + expression), subject, stretch):
                if form != "prefix" or begins(text, match.start()):
                    yield match

    def _stepped(
        self, expression: str, steps: Iterable[re.Match[str]], text: str, back: int
    ) -> Iterator[re.Match[str]]:
        """Matches that begin, as a word, a fixed number of characters before what they are found by."""
        pattern = self._pattern(expression)
        for found in steps:
            match = pattern.match(text, found.start() - back) if found.start() >= back else None
            if match and begins(text, match.start()):
                yield match

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Every stretch that a rule claims: start, end, kind. Claims may overlap.

        A long text is taken piece by piece, so that a rule runs only where its keyword is near.
        """
        lower = prefilter.lowered(text)
        shadows = prefilter.shadow(text), prefilter.shadow(lower)
        reached: dict[int, tuple[int, int]] = {}
        for begin in range(0, len(text), _PIECE):
            end = min(len(text), begin + _PIECE)
            near = lower[max(0, begin - _LOOK_BACK) : end + _LOOK_AHEAD]
            for number, hits in self._index.hits(near).items():
                texts = (text, lower) if self._rows[number][-1] == "foreign" else shadows
                matches = self._matches(number, hits, texts, (begin, end))
                yield from self._checked(number, matches, (text, lower), reached)

    def _checked(
        self,
        number: int,
        matches: Iterable[re.Match[str]],
        texts: tuple[str, str],
        reached: dict[int, tuple[int, int]],
    ) -> Iterator[tuple[int, int, str]]:
        """What a rule's check makes of its matches; those in what it has examined already are passed over."""
        kind, *_, least, name = self._rows[number]
        check = CHECKS[name]
        seen, examined = reached.get(number, (0, 0))
        for match in matches:
            if match.start() < seen:
                examined = 0
            seen = match.start()
            if seen < examined:
                continue
            spans = check(*texts, match, least) if name in MEASURED else check(*texts, match)
            for start, end in spans:
                # An empty stretch says that the text has been examined up to there.
                examined = max(examined, end)
                if start < end:
                    yield start, end, kind
        reached[number] = (seen, examined)


def _within(pattern: re.Pattern[str], text: str, stretch: tuple[int, int]) -> Iterator[re.Match[str]]:
    """The matches that begin in a stretch, in full even where they reach far beyond it."""
    begin, end = stretch
    limit = min(len(text), end + _REACH)
    for match in pattern.finditer(text, begin, limit):
        if match.start() >= end:
            return
        if match.end() == limit < len(text):
            yield pattern.match(text, match.start()) or match
        else:
            yield match
