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
    "projects.members": Requirement(
        "Members see who is in a project, and add and remove members; each change is audited.",
        "facts, What Perdure does",
    ),
    "projects.members-guarded": Requirement(
        "Only a member changes who is one, the last stays, and names are names; else a sentence, and nothing changes.",
        "facts, What Perdure does",
    ),
    "projects.expelled": Requirement(
        "Who was removed from a project stays out wherever they work, until a member adds them.",
        "facts, What Perdure does",
    ),
    "projects.command": Requirement(
        "The project command lists projects and members and changes them, for people and as JSON.",
        "facts, What Perdure does",
    ),
}
