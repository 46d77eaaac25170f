"""Secrets of many lines: private keys in armour, whole or torn, and what a user marked as private."""

from __future__ import annotations

import re

from perdure.safety import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Spans: TypeAlias = Iterable[tuple[int, int]]

# What stands between the lines of a key: ends of lines, escaped or not, quotes and signs of joined strings,
# numbers of lines, the margins of quotations and diffs.
_BETWEEN = r"""(?:\\+[nrt]|[\s"'`+,>|│→:;#*()]|(?<=[\n\s])-(?=[A-Za-z0-9+/ ])|\d{1,6}(?=[ \t→:|.)│\\]))"""
_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID)[ ]?:[^\n\\]{0,200}"
_LINE = r"(?:[A-Za-z0-9+/=]|\\{1,2}/){16,}+"
_PADDED = r"[A-Za-z0-9+/]{1,15}={1,2}|=[A-Za-z0-9+/]{4}"
_LAST = rf"(?:{_PADDED}|[A-Za-z0-9+/]{{1,15}}(?=(?:\\+[nrt]|[\s\"'`+,>|│→:\d]){{1,12}}-----END))"
# Atomic, and not possessive: up to Python 3.11.4 a possessive group that backtracks inside can match too much.
_BODY = lazy.Pattern(f"(?>(?:{_BETWEEN}|{_HEADER}|{_LINE}|{_LAST})*)")
_SHORT = lazy.Pattern(
    r"(?:\r?\n|\\+n)[ \t]{0,20}(?:\d{1,6}[\t→|: ]+)?(?=[A-Za-z0-9+/]*[0-9+/])([A-Za-z0-9+/]{1,15})(?=\s|\\+n|[\"']|$)"
)
_END = lazy.Pattern(r"-{4,5} ?END [A-Z0-9 ]{0,40}-{4,5}")
_LONG = lazy.Pattern(r"[A-Za-z0-9+/]{16}")
_KEPT = lazy.Pattern(r"(?:\\+[nrt]|[\s\"'`,>|│→:;#*()\\])+\Z")
_ENDINGS = " \t\r\n\\\"'"
_NUMBERED = r"(?:\d{1,6}[\t→|:. ]+)?"
_TORN_LINE = lazy.Pattern(
    rf"[\s\"'`+,>|│→:;#*-]*{_NUMBERED}[A-Za-z0-9+/]{{16,}}={{0,2}}[\s\"'`+,\\]*"
    rf"|[\s>+|]*{_NUMBERED}[A-Za-z0-9+/]{{1,15}}={{0,2}}\s*"
)
_TORN_END = lazy.Pattern(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,}={0,2}\Z")
_MAC = lazy.Pattern(r"(?:\r?\n|\\+n)\s*(?:\d+[\t→])?\s*Private-MAC: ?[0-9a-f]{8,}")


def _body(text: str, start: int) -> int:
    """Where the lines of a key that begin at ``start`` end, or ``start`` if there are none."""
    match = _BODY.match(text, start)
    end = match.end() if match else start
    if not _LONG.search(text, start, end):
        return start
    closing = _END.match(text, end)
    if closing:
        return closing.end()
    kept = _KEPT.search(text, start, end)
    end = kept.start() if kept else end
    short = _SHORT.match(text, end)
    return short.end(1) if short else end


def armour(text: str, lower: str, match: re.Match[str]) -> Spans:
    """A private key from its first line to its last, or as far as it goes."""
    del lower
    end = _body(text, match.end())
    return ((match.start(), end),) if end > match.end() else ()


def tail(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The lines before an END whose BEGIN is missing."""
    del lower
    limit = max(0, match.start() - 16_000)
    start = edge = match.start()
    while edge > limit:
        begin = _line_start(text, limit, edge)
        line = text[begin:edge]
        if line.strip(_ENDINGS) and not _TORN_LINE.fullmatch(line):
            torn = _TORN_END.search(text, begin, edge)
            start = torn.start() if torn else start
            break
        if line.strip(_ENDINGS):
            start = begin
        edge = begin - 1 if begin > limit and text[begin - 1] in "\nn" else begin
        while edge > limit and text[edge - 1] in "\\\r":
            edge -= 1
        if edge == begin:
            break
    return ((start, match.end()),) if _LONG.search(text, start, match.start()) else ()


def _line_start(text: str, limit: int, edge: int) -> int:
    """Where the line before ``edge`` begins; an escaped end of line ends one too."""
    return max(limit, text.rfind("\n", limit, edge) + 1, text.rfind("\\n", limit, edge) + 2)


def putty(text: str, lower: str, match: re.Match[str]) -> Spans:
    """The private lines of a PuTTY key and their code."""
    del lower
    end = _body(text, match.end())
    mac = _MAC.match(text, end)
    start = match.end()
    while start < end and not text[start].isalnum():
        start += 1
    return ((start, mac.end() if mac else end),) if end > match.end() else ()


_PRIVATE = lazy.Pattern(r"<\s{0,8}(/?)\s{0,8}private(?:\s[^<>]{0,200})?>", re.IGNORECASE)


def private(text: str, lower: str, match: re.Match[str]) -> Spans:
    """From an opening tag to the one that closes it, or to the end."""
    depth = 0
    for tag in _PRIVATE.finditer(lower, match.start()):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return ((match.start(), tag.end()),)
    return ((match.start(), len(text)),)
