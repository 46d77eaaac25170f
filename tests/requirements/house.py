"""The house: how the repository keeps itself in order."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "house.limits": Requirement(
        "No file of the package has more than 400 lines, and no function more than 60.",
        "style, figures",
    ),
    "house.borders": Requirement(
        "Errors of every kind are caught at four named borders and nowhere else.",
        "style, figures",
    ),
    "house.promises": Requirement(
        "Every promise has a test, and every test names a promise.",
        "design, tests",
    ),
    "house.isolation": Requirement(
        "A test sees an empty home, no setting of whoever runs it, and no network but this machine's own.",
        "design, tests",
    ),
    "house.lock": Requirement(
        "The lock file names the public index alone, whatever the machine that made it was set to.",
        "design, tests",
    ),
    "house.wheel": Requirement(
        "The wheel holds every file of the package, data files too, and the tests pass on it alone.",
        "style, hygiene",
    ),
    "house.setup": Requirement(
        "Setup takes the first Python that is new enough and makes environments, else says what to do.",
        "house, fresh clone",
    ),
}
