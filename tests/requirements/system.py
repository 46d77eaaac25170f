"""Adapters for clock, files and leases."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "system.files": Requirement(
        "Files are read and replaced whole, and a lease is held by one.",
        "design 6",
    ),
    "system.clock": Requirement(
        "Time and names come from one place each.",
        "design 3",
    ),
}
