"""Search terms: how a text and a query become comparable tokens, the same in every engine.

A text is cut into *words*. A word is folded (case, diacritics, compatibility forms). An identifier yields itself
whole and its parts: ``getUserById`` gives ``getuserbyid get user by id``, ``src/retry.rs:42`` gives itself
and ``src retry rs 42``. A run of Chinese, Japanese or Korean gives its character bigrams. Plain English words are
lightly stemmed, identifiers never are. Any string is legal; nothing of it is query syntax.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby

# Scripts without spaces between words: Jamo, radicals, kana, Bopomofo, ideographs, Hangul.
_CJK = (
    (0x1100, 0x11FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x3130, 0x318F),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_FIRST_CJK = chr(_CJK[0][0])
_ASCII_WORD = re.compile(
    r"--?[A-Za-z][\w-]*|[$@#./~]?\w(?:\w|[./:@\\#+*'&=-](?=\w))*(?:\+\+|#)?|(?<![!-~])[!-/:-@\[-`{-~]+(?![!-~])",
    re.ASCII,
)
_PART = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PLAIN = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"['’](?:s|t|re|ve|ll|d|m)?$")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")

MAX_TERM = 80
_SHORTEST = 4
_VOWELS = frozenset("aeiouy")
_ENDINGS = (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"))

# One text, since a list of 250 quoted words says less.
_STOP_WORDS = """
a about after all also am an and any are as at be because been before being but by can could did do does doing done for
from get had has have he her here him his how i if in into is it its just let like may me might more most much my no nor
not now of off on once only or other our ours out over own per please shall she should so some such tell than that the
their them then there these they this those through to too up us use used using very was we were what when where which
while who whom why will with would yes you your yours
agree agreed choose chose chosen decide decided decision know known remember remembered said say says told
der die das den dem des ein eine einer eines und oder nicht ist sind war wir ihr sie er es ich du mit von zu im in auf
le la les un une des et ou est sont nous vous il elle je tu que qui pour dans sur avec
el los las una unos y es son nosotros para por con del como qué que se lo
o os as um uma e ou é são nós para por com do da no na que se
и в во не на я что он с как это по но мы вы они же за от из у к
"""


def fold(text: str) -> str:
    """Case, diacritics and compatibility forms away: ``Naïve`` and ``ＮＡＩＶＥ`` are ``naive``."""
    if text.isascii():
        return text.lower()
    spread = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in spread if not unicodedata.combining(c) and not c.isspace())
    return unicodedata.normalize("NFC", bare).casefold()


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A light English stem of a folded plain word: plural, -ing, -ed, -ly, -ment, -ship; short words stay."""
    if len(word) < _SHORTEST or not word.isascii():
        return word
    for suffix, put in _ENDINGS:
        if word.endswith(suffix) and len(word) > len(suffix) + 1:
            return word[: -len(suffix)] + put
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in ("ingly", "edly", "ment", "ship", "ing", "ed", "ly"):
        base = word.removesuffix(suffix)
        if base != word and _is_root(base):
            doubled = len(base) > _SHORTEST - 1 and base[-1] == base[-2] and base[-1] not in "lsz"
            return base[:-1] if doubled else base.removesuffix("e")
    return word.removesuffix("e") if len(word) > _SHORTEST else word


def _is_root(base: str) -> bool:
    """Whether enough is left of a word, with a vowel, for its ending to have been one."""
    return len(base) >= _SHORTEST - 1 and not _VOWELS.isdisjoint(base)


def is_identifier(word: str) -> bool:
    """Whether a word is a name in code rather than prose: digits, inner punctuation, camel case."""
    return not _PLAIN.fullmatch(word) or _CAMEL.search(word) is not None


STOP_TERMS = frozenset(form for word in _STOP_WORDS.split() for form in (fold(word), stem(fold(word))))


@lru_cache(maxsize=1)
def _any_word() -> re.Pattern[str]:
    """Words of any script; made when it is first needed, since most prompts are ASCII."""
    return re.compile(
        r"--?[A-Za-z][\w-]*|[$@#./~]?\w(?:\w|[./:@\\#+*'’&=-](?=\w))*(?:\+\+|#)?"
        r"|(?<!\S)[!-/:-@\[-`{-~\u00a1-\u00bf]+(?!\S)|[\u2190-\u2bff\U0001f000-\U0001faff]"
    )


def _is_cjk(sign: str) -> bool:
    code = ord(sign)
    return any(low <= code <= high for low, high in _CJK)


def _runs(word: str) -> list[str]:
    """A word cut where a script that puts no spaces between its words begins or ends."""
    return ["".join(run) for _cjk, run in groupby(word, _is_cjk)]


def _bigrams(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def _parts(word: str) -> list[str]:
    """The words inside an identifier, stemmed like prose so that prose finds them."""
    if word.isascii():
        return [stem(hump.lower()) for hump in _HUMP.findall(word)]
    humps = [hump for part in _PART.findall(word) for hump in (_HUMP.findall(part) if part.isascii() else [part])]
    return [stem(fold(hump)) for hump in humps]


def _word_terms(word: str) -> list[str]:
    if word[0] >= _FIRST_CJK and _is_cjk(word[0]):
        return _bigrams(unicodedata.normalize("NFKC", word))
    bare = _POSSESSIVE.sub("", word)
    if is_identifier(bare):
        whole = fold(word)[:MAX_TERM]
        return [whole, *(part for part in _parts(word) if part != whole)]
    return [stem(fold(bare))[:MAX_TERM]]


def words(text: str) -> list[str]:
    """The words of a text as written, in order; signs count where they stand alone, and emoji always."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    found: list[str] = []
    for word in _any_word().findall(text):
        if max(word) < _FIRST_CJK:
            found.append(word)
        else:
            found += _runs(word)
    return found


def _chunk_terms(chunk: str) -> str:
    """The terms of a text without blanks in it; most are a plain word with a full stop or a comma, or without."""
    bare = chunk.rstrip(".,")
    if bare.isascii() and bare.isalpha() and (bare.islower() or bare[1:].islower()):
        return stem(bare.lower())[:MAX_TERM]
    return " ".join(term for word in words(chunk) for term in _word_terms(word) if term)


class _Known(dict[str, str]):
    """The terms of texts without blanks, kept for the next time: most are met again and again."""

    def __missing__(self, chunk: str) -> str:
        found = _chunk_terms(chunk)
        if len(chunk) <= MAX_TERM:
            if len(self) >= _MOST_KNOWN:
                self.clear()
            self[chunk] = found
        return found


_MOST_KNOWN = 50_000
_KNOWN = _Known()


def indexed(text: str) -> str:
    """What is indexed of a text: all its terms in order, repeats kept, with blanks between them."""
    return " ".join([_KNOWN[chunk] for chunk in text.split()])


def terms(text: str) -> list[str]:
    """All terms of a text in order, repeats kept."""
    return indexed(text).split()


def query_terms(text: str, limit: int = 64) -> list[str]:
    """The distinct informative terms of a query in order, at most ``limit``.

    Stop words and signs are left out unless nothing else is there, so that ``to be or not to be`` and ``*`` can still
    be asked for.
    """
    found = list(dict.fromkeys(terms(text)))
    informative = [term for term in found if term not in STOP_TERMS and any(map(str.isalnum, term))]
    return (informative or found)[:limit]
