"""The public measurements."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "bench.baseline": Requirement(
        "Each benchmark is one command that prints its figures beside a baseline of the same run.",
        "house, Figures",
    ),
    "bench.supersession": Requirement(
        "The newest of contradicting facts answers first, without a model; any part of a published set can be scored.",
        "issue Facts, Figures",
    ),
    "bench.corrections": Requirement(
        "Precision and recall of corrections are measured on 400 pairs in eight languages, half in free wording.",
        "issue Facts, Figures",
    ),
    "bench.consolidation": Requirement(
        "Consolidation is measured on planted duplicates and look-alikes: groups, wrong merges, what was found, time.",
        "issue Facts, Figures",
    ),
}
