"""The ledger's store."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "store.revisions": Requirement(
        "What is recorded comes back as it was, is numbered in order and is never changed.",
        "design 1, 7",
    ),
    "store.listings": Requirement(
        "Heads meet the criteria, newest event time first, and a limit counts only what meets them.",
        "design 7",
    ),
    "store.times": Requirement(
        "Every read takes as_of and known_at and answers as it was known then.",
        "design 2",
    ),
    "store.access": Requirement(
        "Every read equals domain.access.visible, whatever the names.",
        "design 5",
    ),
    "store.search": Requirement(
        "Any string may be asked for, and each term of a text finds it, in scope only.",
        "house, main job",
    ),
    "store.index": Requirement(
        "The text index follows every revision in the same transaction.",
        "design 4",
    ),
    "store.changes": Requirement(
        "Changes are numbered, keyed once and undone once.",
        "design 4",
    ),
    "store.sessions": Requirement(
        "Sessions, turns, marks and defects are kept once, and offsets are guarded.",
        "design 6",
    ),
    "store.projects": Requirement(
        "A project is known by each of its keys and has members.",
        "design 5",
    ),
    "store.jobs": Requirement(
        "A job is leased by one worker at a time, and once more when put again meanwhile.",
        "design 6",
    ),
    "store.counts": Requirement(
        "Reads are counted, and named facts are kept.",
        "design 7",
    ),
    "store.units": Requirement(
        "A unit is whole or leaves nothing.",
        "design 6",
    ),
    "store.concurrency": Requirement(
        "Writers take turns, and a reader sees one state.",
        "design 6",
    ),
    "store.contract": Requirement(
        "The contract is shipped, is run whole, and a faulty store breaks it.",
        "style, ports",
    ),
    "store.model": Requirement(
        "SQLite answers as the model does, and faults are told apart.",
        "style, ports",
    ),
    "store.catalogue": Requirement(
        "Every statement compiles, is called, and translates for PostgreSQL.",
        "style, SQL",
    ),
    "store.migrations": Requirement(
        "Each migration is one transaction with a checksum; a changed, newer or foreign store is refused.",
        "house, The house",
    ),
    "store.migrations-killed": Requirement(
        "A killed migration leaves the old schema or the new.",
        "house, The house",
    ),
    "store.migrations-together": Requirement(
        "Several processes opening at once make one store.",
        "house, The house",
    ),
    "store.errors": Requirement(
        "Every error of the engine is explained, and the store goes on.",
        "design 8",
    ),
    "store.reader": Requirement(
        "A reader never writes and gives up at its deadline.",
        "design 4",
    ),
    "store.durable": Requirement(
        "Every commit is synced, and the files are the owner's alone.",
        "design 5, 6",
    ),
    "store.damage": Requirement(
        "Damage is named, never taken for empty, and left untouched.",
        "spec reliability D4",
    ),
    "store.check": Requirement(
        "The integrity check names what is wrong.",
        "spec reliability D4",
    ),
    "store.fakes": Requirement(
        "Fakes are tested like adapters.",
        "style, ports",
    ),
}
