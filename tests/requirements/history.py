"""A project's git history."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "history.commits": Requirement(
        "Commit messages are episodes of their own time, of user trust only where they are the user's.",
        "house, main job",
    ),
}
