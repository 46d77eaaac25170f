"""Phrases that name both what no longer holds and what holds instead: ``use X, not Y``, ``we moved from X to Y``."""

from __future__ import annotations

import re

from perdure.domain import languages
from perdure.domain.record import record
from perdure.domain.values import bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.languages.grammar import Grammar

# Where a phrase ends that began as a value: at a clause, a place or a time.
_END = re.compile(
    r"\s(?:for|in|on|at|when|because|since|as|and|but|so|to|with|during|after|before|any\s?more|any\slonger|from|now|today|last"
    r"|this|next|für|im|in\sder|beim|weil|seit|und|ab|para|pra|por|no|na|em|nos|nas|desde|porque|e|mais|en|y|al|pour|dans|car"
    r"|depuis|et|для|в|на|из-за|потому|и|с)\s.*$",
    re.IGNORECASE,
)


@record
class Replacement:
    """What no longer holds, and what holds instead (empty where nothing is named)."""

    old: str
    new: str = ""


def find(text: str) -> tuple[Replacement, ...]:
    """The replacements that a statement spells out, without repeats."""
    grammar = languages.of(text)
    found: dict[Replacement, None] = {}
    for pattern in grammar.replacements:
        for match in pattern.finditer(text):
            groups = match.groupdict("")
            old, new = _phrase(groups["old"], grammar), _phrase(groups.get("new", ""), grammar)
            if old and old.casefold() != new.casefold():
                found[Replacement(old, new)] = None
    return tuple(found)


def _phrase(text: str, grammar: Grammar) -> str:
    """A value without what comes after it, and without the verb and subject before it."""
    words = _END.sub("", f"{text} ").split()
    verbs = [at for at, word in enumerate(words[:-1]) if grammar.blanks and grammar.is_verb(word.lower())]
    return bare(" ".join(words[verbs[-1] + 1 :] if verbs else words))
