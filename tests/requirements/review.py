"""The review queue."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "review.queue": Requirement(
        "Proposals belong to their author, are asked surest first, and never again about the same revisions.",
        "facts, What Perdure does",
    ),
    "review.once": Requirement(
        "Of several who decide a proposal at once one does, and its change is made with the decision or not at all.",
        "facts 7",
    ),
    "review.decide": Requirement(
        "An approval makes its change through the one door; a rejection changes nothing and is kept with its note.",
        "facts, What Perdure does",
    ),
    "review.stale": Requirement(
        "A proposal whose members changed since is told to be stale, and is not applied.",
        "facts, What Perdure does",
    ),
    "review.refused": Requirement(
        "What may not be changed or cannot be read is not applied, with a reason, and stays to be decided.",
        "facts 7",
    ),
    "review.undo": Requirement(
        "What an approval did can be undone; the proposal says so and is not asked again.",
        "facts, What Perdure does",
    ),
    "review.fading": Requirement(
        "Statements that are old and were not asked for in a long time are listed, longest untouched first, no pages.",
        "facts 9",
    ),
    "review.show": Requirement(
        "What an approval would change is shown old against new, with dates, authors, reason and confidence, cleaned.",
        "issue Facts, What must exist",
    ),
    "review.command": Requirement(
        "Each step of the review is a command, for people and as JSON; bad input is told in a sentence.",
        "issue Facts, What must exist",
    ),
    "review.interactive": Requirement(
        "In a terminal proposals are shown one after the other and decided by single keys.",
        "issue Facts, What must exist",
    ),
}
