"""What a word looks like: thrown by dice, chosen by a person, written by a programmer, or standing for another.

Pure predicates over one word. None of them knows where the word stands.
"""

# ruff: noqa: PLR2004 - lengths and counts are judgements, said by the words around them
from __future__ import annotations

import re
from math import log2

from perdure.safety import _rules, lazy

_PLACEHOLDERS = frozenset(_rules.PLACEHOLDER)
TECHNICAL = frozenset(_rules.TECHNICAL)
_VARIABLE = lazy.Pattern(
    r"""[$%#]?\{|\$[\w(\[{]|%[(a-zA-Z]\w*[)%]|<|\[redacted|\*{3}|\.{3}|@@|!\w|&[#\w]\w*(?:;|$)|__\w+__$|:[a-z_]+$|%[sdr]$""",
    re.IGNORECASE,
)
_TEMPLATE = lazy.Pattern(r"\$\{[^}]*\}|\{\{.*?\}\}|\{[a-z_][\w.\[\]!:]*\}|\$\(|<[\w -]{1,40}>")
_CALL = lazy.Pattern(r"[A-Za-z_&*!][\w.:>?-]*[(\[{]")
_DOTTED = lazy.Pattern(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+\??[;,]?$")
_IDENTIFIER = lazy.Pattern(r"_*[a-z][a-z0-9]*(?:_[a-z0-9]+)+$|_*[A-Za-z][a-z]+\d*(?:[A-Z]+[a-z]+\d*)+$")
_SEGMENT = lazy.Pattern(r"(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,2}$|[A-Za-z]{2,6}\d{3,4}$|\d{1,5}$|v\d+$")
_RUNS = lazy.Pattern(r"[a-z]+|[A-Z]+|[0-9]+")
_SEGMENTS = lazy.Pattern(r"[A-Za-z0-9]+")
_SEPARATORS = lazy.Pattern(r"[-_./:@,+~ ]+")
_PATH = lazy.Pattern(r"(?:[a-z][a-z0-9+.-]*://|~?/|\.{1,2}/|[A-Za-z]:\\)")
_DATED = lazy.Pattern(r"\d{4}-\d\d-\d\d|\d{1,2}:\d\d|\d+(?:\.\d+)+$|\d+%$|v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$")
_MAIL = lazy.Pattern(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_MEASURE = lazy.Pattern(
    r"[<>=~±]*\d+(?:[.,]\d+)?[-/]?(?:[a-zA-Zµ]{1,3}|\d+|bits?|bytes?|chars?|days?|hours?|mins?|secs?|th|st|nd|rd)?$"
)
_LETTER = lazy.Pattern(r"[^\W\d_]")
_BLANK = lazy.Pattern(r"\s")
_DIGIT = lazy.Pattern("[0-9]")
_SYMBOL = lazy.Pattern("[!#$%^&*?@+=~]")
_HEX = lazy.Pattern(r"(?:0x)?[0-9a-f]+$", re.IGNORECASE)
# So much of a long word tells what it is.
_ENOUGH = 200
_EXPRESSION = lazy.Pattern(r"\\[wdsbWDSB]|\(\?[:=!<]|\[\^|\[a-z]-|\.\*|(?<![A-Za-z0-9])%[sdr](?![A-Za-z0-9])")
_STANDING = lazy.Pattern("|".join(map(re.escape, _rules.STANDING)))
_YOURS = lazy.Pattern(r"(?:^|[-_. ])your(?:[-_. ]|$)")
_UUID = lazy.Pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", re.IGNORECASE)


# Stands for each character of a mark that is in a text already.
MASK = "\ufffc"


def entropy(word: str) -> float:
    """Shannon entropy of the word's characters, in bits per character; 0 for the empty word."""
    length = len(word)
    return -sum((n := word.count(char)) / length * log2(n / length) for char in set(word))


def standing(word: str) -> bool:
    """Whether the word stands for a secret instead of being one: ``<token>``, ``$TOKEN``, ``xxxx``, ``changeme``."""
    if MASK in word:
        return True
    lower = word.lower().strip("\"'` .,;:!?")
    if lower in _PLACEHOLDERS or _VARIABLE.match(word) or _TEMPLATE.search(word) or _EXPRESSION.search(word):
        return True
    if len(set(lower.strip("-_*#."))) <= 2 or _STANDING.search(lower):
        return True
    return "xxxx" in word or "XXXX" in word or bool(_YOURS.search(lower))


def code(word: str) -> bool:
    """Whether an unquoted word reads as an expression: a call, an attribute, an identifier of several words."""
    return bool(_CALL.match(word) or _DOTTED.match(word) or _IDENTIFIER.match(word) or word.lower() in TECHNICAL)


def located(word: str) -> bool:
    """Whether the word is a path, an address, a date, a time, a version, a number or a measure."""
    return bool(_PATH.match(word) or _DATED.match(word) or _MAIL.match(word) or _MEASURE.match(word))


def wordy(word: str) -> bool:
    """Whether the word is made of words and small numbers: ``user-profile-v2``."""
    return all(_SEGMENT.match(part) for part in _SEPARATORS.split(word) if part)


def uuid(word: str) -> bool:
    """Whether the word is a UUID."""
    return bool(_UUID.match(word))


def digest(word: str) -> bool:
    """Whether the word is as long as a digest and hexadecimal, or a UUID, or digits alone: an identifier by form."""
    return bool((len(word) in {32, 40, 64} and _HEX.match(word)) or _UUID.match(word) or word.isdigit())


def scattered(word: str) -> bool:
    """Whether letters and digits are mixed as dice throw them and people and programmers don't."""
    word = word[:_ENOUGH]
    length = len(word)
    if length < 10 or len(set(word)) < 6 or wordy(word):
        return False
    runs = _RUNS.findall(word)
    changes = len(runs) - len(_SEGMENTS.findall(word))
    lower = [len(run) for run in runs if run.islower()]
    digits = sum(run.isdigit() for run in runs)
    # camelCase: the runs of small letters are words.
    if digits <= 2 and any(run.isupper() for run in runs) and sum(lower) >= 3.2 * len(lower) > 0:
        return False
    if digits >= 2 and changes * 6 >= length:
        return True
    return changes * 3 >= length if length >= 16 else digits > 0 and changes * 2 >= length


def mixed(word: str) -> bool:
    """Whether a person may have chosen it as a password: letters, and digits or symbols among them."""
    if not _LETTER.search(word):
        return False
    return bool(_DIGIT.search(word) or _SYMBOL.search(word, 1))


def strict(word: str) -> bool:
    """Whether the word is a password wherever it stands: mixed, long enough, and the name of nothing else."""
    lower = word.lower()
    if len(word) < 6 or not mixed(word) or not _DIGIT.search(word) or _BLANK.search(word):
        return False
    if lower in TECHNICAL or located(word) or standing(word) or lower.partition("-")[0] in TECHNICAL:
        return False
    if scattered(word):
        return True
    if any(char in "!#$%^&*?=~" for char in word.rstrip("?!")) or (word[-1] in "!#*?" and len(word) >= 8):
        return not code(word)
    joined = [part for part in re.split(r"[-_.]", word) if part]
    return len(joined) >= 3 and len(word) >= 12 and joined[-1].isdigit() and len(joined[-1]) >= 2
