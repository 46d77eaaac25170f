"""Search: finding what is there, and nothing when nothing is."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "search.terms": Requirement(
        "Identifiers are found whole and by parts, CJK by pairs, case and diacritics do not count, words by stem.",
        "spec search, Tokens",
    ),
    "search.ranking": Requirement(
        "What holds more of the question's information comes first; importance, pins and recency order equals only.",
        "spec search, Floor and abstention",
    ),
    "search.any-string": Requirement(
        "Any string is a legal query and finds the note that contains it.",
        "cases, Search",
    ),
}
