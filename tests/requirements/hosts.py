"""Agent hosts."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "hosts.install": Requirement(
        "Hooks are installed once and taken out byte for byte.",
        "house, main job",
    ),
    "hosts.claude-events": Requirement(
        "Each hook event is read in our words; the event of the command line wins, internal forks are ignored.",
        "spec hosts 1.2",
    ),
    "hosts.claude-bad-payloads": Requirement(
        "A broken, torn, oversized or wrongly typed payload gives what stands whole and never raises.",
        "spec reliability B1",
    ),
    "hosts.claude-reply": Requirement(
        "Only start and prompt answer, on one line, never over the host's cap.",
        "spec hosts 1.3, 1.5",
    ),
    "hosts.light": Requirement(
        "Reading an event loads little more than json.",
        "design 3",
    ),
    "hosts.claude-records": Requirement(
        "Of a transcript only what user and assistant said is kept, and all else is counted by kind.",
        "spec hosts 2",
    ),
    "hosts.claude-host-text": Requirement(
        "What the host puts into a prompt is never filed as the user's words.",
        "cases, Capture",
    ),
    "hosts.claude-tools": Requirement(
        "Tool calls and results are kept as bounded heads with command, files and failure.",
        "spec hosts 2",
    ),
    "hosts.claude-sessions": Requirement(
        "Sessions are listed oldest first with their subagents, and never outside the root.",
        "spec hosts 2",
    ),
    "hosts.transcript-offsets": Requirement(
        "Reading in any pieces, while the file grows, gives what one reading gives.",
        "cases, Capture",
    ),
    "hosts.transcript-times": Requirement(
        "Turns carry their own times; one without takes that of the record before, else the file's.",
        "cases, Capture",
    ),
    "hosts.bad-transcripts": Requirement(
        "A bad line is named once with file and offset, and the good ones are kept.",
        "spec reliability B1",
    ),
    "hosts.bounded-memory": Requirement(
        "Memory stays bounded whatever a transcript holds.",
        "spec reliability B1",
    ),
    "hosts.claude-install": Requirement(
        "Hooks are merged in, other bytes stay, a second run changes nothing.",
        "house, main job",
    ),
    "hosts.claude-install-refusals": Requirement(
        "Settings that cannot be understood or written stay as they are, with the place named.",
        "house, main job",
    ),
    "hosts.claude-uninstall": Requirement(
        "Uninstalling gives back the very bytes, or takes out only ours after edits.",
        "house, main job",
    ),
    "hosts.claude-doctor": Requirement(
        "It can be told which events call this launcher, and whether hooks are off.",
        "spec hosts 1.6",
    ),
    "hosts.port": Requirement(
        "Every host keeps the Host port.",
        "design 8",
    ),
}
