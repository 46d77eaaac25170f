"""Access."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "access.projects": Requirement(
        "A memory of one project never reaches another.",
        "design 5",
    ),
    "access.people": Requirement(
        "A member reads what is shared and not what is private.",
        "design 5",
    ),
}
