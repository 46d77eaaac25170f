"""Append-only files of JSON lines, read with bounded memory whatever they hold.

Hosts write one JSON object a line and may be killed while they do so. So a line can be torn, glued to the
next one, followed by NULs that a crash left behind, or longer than anything worth reading. A line ends at
a newline; a run of NULs cuts it, since no JSON text holds one and a good record may follow. Each line
that lost something is named once.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.domain.json import Json

    Record = dict[str, Json]

MAX_LINE = 8 << 20
"""Bytes; what is longer is passed over and named."""

MAX_VALUES = 400_000
"""Values in a line, by an upper estimate: small values take a hundred times their text in memory."""

MAX_DIGITS = 400
CHUNK = 1 << 20
MAX_GLUED = 16

LONG = "The line is longer than 8 MiB and was passed over."
NULS = "The line holds NUL bytes; only what stands whole beside them was read."
CROWDED = "The line holds too many values to be read."
DEEP = "The line is nested too deeply to be read."
NOT_JSON = "The line is not JSON."
NOT_OBJECT = "The line is not a JSON object."
NOT_UTF8 = "The line holds bytes that are not UTF-8; they were replaced."

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r"
_BETWEEN = re.compile(rb"(?<=\0)[^\0{]*\{[^\0]+(?=\0)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or what a run of NULs cut from it. Offsets are bytes in the file.

    ``start`` is where the line begins, by which a fault is named; ``at`` is where ``text`` begins,
    and ``end`` where reading goes on. ``closed`` is False for a last line without a newline;
    ``named`` is True where the line's fault has been told already.
    """

    start: int
    at: int
    end: int
    text: bytes
    fault: str = ""
    closed: bool = True
    named: bool = False


class _Open:
    """The line that is being read."""

    __slots__ = ("at", "dropping", "length", "named", "parts", "start", "taken")

    def __init__(self, start: int, *, named: bool = False, dropping: bool = False) -> None:
        self.start = start
        self.at = start
        self.taken = start
        self.named = named
        self.dropping = dropping
        self.parts: list[bytes] = []
        self.length = 0

    def feed(self, data: bytes, at: int) -> Iterator[Line]:
        """Take in bytes of the line that stand at ``at``; gives what NULs cut off."""
        first = data.find(b"\0")
        if first < 0:
            self._hold(data)
            return
        last = data.rindex(b"\0")
        self._hold(data[:first])
        yield self.take(at + first + 1, NULS)
        for found in _BETWEEN.finditer(data, first, last + 1):
            self.at = at + found.start()
            self._hold(found[0])
            yield self.take(at + found.end() + 1, NULS)
        if self.taken <= at + last:
            yield self.take(at + last + 1, NULS)
        self._hold(data[last + 1 :])

    def take(self, end: int, fault: str = "", *, closed: bool = True) -> Line:
        """Give what is held, and begin anew at ``end``."""
        fault = LONG if self.dropping else fault
        line = Line(self.start, self.at, end, b"".join(self.parts), fault, closed, self.named)
        self.named = self.named or bool(fault)
        self.at = self.taken = end
        self.length, self.dropping = 0, False
        self.parts.clear()
        return line

    def _hold(self, data: bytes) -> None:
        self.length += len(data)
        if self.length > MAX_LINE:
            self.parts.clear()
            self.dropping = True
        elif data and not self.dropping:
            self.parts.append(data)


def lines(descriptor: int, offset: int, size: int, *, chunk: int = CHUNK) -> Iterator[Line]:
    """The lines of an open file from ``offset`` to ``size``, in reads of at most ``chunk`` bytes.

    An offset inside a line steps back to where that line begins. Raises ``OSError`` where the file
    cannot be read.
    """
    line = _opening(descriptor, offset)
    position = line.start
    while position < size:
        data = os.pread(descriptor, min(chunk, size - position), position)
        if not data:
            break
        if data.count(0) == len(data):
            position = _next_data(descriptor, position + len(data), size)
            yield line.take(position, NULS)
            continue
        begin = 0
        while (newline := data.find(b"\n", begin)) >= 0:
            yield from line.feed(data[begin:newline], position + begin)
            begin = newline + 1
            yield line.take(position + begin)
            line = _Open(position + begin)
        yield from line.feed(data[begin:], position + begin)
        position += len(data)
    if line.taken < position:
        yield line.take(position, closed=False)


def _opening(descriptor: int, offset: int) -> _Open:
    """The line that an offset belongs to, with what earlier readings have already said of it."""
    if offset <= 0:
        return _Open(0)
    before = os.pread(descriptor, 1, offset - 1)
    if before == b"\0":
        return _Open(offset, named=True)
    if before == b"\n" or os.pread(descriptor, 1, offset) in {b"\r", b"\n", b""}:
        return _Open(offset)
    position = offset
    while position > max(0, offset - MAX_LINE):
        begin = max(0, position - (CHUNK >> 4))
        data = os.pread(descriptor, position - begin, begin)
        edge = max(data.rfind(b"\n"), data.rfind(b"\0"))
        if edge >= 0:
            return _Open(begin + edge + 1, named=data[edge] == 0)
        position = begin
    if position == 0:
        return _Open(0)
    return _Open(offset, named=True, dropping=True)


def _next_data(descriptor: int, position: int, size: int) -> int:
    """Where data goes on after a hole, for systems that know their holes; else ``position``."""
    if position >= size or not hasattr(os, "SEEK_DATA"):
        return position
    try:
        return min(size, os.lseek(descriptor, position, os.SEEK_DATA))
    except OSError as error:
        import errno

        return size if error.errno == errno.ENXIO else position


def records(line: Line) -> tuple[list[tuple[int, Record]], str]:
    """The JSON objects of a line with their offsets, and the fault to name.

    One object is the rule. Where a torn record and a good one share a closed line, the good one is
    found. Of a line that is not closed nothing is given unless it is one whole object.
    """
    found: list[tuple[int, Record]] = []
    fault = ""
    body = line.text.removeprefix(_BOM).strip(_BLANK)
    if body:
        record, fault = _record(body)
        if record is not None:
            found = [(line.at, record)]
        elif line.closed:
            found = _glued(line)
    return found, "" if line.named else line.fault or fault


def is_torn(line: Line, found: list[tuple[int, Record]]) -> bool:
    """Whether a line may still grow into a record: not closed, not whole, and not given up."""
    return not (line.closed or found or line.fault or line.at == line.end)


def _glued(line: Line) -> list[tuple[int, Record]]:
    """Whole records in a line that is not one record.

    They are looked for at its beginning and wherever a record of a tree opens, which can't occur unescaped inside
    JSON text; what follows a record is passed over.
    """
    opening = line.text.find(b"{")
    begins = [found.start() for found in re.finditer(rb'\{"parentUuid"', line.text)][-MAX_GLUED:]
    if opening >= 0 and opening not in begins:
        begins.insert(0, opening)
    found = []
    for begin, end in pairwise([*begins, len(line.text)]):
        record, _fault = _record(line.text[begin:end], whole=False)
        if record is not None:
            found.append((line.at + begin, record))
    return found


def _record(body: bytes, *, whole: bool = True) -> tuple[Record | None, str]:
    """The object that a text is, or unless ``whole`` that it begins with; else why there is none."""
    if body.count(b",") + body.count(b"[") + body.count(b"{") > MAX_VALUES:
        return None, CROWDED
    fault = ""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text, fault = body.decode("utf-8", "replace"), NOT_UTF8
    try:
        value = _DECODER.decode(text) if whole else _DECODER.raw_decode(text)[0]
    except RecursionError:
        return None, DEEP
    except ValueError:
        return None, NOT_JSON
    return (value, fault) if isinstance(value, dict) else (None, NOT_OBJECT)


def _integer(digits: str) -> int | float:
    """An integer, unless it has more digits than anything counted; reading those takes quadratic time."""
    return int(digits) if len(digits) <= MAX_DIGITS else float(digits)


_DECODER = json.JSONDecoder(parse_int=_integer, strict=False)
