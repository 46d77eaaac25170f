"""What a statement says of whom, found by rules: subject, relation, object.

A statement is split at its first verb that tells a state. What stands before is the subject, what stands after is the
object with the words that frame its value (``is located in the city of London``). Two assertions are about the same
where subject, relation and frame are equal; then their values tell whether one takes the other's place.
"""

from __future__ import annotations

import re

from perdure.domain import languages, values
from perdure.domain.record import record
from perdure.domain.terms import fold, stem
from perdure.domain.values import Sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.languages.grammar import Grammar

BE = "be"
"""The relation of every copula."""
MAX_WORDS = 60
MOST_READ = 600
LEAST_WORDS = 4
_NUMBERED = re.compile(
    r"^\s*(?:(?:fact|rule|decision|item|no\.?|nr\.?|№)\s*)?#?(\d{1,9})\s*[.):]\s+(?=\S)", re.IGNORECASE
)
# The sign comes first, so that the engine has something to look for; what must not stand before it is asked then.
_SENTENCE = re.compile(
    r"[.!](?<=\w\w.)(?<!\bDr.)(?<!\bSt.)(?<!\bMr.)(?<!\bMs.)(?<!\bMrs.)(?<!\bJr.)(?<!\bSr.)\s+(?=[^\W\d_a-z])|[。！\n]"
)
_ASIDE = re.compile(r"\s*[(（\[][^)）\]]*[)）\]]|\s*[;–—]\s.*$|,\s*(?:not|nicht|não|no|pas|а не)\s.*$", re.IGNORECASE)
_END = " .!。！"
_BEFORE_REASON = " \t,:–—-"
_AROUND = "\"“”„'«»,.;:()"
_LIST = re.compile(r",|/|\b(?:and|or|und|oder|e|ou|y|et|и|или)\b|和|或|、|と")
_UNITED = re.compile(r"v|port|version|[$€£]", re.IGNORECASE)
_OBJECT = re.compile("[をがにへと]")  # what joins an object to the verb behind it, in Japanese
_SIGN_WORDS = r"[A-Za-z0-9_.:/@+-]+|[ァ-ヶー]+|[^\s]"


@record
class Assertion:
    """What is said of a subject. ``subject`` and ``relation`` are folded; ``object`` is as written.

    ``number`` is the statement's place in a numbered list, or None.
    """

    subject: str
    relation: str
    object: str
    number: int | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What two statements about the same have in common, and an index can look up."""
        return (self.subject, self.relation)


@record
class Difference:
    """Where two objects of one frame differ: the values, the sort of both, and what stands before and after them."""

    old: str
    new: str
    sort: Sort
    frame: str
    rest: str = ""


def number_of(text: str) -> tuple[int | None, str]:
    """The number that a statement of a list begins with, and the rest."""
    found = _NUMBERED.match(text)
    return (int(found[1]), text[found.end() :]) if found else (None, text)


def core(text: str) -> str:
    """The first sentence of a statement without the clause that only gives the reason."""
    sentence = _SENTENCE.split(text, maxsplit=1)[0]
    grammar = languages.of(text)
    for found in grammar.expression("reasons").finditer(sentence):
        told = sentence[: found.start()].rstrip(_BEFORE_REASON)
        if len(told.split() if grammar.blanks else told) >= LEAST_WORDS:
            return told
    return sentence


def without_asides(text: str) -> str:
    """A text without what it says in brackets, behind a dash, or to name what it is not."""
    return _ASIDE.sub("", text)


def of(text: str) -> Assertion | None:
    """The assertion that a statement makes in its first sentence, where the rules can tell."""
    number, rest = number_of(text[:MOST_READ].strip())
    grammar = languages.of(rest)
    plain = without_asides(grammar.opening.sub("", core(rest))).strip(_END)
    return _of_words(plain, number, grammar) if grammar.blanks else _of_signs(plain, number, grammar)


def _of_words(text: str, number: int | None, grammar: Grammar) -> Assertion | None:
    words = text.split()
    if not 2 <= len(words) <= MAX_WORDS:  # noqa: PLR2004 - a subject or a verb, and an object
        return None
    at = _verb_place(words, grammar)
    if at is None:
        return None
    subject = _subject(" ".join(words[:at]), grammar)
    told = [word for word in words[at + 1 :] if word.lower().strip(",") not in grammar.adverbs]
    if subject is None or not told:
        return None
    verb = words[at].lower().strip(",.;:")
    relation = BE if grammar.is_copula(verb) else stem(fold(verb))
    return Assertion(subject, relation, " ".join(told), number)


def _verb_place(words: list[str], grammar: Grammar) -> int | None:
    """Where the verb stands: the first copula that has a subject, else the first verb."""
    folded = [word.lower().strip(",.;:") for word in words]
    verbs = [
        at
        for at, word in enumerate(folded[:-1])
        if grammar.is_verb(word) and (at == 0 or (words[at][:1].islower() and folded[at - 1] not in grammar.articles))
    ]
    # A word that could be a verb, and before which or after which comes another, is a noun: ``the deploy target is``.
    verbs = [at for at in verbs if at == 0 or not grammar.is_verb(folded[at + 1]) or grammar.is_copula(folded[at])]
    copulas = [at for at in verbs if at and grammar.is_copula(folded[at])]
    if copulas and (copulas[0] == verbs[0] or verbs[0] == 0):
        return copulas[0]
    return verbs[0] if verbs else None


def _subject(phrase: str, grammar: Grammar) -> str | None:
    """A subject as it is compared: folded, without articles and adverbs. None where it names nothing."""
    phrase = re.sub(r"(\w)['’]s\b", r"\1 's", phrase)
    words = [fold(word.strip(_AROUND)) for word in phrase.split()]
    words = [word for word in words if word and word not in grammar.adverbs and word not in grammar.articles]
    if len(words) == 1 and words[0] in grammar.vague:
        return None
    if "s" in words[1:-1]:  # Ana's role is the role of Ana
        at = words.index("s", 1)
        words = [*words[at + 1 :], "of", *words[:at]]
    return " ".join(words)


def _of_signs(text: str, number: int | None, grammar: Grammar) -> Assertion | None:
    """The split of a language without blanks: at the first verb, and without the ending of the sentence."""
    verbs = sorted((*grammar.copulas, *grammar.verbs), key=len, reverse=True)
    text = re.sub("|".join(grammar.adverbs), "", text)
    found = re.match(rf"(?P<subject>[^，。、,.]{{1,40}}?)(?P<verb>{'|'.join(verbs)})(?P<object>.{{1,80}})$", text)
    if found is None:
        return None
    starts = sorted(grammar.articles, key=len, reverse=True)
    subject = re.sub(rf"^(?:{'|'.join(starts)})", "", found["subject"])
    told = re.sub(r"(?:です|だ|である|ます|でした)$", "", found["object"])
    relation = BE if grammar.is_copula(found["verb"]) else found["verb"]
    return Assertion(fold(subject), relation, told, number) if subject and told else None


def difference(old: Assertion, new: Assertion) -> Difference | None:
    """How two assertions about the same differ; None where they are not of one frame, or do not differ."""
    if old.key != new.key:
        return None
    before, after = _words(old.object), _words(new.object)
    start, end = _common(before, after)
    while start and _UNITED.fullmatch(before[start - 1]):
        start -= 1  # the word before a number belongs to the value
    if end and _is_unit(before[start : len(before) - end], before[-end]):
        end -= 1
    one, other = before[start : len(before) - end], after[start : len(after) - end]
    grammar = languages.of(old.object)
    if not one or not other or _reframed(one, grammar) or _reframed(other, grammar):
        return None
    joint = " " if grammar.blanks else ""
    first, second = joint.join(one), joint.join(other)
    sorts = {values.sort_of(first), values.sort_of(second)}
    sort = sorts.pop() if len(sorts) == 1 else Sort.WORDS
    frame, rest = after[:start], after[len(after) - end :]
    return Difference(first, second, sort, joint.join(frame).lower(), joint.join(rest).lower())


def _common(before: list[str], after: list[str]) -> tuple[int, int]:
    """How many words two lists have in common at their start and at their end."""
    start = 0
    while start < min(len(before), len(after)) and fold(before[start]) == fold(after[start]):
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and fold(before[-1 - end]) == fold(after[-1 - end]):
        end += 1
    return start, end


def _is_unit(value: list[str], word: str) -> bool:
    """Whether the word behind a number says of what it is a number."""
    return values.sort_of(" ".join(value)) is Sort.NUMBER and values.sort_of(" ".join([*value, word])) is not Sort.WORDS


def _words(text: str) -> list[str]:
    grammar = languages.of(text)
    if not grammar.blanks:
        return re.findall(f"{grammar.expression('weekdays').pattern}|{_SIGN_WORDS}", text)
    return [word.strip(",.;:!") or word for word in text.split()]


def _reframed(value: list[str], grammar: Grammar) -> bool:
    """Whether a value begins with words of a frame, as in ``city of London`` against ``continent of Asia``."""
    for word in value:
        if not word.islower():
            return False
        if word in grammar.frames:
            return True
    return False


def is_exact(old: Assertion, new: Assertion, found: Difference) -> bool:
    """Whether only one of the two can hold: the later of a numbered list, else one value where there is one at a time.

    ``Ana speaks Spanish`` does not end that she speaks Portuguese; ``the port is 9090`` ends that it is 8080.
    """
    if old.number is not None and new.number is not None:
        return new.number > old.number
    if not old.subject or found.sort is Sort.WORDS or _LIST.search(found.old) or _LIST.search(found.new):
        return False
    grammar = languages.of(new.object)
    if new.relation != BE:
        return new.relation in grammar.lasting
    if not grammar.blanks and _OBJECT.search(found.old + found.new + found.rest):
        return False  # what seems a copula marks the topic: the verb comes after its object, and may take several
    return not found.frame or grammar.expression("unique").match(found.frame) is not None
