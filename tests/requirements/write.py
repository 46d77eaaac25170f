"""The one door."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "write.door": Requirement(
        "Every change goes through one door and leaves author, times and source.",
        "design 1",
    ),
    "write.scope": Requirement(
        "Preferences and what has no project are private, the rest is shared with members only.",
        "design 2",
    ),
    "write.novelty": Requirement(
        "The same words twice are one memory, and the second write names it.",
        "cases, Facts",
    ),
    "write.idempotency": Requirement(
        "The same key is the same memory once.",
        "design 4",
    ),
    "write.redaction": Requirement(
        "A secret is taken out of every field before it is kept.",
        "spec safety, Secrets",
    ),
    "write.validation": Requirement(
        "What cannot be kept is refused in a sentence.",
        "house, Bad input",
    ),
    "write.supersede": Requirement(
        "A superseded statement ends where its successor begins and stays true of its day.",
        "cases, Facts",
    ),
    "write.ownership": Requirement(
        "Nobody changes what another wrote, and hidden is the same as missing.",
        "spec facts 3",
    ),
    "write.close": Requirement(
        "A retracted memory never held, an expired one did.",
        "design 1",
    ),
    "write.edit": Requirement(
        "An edit of what changed meanwhile is a conflict.",
        "design 6",
    ),
    "write.pin": Requirement(
        "A pin is a revision.",
        "design 1",
    ),
    "write.feedback": Requirement(
        "Feedback moves confidence within its bounds.",
        "house, The house",
    ),
    "write.undo": Requirement(
        "A change can be taken back whole, by who made it, unless it was built upon.",
        "spec facts",
    ),
}
