"""Which project a directory is."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "identity.remote-spellings": Requirement(
        "All spellings of one remote give one value, and that value is its own.",
        "design 5",
    ),
    "identity.known-services": Requirement(
        "Services that fold case or have several hosts give one value.",
        "design 5",
    ),
    "identity.no-credentials": Requirement(
        "No credential survives normalising.",
        "spec safety, Secrets",
    ),
    "identity.local-paths": Requirement(
        "What differs between machines is no remote.",
        "design 5",
    ),
    "identity.remote-choice": Requirement(
        "Origin, else upstream, else the first name speaks for a repository.",
        "design 5",
    ),
    "identity.key-order": Requirement(
        "Keys come as marker, remote, root, path, and read back.",
        "design 5",
    ),
    "identity.slug": Requirement(
        "A slug is a readable, safe, stable directory name.",
        "spec safety, Files and git",
    ),
    "identity.names-folded": Requirement(
        "Names compare without case and separators; hyphens, UUIDs, main and _ are legal.",
        "cases, Search",
    ),
    "identity.light": Requirement(
        "Identity loads no further module into a hook.",
        "design 3",
    ),
    "identity.discovery": Requirement(
        "The repository is found from any path in it, without running git.",
        "design 5",
    ),
    "identity.worktrees": Requirement(
        "Work trees inside and outside are one project.",
        "cases, Hosts",
    ),
    "identity.submodules": Requirement(
        "A submodule is its own project.",
        "house, The house",
    ),
    "identity.broken-files": Requirement(
        "Broken or hostile git files never raise, block or leak into the outer project.",
        "cases, Hosts",
    ),
    "identity.config": Requirement(
        "The config is read as git reads it; a broken or oversized one tells nothing.",
        "design 5",
    ),
}
