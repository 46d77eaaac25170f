"""Projects."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "projects.identity": Requirement(
        "A project is the same in every clone and work tree, and two projects stay two.",
        "design 5",
    ),
}
