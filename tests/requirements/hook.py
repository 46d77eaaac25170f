"""The hook that hosts call."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "hook.events": Requirement(
        "An event becomes a pointer, a start a briefing, a prompt what answers it, and settings hold.",
        "house, main job",
    ),
    "hook.spool": Requirement(
        "What is kept in the spool is durable, private, ordered, and a broken file is set aside.",
        "design 4",
    ),
    "hook.worker": Requirement(
        "A session's end starts a worker that nobody waits for.",
        "design 4",
    ),
    "hook.once": Requirement(
        "A memory is given to a session once.",
        "cases, Hosts",
    ),
    "hook.silent": Requirement(
        "A capture event prints nothing and leaves a pointer without a word of the session.",
        "spec hosts, fact 8",
    ),
    "hook.uninitialised": Requirement(
        "Without a memory a hook does nothing and makes nothing.",
        "cases, Hosts",
    ),
    "hook.bad-input": Requirement(
        "No payload makes a hook fail, and one too large to parse is still captured.",
        "spec reliability B1",
    ),
    "hook.ledger-gone": Requirement(
        "Without a ledger a start gives the last compiled briefing.",
        "design 4",
    ),
    "hook.disk": Requirement(
        "A home that takes nothing does not disturb the host.",
        "cases, Hosts",
    ),
    "hook.untouched": Requirement(
        "Nothing is written into the user's work tree.",
        "cases, Hosts",
    ),
    "hook.launcher": Requirement(
        "A launcher whose Perdure is gone exits 0 and says nothing.",
        "design 11",
    ),
    "hook.light": Requirement(
        "The capture path imports no heavy module.",
        "design 3",
    ),
}
