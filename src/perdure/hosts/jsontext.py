"""Small edits in the text of a JSON file that leave every other byte as its owner wrote it.

A place is a path of keys and indexes from the top. Where a key stands twice the last one counts, as it
does for every reader. Every function takes text that ``parse`` accepts and gives text that it accepts.
"""

from __future__ import annotations

import json
import re

from perdure.domain.errors import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.json import Json

    Path = Sequence[str | int]
    Part = tuple[str | int, int, int, int]

_BOM = "\ufeff"
_SPACE = re.compile(r"[ \t\r\n]*")
_raw = json.JSONDecoder().raw_decode


def parse(text: str, where: str) -> dict[str, Json]:
    """The object that a file holds. Raises ``Refused`` naming the place where it is none."""
    try:
        value = json.loads(text.removeprefix(_BOM))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Refused(f"{where} is not valid JSON ({place}: {error.msg}). It was left as it is.") from None
    except (ValueError, RecursionError):
        raise Refused(f"{where} holds a number or a nesting beyond reason. It was left as it is.") from None
    if not isinstance(value, dict):
        raise Refused(f"{where} does not hold a JSON object. It was left as it is.")
    return value


def insert(text: str, path: Path, value: Json, key: str = "") -> str:
    """Append a member named ``key``, or an item, to the object or list at ``path``."""
    begin, end = _span(text, path)
    parts = _parts(text, begin)
    label = f"{json.dumps(key, ensure_ascii=False)}: " if text[begin] == "{" else ""
    if parts:
        last = parts[-1][3]
        lead = text[begin + 1 : parts[0][1]]
        if "\n" in lead:
            lead = _newline(text) + lead.rpartition("\n")[2]
        elif len(parts) > 1:
            lead = text[parts[-2][3] : parts[-1][1]].replace(",", "", 1)
        added = f",{lead or ' '}{label}{_dump(text, value, lead)}"
        return text[:last] + added + text[last:]
    if not _is_spread(text):
        return f"{text[: begin + 1]}{label}{_dump(text, value, '')}{text[end - 1 :]}"
    newline = _newline(text)
    indent = _indent_at(text, begin)
    lead = f"{newline}{indent}{_unit(text)}"
    body = f"{lead}{label}{_dump(text, value, lead)}{newline}{indent}"
    return text[: begin + 1] + body + text[end - 1 :]


def replace(text: str, path: Path, value: str) -> str:
    """Put another text value at ``path``."""
    begin, end = _span(text, path)
    return text[:begin] + json.dumps(value, ensure_ascii=False) + text[end:]


def remove(text: str, path: Path) -> str:
    """Take out a member or item, with the comma and the space that came with it."""
    begin, end = _span(text, path[:-1])
    parts = _parts(text, begin)
    number = _find(parts, path[-1])
    if len(parts) == 1:
        return text[: begin + 1] + text[end - 1 :]
    if number > 0:
        return text[: parts[number - 1][3]] + text[parts[number][3] :]
    return text[: parts[0][1]] + text[parts[1][1] :]


def _find(parts: Sequence[Part], step: str | int) -> int:
    return max(number for number, part in enumerate(parts) if part[0] == step)


def _span(text: str, path: Path) -> tuple[int, int]:
    """Where the value at ``path`` begins and ends."""
    begin = _past(text, len(_BOM) if text.startswith(_BOM) else 0)
    _value, end = _raw(text, begin)
    for step in path:
        parts = _parts(text, begin)
        _key, _start, begin, end = parts[_find(parts, step)]
    return begin, end


def _parts(text: str, begin: int) -> list[Part]:
    """The members of the object, or items of the list, at ``begin``.

    Each is its key or index, where it begins, where its value begins, and where it ends.
    """
    found: list[Part] = []
    is_object = text[begin] == "{"
    position = _past(text, begin + 1)
    while text[position] not in "}]":
        start = position
        key: str | int = len(found)
        if is_object:
            key, position = _raw(text, position)
            position = _past(text, _past(text, position) + 1)
        value = position
        _value, position = _raw(text, position)
        found.append((key, start, value, position))
        position = _past(text, position)
        if text[position] == ",":
            position = _past(text, position + 1)
    return found


def _past(text: str, position: int) -> int:
    """The first position from there on that is no space."""
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _dump(text: str, value: Json, lead: str) -> str:
    """A value in the file's style, for a place whose line begins with ``lead``."""
    if "\n" not in lead:
        return json.dumps(value, ensure_ascii=False)
    indent = lead.rpartition("\n")[2]
    dumped = json.dumps(value, ensure_ascii=False, indent=_unit(text) or None)
    return dumped.replace("\n", _newline(text) + indent)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _is_spread(text: str) -> bool:
    """Whether the file is written over several lines; an empty object is, once it holds something."""
    begin = _span(text, ())[0]
    parts = _parts(text, begin)
    return not parts or "\n" in text[begin : parts[0][1]]


def _unit(text: str) -> str:
    """One step of indentation, as the first member shows it; two spaces where nothing does."""
    begin = _span(text, ())[0]
    parts = _parts(text, begin)
    if not parts or "\n" not in text[begin : parts[0][1]]:
        return "  "
    return text[begin + 1 : parts[0][1]].rpartition("\n")[2].removeprefix(_indent_at(text, begin))


def _indent_at(text: str, position: int) -> str:
    """The space that begins the line of a position."""
    line = text[text.rfind("\n", 0, position) + 1 : position].removeprefix(_BOM)
    return line[: len(line) - len(line.lstrip(" \t"))]
