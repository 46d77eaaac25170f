"""Context: what a session is given."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "context.briefing": Requirement(
        "A session starts with the most binding: pins, preferences, what is ahead, the last session, decisions.",
        "house, main job",
    ),
    "context.budgets": Requirement(
        "What a session is given stays within its budget of tokens and characters.",
        "house, main job",
    ),
}
