"""What sort of value a phrase names, so that two values are compared only where one can take the other's place."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from perdure.domain import languages


class Sort(StrEnum):
    """Sorts of values. Two of ``WORDS`` may both hold; two of any other sort rarely do."""

    NUMBER = "number"
    MONEY = "money"
    SHARE = "share"
    SPAN = "span"
    SIZE = "size"
    CLOCK = "clock"
    WEEKDAY = "weekday"
    DATE = "date"
    VERSION = "version"
    SWITCH = "switch"
    NAME = "name"
    WORDS = "words"


SHAPED = frozenset(Sort) - {Sort.NAME, Sort.WORDS, Sort.SWITCH}
"""Sorts that are known by their form alone."""

_N = (
    r"(?:\d[\d., ]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|sixty|ninety"
    r"|hundred)"
)
_VERSION = r"(?:[\w.+-]+ )?v?\d+(?:\.\d+|\.x)+[\w.-]*|(?:[\w.+-]+ )?v\d+"
_MONEY = rf"[$€£¥]\s?{_N}[km]?|{_N}\s?(?:[$€£¥]|usd|eur|euros?|dollars?|reais|рубл\w+|元|円)"
_SHARE = rf"{_N}\s?(?:%|percent|prozent|por cento|por ciento|pour cent|процент\w*)"
_CLOCK = (
    r"\d{1,2}[:h]\d{2}(?:\s?[ap]m| uhr| utc| h)?|\d{1,2}\s?(?:[ap]m|uhr|h|点|點|時)|noon|midnight"
    r"|mittag|mitternacht|meio-dia|mediodía|midi|minuit|полдень"
)
_DATE = (
    r"\d{4}-\d{2}(?:-\d{2})?|\d{1,2}[./]\d{1,2}\.(?:\d{2,4})?|\d{1,2}/\d{1,2}(?:/\d{2,4})?"
    r"|(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of \w+)?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?"
    r"|q[1-4]|\d{1,2}月(?:\d{1,2}日)?|\d{1,2}[日号]"
)
_LEADING = re.compile(
    r"^(?:(?:the|a|an|at|on|in|to|by|of|for|from|port|is|only|exactly|about|up to|version|every|each|der|die|das|den"
    r"|dem|eine?|am|um|im|auf|bei|o|os|as|uma?|em|no|na|às|de|el|la|los|las|una?|en"
    r"|les?|à|au|des|du|в|на|по|до)\s+)+",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"[^\W\d_a-zà-ÿа-яё][\w'’.&+#-]*")
_CODE = re.compile(r"[\w./~@:-]*(?:[/_@:~]|\w[.]\w|\w-\w|[a-z][A-Z])[\w./~@:*-]*|`[^`]+`|[\w.-]+\d[\w.-]*")
_KATAKANA = re.compile(r"[ァ-ヶー]{2,}")
_JOINERS = frozenset(
    ("of", "and", "de", "da", "do", "von", "van", "der", "del", "di", "for", "la", "le", "los", "&", "the")
)
_LONGEST_NAME = 7
_AROUND = " .,;:!?。、，；！()[]\"“”„'«»「」"


def bare(phrase: str) -> str:
    """A phrase without the signs around it and without articles and prepositions in front."""
    return _LEADING.sub("", phrase.strip(_AROUND)).strip()


@lru_cache(maxsize=1)
def _shapes() -> tuple[tuple[Sort, re.Pattern[str]], ...]:
    """The form of each sort, with the units of all languages: a number says little of its language."""

    def all_of(name: str) -> str:
        return "|".join(getattr(language, name) for language in languages.LANGUAGES)

    switches = "|".join(word for language in languages.LANGUAGES for word in language.switches.split())
    forms = (
        (Sort.VERSION, _VERSION),
        (Sort.MONEY, _MONEY),
        (Sort.SHARE, _SHARE),
        (Sort.SPAN, rf"{_N}\s?-?(?:{all_of('spans')})"),
        (Sort.SIZE, rf"{_N}\s?(?:{all_of('sizes')})"),
        (Sort.CLOCK, _CLOCK),
        (Sort.WEEKDAY, all_of("weekdays")),
        (Sort.DATE, _DATE),
        (Sort.SWITCH, switches),
        (Sort.NUMBER, rf"#?{_N}"),
    )
    return tuple((sort, re.compile(rf"(?:{form})", re.IGNORECASE)) for sort, form in forms)


@lru_cache(maxsize=4096)
def sort_of(phrase: str) -> Sort:
    """What sort of value a phrase is: a form, a name (capitals, code, katakana), or just words."""
    value = bare(phrase)
    for sort, form in _shapes():
        if form.fullmatch(value):
            return sort
    words = value.split()
    if 0 < len(words) <= _LONGEST_NAME and words[0].lower() not in _JOINERS and all(map(_is_name, words)):
        return Sort.NAME
    return Sort.WORDS


def _is_name(word: str) -> bool:
    word = word.strip(_AROUND)
    return word in _JOINERS or any(form.fullmatch(word) for form in (_CAPITAL, _CODE, _KATAKANA))
