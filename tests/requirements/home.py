"""The home directory."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "home.private": Requirement(
        "Everything in the home is readable by its owner only.",
        "design 5",
    ),
}
