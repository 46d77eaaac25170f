"""The main job."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "main.job": Requirement(
        "A decision of one session is in the context of the next, through real hooks.",
        "house, Done when",
    ),
}
