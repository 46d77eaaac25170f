"""What Perdure promises: one line for each promise, each held by at least one test.

Every module of this package is an area with a dict ``REQUIREMENTS`` of id to
:class:`Requirement`; an id begins with the name of its module. A test names what it holds with
``@pytest.mark.req("area.short-slug")``.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Requirement:
    """One promise: what holds, in a sentence, and where that was promised."""

    text: str
    source: str


def merge(areas: Iterable[tuple[str, Mapping[str, Requirement]]]) -> dict[str, Requirement]:
    """Put the areas together; ``ValueError`` where an id is not its area's."""
    merged: dict[str, Requirement] = {}
    for area, requirements in areas:
        for name, requirement in requirements.items():
            if not name.startswith(f"{area}."):
                message = f"{name} stands in {area}.py, where ids begin with {area}."
                raise ValueError(message)
            merged[name] = requirement
    return merged


def load() -> dict[str, Requirement]:
    """Read every area that lies beside this file."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return merge((name, importlib.import_module(f"{__name__}.{name}").REQUIREMENTS) for name in names)
