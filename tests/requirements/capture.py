"""Capture: from sessions to memories."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "capture.load": Requirement(
        "Many processes capturing at once are all recorded, each exactly once.",
        "spec reliability C1",
    ),
    "capture.statements": Requirement(
        "The user's own lasting statements are found by rules in eight languages; chatter and questions are not.",
        "spec pipeline, Phase 1",
    ),
    "capture.episodes": Requirement(
        "An episode reaches from one prompt up to the next and leaves out what tools printed.",
        "house, main job",
    ),
    "capture.relative-times": Requirement(
        "A relative time is resolved against the time at which it was said.",
        "cases, Capture",
    ),
    "capture.sessions": Requirement(
        "A session becomes turns, episodes and statements, each once.",
        "house, main job",
    ),
    "capture.times": Requirement(
        "A memory has the time at which it was said and the time at which it came in.",
        "cases, Capture",
    ),
    "capture.growth": Requirement(
        "A session that grew is read from where it ended, and a person's edit is not overwritten.",
        "cases, Capture",
    ),
    "capture.echo": Requirement(
        "What was injected or restated from instruction files is not captured again.",
        "cases, Capture",
    ),
    "capture.secrets": Requirement(
        "Neither a secret nor a private passage reaches the disk.",
        "spec safety, Secrets",
    ),
    "capture.scope": Requirement(
        "Ignored directories and projects that switch capture off are left alone.",
        "design 9",
    ),
    "capture.subagents": Requirement(
        "A subagent's session is known and not read.",
        "spec hosts 2",
    ),
    "capture.defects": Requirement(
        "A place that cannot be read is named once, and all else is kept.",
        "house, Bad input",
    ),
    "capture.atomic": Requirement(
        "An offset moves only with the commit of what was read.",
        "cases, Capture",
    ),
}
