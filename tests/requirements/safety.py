"""Safety."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "safety.trust": Requirement(
        "What tools and documents said is found when asked for and never given unasked.",
        "spec safety, Poisoned text",
    ),
    "safety.fence": Requirement(
        "What is injected is fenced as data, and no content can close the fence.",
        "spec safety, Poisoned text",
    ),
}
