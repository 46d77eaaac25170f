"""What statements say of each other: corrections, repetitions, and what only looks like either."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "facts.corrected": Requirement(
        "What a person's own words correct for certain is corrected, in eight languages, without a model.",
        "facts, What Perdure does",
    ),
    "facts.proposed": Requirement(
        "What only looks like a correction is proposed with a confidence, never applied.",
        "facts, What Perdure does",
    ),
    "facts.apart": Requirement(
        "Statements about other subjects, times, conditions, or by hearsay never retire each other.",
        "facts, What Perdure does",
    ),
    "facts.repeated": Requirement(
        "Nearly the same words repeat what is known, unless a number, a name or a negation tells them apart.",
        "spec/facts.md 5",
    ),
    "facts.door": Requirement(
        "A certain correction in the user's own words is applied at once, any other proposed; nothing is dropped.",
        "facts, What Perdure does",
    ),
    "facts.consolidated": Requirement(
        "Statements that say the same become one within bounds; what is not certain is proposed, what is left is told.",
        "spec/facts.md 7",
    ),
    "facts.verdict": Requirement(
        "A model's verdict is applied from the threshold on, parked below it, and dropped where its group has changed.",
        "spec/facts.md 7",
    ),
    "facts.reflected": Requirement(
        "A project that shares enough gets one page, rebuilt whole in place of the former; a dry run writes nothing.",
        "spec/facts.md 8",
    ),
}
