"""Relative times, resolved against the time at which they were said."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache

from perdure.domain.instants import to_datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS = {
    "yesterday": -1, "today": 0, "tomorrow": 1, "day before yesterday": -2, "day after tomorrow": 2,
    "gestern": -1, "heute": 0, "vorgestern": -2, "ontem": -1, "hoje": 0, "ayer": -1, "hoy": 0,
    "hier": -1, "aujourd'hui": 0, "вчера": -1, "сегодня": 0, "завтра": 1, "позавчера": -2,
    "昨天": -1, "今天": 0, "明天": 1, "前天": -2, "昨日": -1, "今日": 0, "明日": 1, "一昨日": -2,
}  # fmt: skip
_UNITS = {"day": 1, "week": 7, "fortnight": 14}


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, _DAYS), key=len, reverse=True))
    latin = rf"\b(?:{names})\b|(?:昨天|今天|明天|前天|昨日|今日|明日|一昨日)"
    ago = r"\b(?P<count>\d{1,3}|a|an|one|two|three|four|five|six) (?P<unit>day|week|fortnight)s? ago\b"
    week = rf"\blast (?P<weekday>{'|'.join(_WEEKDAYS)})\b|\b(?P<last>last week)\b"
    return re.compile(f"{ago}|{week}|{latin}", re.IGNORECASE)


_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def resolve(text: str, said_at: int) -> dict[str, str]:
    """Relative days that a text names, as ``{phrase: YYYY-MM-DD}``, counted from the UTC day it was said."""
    said = to_datetime(said_at).date()
    found: dict[str, str] = {}
    for match in _pattern().finditer(text):
        try:
            found[match.group().lower()] = _day(match, said).isoformat()
        except OverflowError:
            continue
    return found


def _day(match: re.Match[str], said: date) -> date:
    if match["count"]:
        count = match["count"].lower()
        number = _COUNTS[count] if count in _COUNTS else int(count)
        return said - timedelta(days=number * _UNITS[match["unit"].lower()])
    if match["weekday"]:
        back = (said.weekday() - _WEEKDAYS.index(match["weekday"].lower())) % 7 or 7
        return said - timedelta(days=back)
    if match["last"]:
        return said - timedelta(days=said.weekday() + 7)
    return said + timedelta(days=_DAYS[match.group().lower()])
