"""The command line."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "cli.commands": Requirement(
        "Commands do what they say, for people and as JSON.",
        "house, main job",
    ),
    "cli.init": Requirement(
        "Init makes a private home once, never rewrites it, and says how to undo it.",
        "house, main job",
    ),
    "cli.errors": Requirement(
        "Bad input is answered with a sentence and the exit code of its class, never with a traceback.",
        "design 8",
    ),
    "cli.times": Requirement(
        "Both times can be asked, and a date without an offset is the user's own.",
        "design 2",
    ),
    "cli.text": Requirement(
        "Any text can be remembered and shown, whatever the locale.",
        "cases, Search",
    ),
    "cli.import": Requirement(
        "Sessions on the machine are taken in once, with their own times.",
        "house, main job",
    ),
    "cli.status": Requirement(
        "Status says what is there and what waits.",
        "house, main job",
    ),
    "cli.doctor": Requirement(
        "Doctor names what is wrong and what to do, and touches nothing.",
        "house, main job",
    ),
    "cli.config": Requirement(
        "Each setting is shown with its origin.",
        "design 9",
    ),
    "cli.objects": Requirement(
        "Scripts give a command's options as one JSON object on standard input, and get the answers they know.",
        "facts, What Perdure does",
    ),
    "cli.objects-refused": Requirement(
        "What is wrong with an object is named in one sentence with the exit code of its class; nothing is written.",
        "issue Facts, Bad input",
    ),
    "cli.json-errors": Requirement(
        "A program that asked for JSON reads errors as JSON, with the exit code of their class.",
        "design 8",
    ),
    "cli.remembered": Requirement(
        "Who remembers a statement is told what it replaced, what it may replace, and what says nearly the same.",
        "facts, What Perdure does",
    ),
    "cli.help": Requirement(
        "Every command explains itself.",
        "design 10",
    ),
}
