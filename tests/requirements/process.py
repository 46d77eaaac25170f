"""Starting programs."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "process.result": Requirement(
        "Output and exit code are told without deadlock.",
        "design 3",
    ),
    "process.no-shell": Requirement(
        "No shell reads the arguments.",
        "design 3",
    ),
    "process.environment": Requirement(
        "Directory, environment and session are those given.",
        "design 3",
    ),
    "process.bounds": Requirement(
        "Time and output are bounded, and nothing is left running.",
        "design 3",
    ),
    "process.errors": Requirement(
        "A program that cannot run is named with what to do.",
        "design 8",
    ),
    "process.detached": Requirement(
        "A detached program has nothing of ours.",
        "design 4",
    ),
}
