"""Recall."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "recall.answers": Requirement(
        "The memory that speaks of it comes first, in scope, within the limit.",
        "cases, Search",
    ),
    "recall.abstention": Requirement(
        "Each kind of nothing is told apart.",
        "spec search, Floor and abstention",
    ),
    "recall.validity": Requirement(
        "What held at a time and what was known by a time can be asked.",
        "spec search, Validity first",
    ),
    "recall.names": Requirement(
        "A memory is named by its id or its short name; what is hidden is as missing as what never was.",
        "spec facts 3",
    ),
}
