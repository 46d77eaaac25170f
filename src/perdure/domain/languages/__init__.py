"""The languages whose statements the rules can read, and which of them a text is in.

To add one, write a module with its ``Language`` and name it here; all rules work on what the record says.
"""

from __future__ import annotations

import re
from functools import lru_cache

from perdure.domain.languages.chinese import CHINESE
from perdure.domain.languages.english import ENGLISH
from perdure.domain.languages.french import FRENCH
from perdure.domain.languages.german import GERMAN
from perdure.domain.languages.grammar import Grammar
from perdure.domain.languages.japanese import JAPANESE
from perdure.domain.languages.portuguese import PORTUGUESE
from perdure.domain.languages.russian import RUSSIAN
from perdure.domain.languages.spanish import SPANISH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.languages.language import Language

LANGUAGES: tuple[Language, ...] = (ENGLISH, GERMAN, PORTUGUESE, SPANISH, FRENCH, RUSSIAN, CHINESE, JAPANESE)

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_KANA = re.compile(r"[぀-ヿ]")
_HAN = re.compile(r"[㐀-鿿]")
_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)


@lru_cache(maxsize=len(LANGUAGES))
def grammar(language: Language) -> Grammar:
    """The compiled rules of a language."""
    return Grammar(language)


@lru_cache(maxsize=1024)
def of(text: str) -> Grammar:
    """The rules for the language that a text is in: by its script, else by its function words; English if none tell."""
    if not text.isascii():
        if _KANA.search(text):
            return grammar(JAPANESE)
        if _HAN.search(text):
            return grammar(CHINESE)
        if _CYRILLIC.search(text):
            return grammar(RUSSIAN)
    spoken, common = _common()
    found = [0] * len(spoken)
    for word in _WORD.findall(text.lower()):
        for language in common.get(word, ()):
            found[language] += 1
    return spoken[found.index(max(found))]


@lru_cache(maxsize=1)
def _common() -> tuple[list[Grammar], dict[str, list[int]]]:
    """The languages that are told by their function words, and for each such word which of them have it."""
    spoken = [grammar(language) for language in LANGUAGES if language.common]
    common: dict[str, list[int]] = {}
    for number, known in enumerate(spoken):
        for word in known.common:
            common.setdefault(word, []).append(number)
    return spoken, common
