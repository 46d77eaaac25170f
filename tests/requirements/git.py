"""Reading git repositories."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "git.no-commands": Requirement(
        "No program named by a repository or an inherited environment runs.",
        "spec safety, Files and git",
    ),
    "git.read-only": Requirement(
        "Nothing is written to the repository.",
        "cases, Hosts",
    ),
    "git.history": Requirement(
        "History is incremental, bounded and oldest first.",
        "house, main job",
    ),
    "git.odd-history": Requirement(
        "Odd encodings, sizes, dates, shallow and partial clones are read.",
        "house, main job",
    ),
    "git.damage": Requirement(
        "Damage, and a missing or hanging git, is named and never taken for empty.",
        "design 6",
    ),
    "git.kinds": Requirement(
        "Every kind and place of repository is read; files and git agree.",
        "house, The house",
    ),
    "git.roots": Requirement(
        "The root commit is the same from every work tree and branch.",
        "design 5",
    ),
    "git.user": Requirement(
        "The user is whom git would write down, and no foreign repository can say otherwise.",
        "house, main job",
    ),
}
