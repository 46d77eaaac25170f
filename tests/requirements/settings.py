"""Settings."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "settings.layers": Requirement(
        "Later layers of settings win, and a wrong one is named with its place and a suggestion.",
        "design 9",
    ),
    "settings.template": Requirement(
        "The settings file shows every setting commented out at its default.",
        "design 9",
    ),
    "settings.marker": Requirement(
        "A project's own file may narrow and nothing else.",
        "design 9",
    ),
    "settings.hook": Requirement(
        "The hook's settings are compiled to flat JSON.",
        "design 3",
    ),
}
