"""Projects."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "projects.places": Requirement(
        "A directory's project is told by its marker, remote, root commit and path, from files alone.",
        "design 5",
    ),
    "projects.identity": Requirement(
        "A project is the same in every clone and work tree, and two projects stay two.",
        "design 5",
    ),
}
