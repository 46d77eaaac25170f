"""Small words that decide how a statement stands to another: negation, change, addition, condition, doubt, past."""

from __future__ import annotations

from perdure.domain import languages
from perdure.domain.record import record


@record
class Cues:
    """Which cues a statement holds; ``conditions`` are the words of its conditions."""

    negated: bool
    change: bool
    addition: bool
    conditions: frozenset[str]
    doubt: bool
    report: bool
    past: bool
    question: bool

    @property
    def asserted(self) -> bool:
        """Whether the statement says what its speaker holds: no guess, no report, no question."""
        return not (self.doubt or self.report or self.question)

    @property
    def only_past(self) -> bool:
        """Whether the statement says how things were, and not that they have changed."""
        return self.past and not self.change


def cues(text: str) -> Cues:
    """The cues in a statement."""
    grammar = languages.of(text)

    def holds(name: str) -> bool:
        return grammar.expression(name).search(text) is not None

    return Cues(
        negated=holds("negation"),
        change=holds("change"),
        addition=holds("addition"),
        conditions=frozenset(found.lower() for found in grammar.expression("condition").findall(text)),
        doubt=holds("doubt"),
        report=holds("report"),
        past=holds("past"),
        question="?" in text or "？" in text,
    )
