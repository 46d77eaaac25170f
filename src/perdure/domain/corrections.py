"""How a new statement stands to one that is known: it repeats it, it takes its place, or it is about something else.

Nothing here needs a model. It is exact where only one of the two can hold, or where one says in so many words that
it replaces the other. What looks like a correction is for a person to decide. Two statements about different subjects,
under different conditions, or of which one adds to the other, are left alone.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from perdure.domain import assertions, cues, languages, replacements, values
from perdure.domain.record import record
from perdure.domain.terms import fold, is_identifier, query_terms, terms
from perdure.domain.values import SHAPED, Sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.assertions import Assertion
    from perdure.domain.cues import Cues
    from perdure.domain.replacements import Replacement

REPEATS = 0.75
POLARITY = 0.6
VALUE = 0.5
NAMED = 0.6
CHANGED = 0.5
MOST_TERMS = 64


class Kind(StrEnum):
    """What a new statement does to a known one."""

    REPEATS = "repeats"
    REPLACES = "replaces"


@record
class Relation:
    """The finding: ``exact`` where it may be applied unseen, else ``confidence`` in 0..1; ``reason`` is for people."""

    kind: Kind
    exact: bool
    confidence: float
    reason: str


@record
class Reading:
    """What the rules see in a statement."""

    text: str
    terms: frozenset[str]
    salient: frozenset[str]
    shaped: tuple[tuple[Sort, str], ...]
    cues: Cues
    assertion: Assertion | None
    replaced: tuple[Replacement, ...]

    def values(self, sort: Sort) -> frozenset[str]:
        """The values of a sort in the statement."""
        return frozenset(value for kind, value in self.shaped if kind is sort)


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Read a statement, of a long one its beginning."""
    text = text[: assertions.MOST_READ]
    _number, plain = assertions.number_of(text)
    return Reading(
        text=text,
        terms=_content(assertions.core(plain)),
        salient=salient(plain),
        shaped=tuple(_shaped(plain)),
        cues=cues.cues(assertions.without_asides(assertions.core(plain))),
        assertion=assertions.of(text),
        replaced=replacements.find(plain),
    )


def _content(text: str) -> frozenset[str]:
    """The informative terms of a text without those that only say how it stands to another."""
    grammar = languages.of(text)
    told = grammar.expression("change").sub(" ", grammar.expression("negation").sub(" ", text))
    if not grammar.blanks:
        told = grammar.signs.sub(" ", told)
    found = query_terms(told, MOST_TERMS)
    kept = frozenset(term for term in found if term not in grammar.plain)
    return kept or frozenset(found)


def salient(text: str) -> frozenset[str]:
    """The tokens that make a statement another one: with digits, names in code, capitalised words inside a sentence."""
    found = set()
    for at, word in enumerate(text.split()):
        token = word.strip(" .,;:!?()[]\"'“”„«»、。，")
        if len(token) > 1 and (
            any(map(str.isdigit, token))
            or (is_identifier(token) and token.isascii())
            or (at > 0 and token[:1].isupper())
        ):
            found.add(fold(token))
    return frozenset(found)


_SPAN = re.compile(r"[^\s,;!?()\[\]\"“”«»、。，]+")


def _shaped(text: str) -> list[tuple[Sort, str]]:
    """Values with a shape: numbers with their units, times, dates, versions; a word and the next are tried together."""
    words = _SPAN.findall(text)
    found: list[tuple[Sort, str]] = []
    at = 0
    while at < len(words):
        pair = " ".join(words[at : at + 2])
        sort = values.sort_of(pair) if at + 1 < len(words) and words[at][:1].isdigit() else Sort.WORDS
        if sort in SHAPED and sort not in {Sort.NUMBER, Sort.VERSION}:
            found.append((sort, fold(pair)))
            at += 2
            continue
        sort = values.sort_of(words[at])
        if sort in SHAPED:
            found.append((sort, fold(words[at].strip(".:"))))
        at += 1
    return found


def relate(new: Reading, old: Reading) -> Relation | None:
    """How a new statement stands to a known one; None where they have nothing to do with each other."""
    if not old.cues.asserted or new.cues.question or old.text == new.text:
        return None
    found = _repeats(new, old)
    if found is None and new.cues.asserted and not new.cues.addition and new.cues.conditions == old.cues.conditions:
        found = _same_key(new, old) or _spelt_out(new, old) or _looks_like(new, old)
    return found


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    least = min(len(one), len(other))
    return len(one & other) / least if least else 0.0


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def _repeats(new: Reading, old: Reading) -> Relation | None:
    """The same in nearly the same words: the guards are negation and what is salient (a number, a name)."""
    likeness = _jaccard(new.terms, old.terms)
    alike = (
        new.terms
        and likeness >= REPEATS
        and new.salient == old.salient
        and new.shaped == old.shaped
        and _circumstances(new) == _circumstances(old)
        and not new.replaced
        and not _tell_apart(new, old)
        and not _open_apart(new, old)
    )
    return Relation(Kind.REPEATS, False, likeness, "It says nearly the same.") if alike else None  # noqa: FBT003


def _circumstances(reading: Reading) -> tuple[bool, bool, bool, frozenset[str]]:
    return (reading.cues.negated, reading.cues.past, reading.cues.asserted, reading.cues.conditions)


def _open_apart(new: Reading, old: Reading) -> bool:
    """Whether each begins with a word that the other has not: a capital there may be a name's or the sentence's."""
    one, other = _first(new), _first(old)
    return bool(one - old.terms) and bool(other - new.terms)


def _first(reading: Reading) -> frozenset[str]:
    word = reading.text.partition(" ")[0]
    return frozenset(query_terms(word, MOST_TERMS)) & reading.terms if word[:1].isupper() else frozenset()


def _tell_apart(new: Reading, old: Reading) -> bool:
    """Whether two statements in much the same words name different subjects, or different things of one."""
    if new.assertion is None or old.assertion is None or sorted(terms(new.text)) == sorted(terms(old.text)):
        return False
    if new.assertion.subject != old.assertion.subject:
        return True
    return assertions.difference(old.assertion, new.assertion) is not None


def _same_key(new: Reading, old: Reading) -> Relation | None:
    """The same subject and relation with another value."""
    one, other = old.assertion, new.assertion
    if one is None or other is None:
        return None
    if one.subject == other.subject and _feeling(one) * _feeling(other) < 0 and fold(one.object) == fold(other.object):
        return Relation(Kind.REPLACES, exact=True, confidence=1.0, reason=f"Both say what is felt about {one.object}.")
    found = assertions.difference(one, other)
    if found is None or new.cues.negated != old.cues.negated or new.cues.only_past:
        return None
    subject = one.subject or "it"
    reason = f"Both say the same thing of '{subject}': {found.old} then, {found.new} now."
    if assertions.is_exact(one, other, found):
        return Relation(Kind.REPLACES, exact=not old.cues.only_past, confidence=0.95, reason=reason)
    if (
        new.cues.change
        or found.sort not in {Sort.NAME, Sort.WORDS}
        or (found.sort is Sort.NAME and other.relation == "be")
    ):
        return Relation(Kind.REPLACES, exact=False, confidence=0.7, reason=reason)
    return None


def _feeling(assertion: Assertion) -> int:
    grammar = languages.of(f"{assertion.subject} {assertion.relation} {assertion.object}")
    if assertion.relation in grammar.likes:
        return 1
    return -1 if assertion.relation in grammar.dislikes else 0


def _spelt_out(new: Reading, old: Reading) -> Relation | None:
    """The new statement names what no longer holds, and the old one says that it does."""
    for named in new.replaced:
        gone = frozenset(terms(named.old))
        if not gone or not gone <= frozenset(terms(old.text)) or (old.replaced and not gone <= old.terms):
            continue
        if named.new and frozenset(terms(named.new)) <= frozenset(terms(old.text)):
            continue  # the old statement says it already
        rest_old = old.terms - gone
        rest_new = new.terms - gone - frozenset(terms(named.new))
        reason = f"It says that '{named.old}' no longer holds."
        if old.cues.negated:
            continue
        subject = _content(old.assertion.subject) if old.assertion is not None else frozenset()
        if rest_old == rest_new or (rest_old and rest_old <= rest_new) or (subject - gone and subject <= rest_new):
            return Relation(Kind.REPLACES, exact=True, confidence=0.9, reason=reason)
        if not rest_old or not rest_new or 2 * len(rest_old & rest_new) > len(rest_old):
            return Relation(Kind.REPLACES, exact=False, confidence=0.7, reason=reason)
    return None


def _looks_like(new: Reading, old: Reading) -> Relation | None:
    """Much the same words with another value, another name, a negation, or a word that says it has changed."""
    if _other_subject(new, old) or new.cues.only_past:
        return None
    if new.cues.negated != old.cues.negated:
        if _overlap(new.terms, old.terms) >= POLARITY and not new.replaced:
            return _proposed(0.6, "One says yes where the other says no.")
        return None
    for sort in SHAPED:
        before, after = old.values(sort), new.values(sort)
        if before and after and before.isdisjoint(after):
            context_old, context_new = old.terms - _terms(before), new.terms - _terms(after)
            if _overlap(context_old, context_new) >= VALUE:
                return _proposed(
                    0.6, f"Another {sort}: {', '.join(sorted(before))} then, {', '.join(sorted(after))} now."
                )
    shared = _overlap(new.terms - new.salient, old.terms - old.salient)
    if new.salient - old.salient and old.salient - new.salient and shared >= NAMED and new.cues.change:
        return _proposed(0.55, "The same with another name.")
    if new.cues.change and not old.cues.change and _overlap(new.terms, old.terms) >= CHANGED:
        return _proposed(0.5, "It says that something is new about the same.")
    return None


def _terms(found: frozenset[str]) -> frozenset[str]:
    return frozenset(term for value in found for term in terms(value))


def _proposed(confidence: float, reason: str) -> Relation:
    return Relation(Kind.REPLACES, exact=False, confidence=confidence, reason=reason)


def _other_subject(new: Reading, old: Reading) -> bool:
    """Whether the two name subjects of which neither is part of the other."""
    if new.assertion is None or old.assertion is None:
        return False
    one, other = frozenset(terms(old.assertion.subject)), frozenset(terms(new.assertion.subject))
    return bool(one and other) and not one <= other and not other <= one
