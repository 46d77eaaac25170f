"""The worker."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "work.round": Requirement(
        "A round takes in all that waits, and one broken session does not stop the others.",
        "design 4",
    ),
}
