"""Which rules can apply to a text at all, found without running any of them.

A text of a megabyte has a few thousand different words. Its rules' keywords are looked for among those words,
and only a keyword that may be there is looked for in the text itself.
"""

from __future__ import annotations

import re

from perdure.safety import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_TABLE = bytes(byte if byte in _KEPT else 32 for byte in range(256))
# What glues itself to the front of a word without belonging to it: ends of lines and signs, escaped.
_ESCAPES = (
    (b"\\", (b"\\n", b"\\t", b"\\r")),
    (b"\\u00", (b"\\u0022", b"\\u0026", b"\\u003c", b"\\u003d", b"\\u003e")),
    (b"%", (b"%3d", b"%22", b"%20", b"%3a", b"%2f", b"%26", b"%0a")),
)
# By so many of its first characters a beginning of words is found.
_SHORT = 4
_SHORTEST = 3
_RUN = re.compile(r"[a-z0-9]+")


def lowered(text: str) -> str:
    """The text in lower case, every character in its place: the one that would grow is put aside first."""
    return text.lower() if text.isascii() else text.replace("\u0130", "i").lower()


def shadow(text: str) -> str:
    """The text with a question mark for every character beyond ASCII: the same length, and quicker to search."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")


def _chunks(lower: bytes) -> bytes:
    """The text with each run of characters without a blank once."""
    return b" ".join({*lower.split()})


def _words(chunks: bytes) -> set[bytes]:
    """The different runs of letters and digits, with what may be glued to them taken off."""
    for sign, escapes in _ESCAPES:
        if sign in chunks:
            for escape in escapes:
                chunks = chunks.replace(escape, b" ")
    return {*chunks.translate(_TABLE).split()}


def placement(keyword: str, *, begins: bool) -> tuple[str, str]:
    """Where a keyword in lower case is looked for, and by which runs of letters and digits in it, the longest first.

    ``begins`` says that the keyword begins a word. Places: ``whole`` (the runs are words of the text), ``begins`` (it
    begins one), ``within`` (it stands in one), ``plain`` (no run tells anything), ``foreign`` (not ASCII).
    """
    if not keyword.isascii():
        return "foreign", keyword
    runs = [(run[0], run.start() > 0 or begins, run.end() < len(keyword)) for run in _RUN.finditer(keyword)]
    if not runs:
        return "plain", keyword
    whole = [run for run, left, right in runs if left and right]
    if whole:
        return "whole", " ".join(sorted(whole, key=len, reverse=True))
    run, left, _ = max(runs, key=lambda found: len(found[0]))
    return ("begins" if left and len(run) >= _SHORTEST else "within"), run


class Prefilter:
    """An index from keywords to the numbers of the rules that wait for them."""

    def __init__(self, gates: Iterable[tuple[int, Iterable[tuple[str, str, str]]]]) -> None:
        """``gates`` are the number of a rule and its keywords, each with its :func:`placement`."""
        self._rules: dict[str, list[int]] = {}
        self._bytes: dict[str, bytes] = {}
        self._whole: dict[bytes, list[tuple[frozenset[bytes], str]]] = {}
        self._begins: dict[bytes, list[tuple[bytes, str]]] = {}
        self._within: dict[bytes, list[str]] = {}
        self._plain: list[str] = []
        self._foreign: dict[str, list[str]] = {}
        for number, keywords in gates:
            for keyword, place, run in keywords:
                waiting = self._rules.get(keyword)
                if waiting is None:
                    self._rules[keyword] = [number]
                    self._bytes[keyword] = keyword.encode()
                    self._place(keyword, place, run)
                else:
                    waiting.append(number)
        self._signs = lazy.Pattern(f"[{re.escape(''.join(sorted(self._foreign)))}]")

    def _place(self, keyword: str, place: str, run: str) -> None:
        if place == "whole":
            first, *others = run.encode().split()
            self._whole.setdefault(first, []).append((frozenset(others), keyword))
        elif place == "begins" and len(run) >= _SHORT:
            self._begins.setdefault(run[:_SHORT].encode(), []).append((b" " + run.encode(), keyword))
        elif place == "begins":
            self._within.setdefault(b" " + run.encode(), []).append(keyword)
        elif place == "within":
            self._within.setdefault(run.encode(), []).append(keyword)
        elif place == "plain":
            self._plain.append(keyword)
        else:
            self._foreign.setdefault(next(sign for sign in keyword if not sign.isascii()), []).append(keyword)

    def _candidates(self, words: set[bytes]) -> Iterator[str]:
        """The keywords that may be in a text of these words."""
        yield from self._plain
        for word in self._whole.keys() & words:
            for others, keyword in self._whole[word]:
                if others <= words:
                    yield keyword
        joined = b" " + b" ".join(words)
        for begin in self._begins.keys() & {word[:_SHORT] for word in words}:
            for run, keyword in self._begins[begin]:
                if run in joined:
                    yield keyword
        for run, keywords in self._within.items():
            if run in joined:
                yield from keywords

    def _present(self, lower: str) -> Iterator[str]:
        """The keywords that are in the text."""
        data = lower.encode("ascii", "replace")
        chunks = _chunks(data)
        for keyword in {*self._candidates(_words(chunks))}:
            if keyword.isalnum() or self._bytes[keyword] in (data if " " in keyword else chunks):
                yield keyword
        if self._foreign and not lower.isascii():
            for sign in {*self._signs.findall(lower)}:
                yield from (keyword for keyword in self._foreign[sign] if keyword in lower)

    def hits(self, lower: str) -> dict[int, list[str]]:
        """The numbers of the rules to run, each with those of its keywords that occur, in a fixed order."""
        found: dict[int, list[str]] = {}
        for keyword in sorted(self._present(lower)):
            for number in self._rules[keyword]:
                found.setdefault(number, []).append(keyword)
        return dict(sorted(found.items()))
