"""The documentation."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "docs.true": Requirement(
        "Every command and setting is documented from the code, and what pages show exists.",
        "style, Docs are tested",
    ),
}
