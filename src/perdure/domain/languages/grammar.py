"""The rules of one language, compiled from what its record says."""

from __future__ import annotations

import re

from perdure.domain.terms import fold, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.languages.language import Language

_WORD = r"[^\s,.;:!?]+(?:[.:][^\s,.;:!?]+)*"
_PHRASE = rf"{_WORD}(?:\s{_WORD}){{0,4}}"
_SIGNS = r"[^，。、,；]{1,20}"
_LONGEST_VERB = 14


class Grammar:
    """What a language's rules ask of a text. ``name`` is the language's."""

    def __init__(self, language: Language) -> None:
        """Compile a language."""
        self.name = language.name
        self.blanks = language.blanks
        self.common = frozenset((language.common + " " + language.plain).split()) if language.common else frozenset()
        self.copulas = frozenset(language.copulas.split())
        self.articles = frozenset(language.articles.split())
        self.adverbs = frozenset(language.adverbs.split())
        self.vague = frozenset(language.vague.split())
        self.frames = frozenset(language.frames.split())
        self.switches = frozenset(language.switches.split())
        self.plain = frozenset(stem(fold(word)) for word in language.plain.split())
        self.lasting = frozenset(stem(fold(word)) for word in language.lasting.split())
        self.likes = frozenset(stem(fold(word)) for word in language.likes.split())
        self.dislikes = frozenset(stem(fold(word)) for word in language.dislikes.split())
        verbs = language.verbs.split()
        self.verbs = frozenset(verb for verb in verbs if not verb.endswith("*"))
        self._stems = tuple(verb[:-1] for verb in verbs if verb.endswith("*"))
        self._language = language
        self._expressions: dict[str, re.Pattern[str]] = {}
        self._replacements: list[re.Pattern[str]] = []

    def expression(self, name: str) -> re.Pattern[str]:
        """The expression of a field, for whole words where the language has blanks."""
        if name not in self._expressions:
            told = f"(?:{getattr(self._language, name)})"
            self._expressions[name] = re.compile(rf"\b{told}\b" if self.blanks else told, re.IGNORECASE)
        return self._expressions[name]

    @property
    def opening(self) -> re.Pattern[str]:
        """What comes before a statement proper, as often as it comes."""
        if "opening" not in self._expressions:
            told = f"(?:{self._language.openings})"
            bounded = rf"{told}\b" if self.blanks else told
            self._expressions["opening"] = re.compile(rf"^(?:{bounded}[\s,:;.!、，。：–—-]*)+", re.IGNORECASE)
        return self._expressions["opening"]

    @property
    def signs(self) -> re.Pattern[str]:
        """The words between those that count, in a language without blanks."""
        if "signs" not in self._expressions:
            words = sorted(self._language.plain.split(), key=len, reverse=True)
            self._expressions["signs"] = re.compile("|".join(map(re.escape, words)))
        return self._expressions["signs"]

    @property
    def replacements(self) -> list[re.Pattern[str]]:
        """The phrases that name what no longer holds and what holds instead."""
        if not self._replacements:
            self._replacements = [
                re.compile(self._spelt_out(told), re.IGNORECASE) for told in self._language.replacements
            ]
        return self._replacements

    def _spelt_out(self, told: str) -> str:
        """A phrase with its places filled in: the last takes as much as it can, the others as little."""
        last = max(("OLD", "NEW"), key=told.rfind)
        for place in ("OLD", "NEW"):
            if self.blanks:
                form = _PHRASE if place == last else f"{_PHRASE}?"
            else:
                form = _SIGNS if place == last else f"{_SIGNS}?"
            begins = r"\b" if self.blanks and told.startswith(place) else ""
            told = told.replace(place, f"{begins}(?P<{place.lower()}>{form})", 1)
        return told.replace(" ", r"\s") if self.blanks else told

    def is_copula(self, word: str) -> bool:
        """Whether a word in lower case is a form of *to be*."""
        return word in self.copulas

    def is_verb(self, word: str) -> bool:
        """Whether a word in lower case is a verb that tells how things are."""
        return (
            word in self.copulas
            or word in self.verbs
            or (len(word) < _LONGEST_VERB and bool(self._stems) and word.startswith(self._stems))
        )
