"""Why something is believed."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "why.chain": Requirement(
        "All statements that took each other's place are told, oldest first, wherever in the chain one asks.",
        "facts, What Perdure does",
    ),
    "why.reason": Requirement(
        "Each revision is told with the reason that its change was entered with.",
        "design 11",
    ),
    "why.access": Requirement(
        "A chain holds what the reader may see, as if nothing else were there.",
        "design 5",
    ),
    "why.belief": Requirement(
        "What was believed at a time is told, what ended it, and where it differs what is known now of that time.",
        "design 1",
    ),
    "why.subject": Requirement(
        "A question finds its chain, also by words that hold no more; what can be an id is looked up first.",
        "issue Facts, Done when",
    ),
    "why.command": Requirement(
        "One command tells what was believed at a date and why it changed, for people and as JSON.",
        "issue Facts, Done when",
    ),
}
