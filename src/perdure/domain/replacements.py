"""Phrases that name both what no longer holds and what holds instead: ``use X, not Y``, ``we moved from X to Y``."""

from __future__ import annotations

import re

from perdure.domain import languages
from perdure.domain.record import record
from perdure.domain.values import bare

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
    found: dict[Replacement, None] = {}
    for pattern in languages.of(text).replacements:
        for match in pattern.finditer(text):
            groups = match.groupdict("")
            old, new = _phrase(groups["old"]), _phrase(groups.get("new", ""))
            if old and old.casefold() != new.casefold():
                found[Replacement(old, new)] = None
    return tuple(found)


def _phrase(text: str) -> str:
    return bare(_END.sub("", f"{text} ").strip())
