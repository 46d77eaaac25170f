"""Old against new for people: what goes and what comes, with the words marked that differ."""

from __future__ import annotations

import difflib
import itertools
import operator
import re
import unicodedata
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Words = list[tuple[str, bool]]

MOST_WORDS = 600
"""Longer texts are compared line by line, since comparing takes the square of their number."""
NARROWEST = 20
COLOURS = {"-": "red", "+": "green"}
# A word, a space, an end of line; scripts without spaces are compared sign by sign.
_WORD = re.compile(r"\n|[^\S\n]+|[\u2e80-\u9fff\uf900-\ufaff]|[^\s\u2e80-\u9fff\uf900-\ufaff]+")


def difference(olds: Sequence[str], new: str) -> tuple[list[Words], Words]:
    """The words of each old text and of the new one, each with whether it differs.

    A word of the new text differs where no old text has it in that place. Of long texts only the lines that differ
    are given.
    """
    if max(len(_WORD.findall(text)) for text in (*olds, new)) <= MOST_WORDS:
        return _compared([_WORD.findall(old) for old in olds], _WORD.findall(new))
    marked, fresh = _compared([old.splitlines(keepends=True) for old in olds], new.splitlines(keepends=True))
    return [list(_differing(old)) for old in marked], list(_differing(fresh))


def _compared(olds: Sequence[Sequence[str]], new: Sequence[str]) -> tuple[list[Words], Words]:
    marked: list[Words] = []
    fresh = [True] * len(new)
    for old in olds:
        kept: set[int] = set()
        for block in difflib.SequenceMatcher(None, old, new).get_matching_blocks():
            kept.update(range(block.a, block.a + block.size))
            fresh[block.b : block.b + block.size] = [False] * block.size
        marked.append([(word, place not in kept) for place, word in enumerate(old)])
    return marked, list(zip(new, fresh, strict=True))


def _differing(found: Words) -> Iterator[tuple[str, bool]]:
    """The words of lines that differ, and a mark for each run of lines that do not."""
    for differs, run in itertools.groupby(found, operator.itemgetter(1)):
        text = "".join(line for line, _differs in run) if differs else "...\n"
        yield from ((word, differs) for word in _WORD.findall(text))


def lines(sign: str, words: Words, width: int, most: int = 0) -> Iterator[str]:
    """The text in lines that fit ``width`` cells, each after its sign, at most ``most`` of them unless that is 0."""
    found = [f"{sign} {line}".rstrip() for line in _wrapped(words, COLOURS[sign], max(NARROWEST, width) - 2)]
    shown = found if not most or len(found) <= most else found[: most - 1]
    yield from shown
    if len(shown) < len(found):
        yield f"{sign} ... and {len(found) - len(shown):,} more lines"


def _wrapped(words: Words, colour: str, width: int) -> Iterator[str]:
    line, used = "", 0
    fitting = ((piece, differs) for word, differs in words for piece in _pieces(word, width))
    for word, differs in fitting:
        if word == "\n":
            yield line
            line, used = "", 0
            continue
        blank, size = word.isspace(), cells(word)
        if used + size > width and used:
            yield line
            line, used = "", 0
            if blank:
                continue
        line += click.style(word, fg=colour) if differs and not blank else " " if blank else word
        used += 1 if blank else size
    if line:
        yield line


def _pieces(word: str, width: int) -> Iterator[str]:
    """A word in pieces that each fit a line."""
    start = used = 0
    for place, sign in enumerate(word):
        size = cells(sign)
        if used + size > width:
            yield word[start:place]
            start, used = place, 0
        used += size
    yield word[start:]


def cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )
