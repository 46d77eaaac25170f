"""Prompts: one file each, with a fixed set of variables.

A file holds the instructions, then a line ``---``, then the text that changes. ``{{name}}`` is replaced; whatever
stands in a value stays as it is.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = os.path.join(os.path.dirname(__file__), "prompts")
BREAK = "\n---\n"
VARIABLES = {
    "extract": frozenset({"contract", "project", "transcript"}),
    "consolidate": frozenset({"contract", "statements"}),
    "reflect": frozenset({"contract", "project", "statements"}),
    "again": frozenset({"reason"}),
}
"""The variables of each prompt."""

_VARIABLE = re.compile(r"\{\{(\w+)\}\}")


@cache
def _read(name: str) -> str:
    with open(os.path.join(FOLDER, f"{name}.md"), encoding="utf-8") as file:
        return file.read()


def used(name: str) -> frozenset[str]:
    """The variables that a prompt's file names."""
    return frozenset(_VARIABLE.findall(_read(name)))


def render(name: str, variables: Mapping[str, str]) -> tuple[str, str]:
    """Instructions and text of a prompt with its variables put in.

    Raises ``ValueError`` where a variable is missing or unknown, by what is given or by the file.
    """
    wanted = VARIABLES[name]
    for names, where in ((frozenset(variables), "was given"), (used(name), "has in its file")):
        if names != wanted:
            raise ValueError(f"the prompt {name} takes {sorted(wanted)} and {where} {sorted(names)}")
    instructions, _break, text = _read(name).partition(BREAK)
    return _put(instructions, variables), _put(text, variables)


def _put(text: str, variables: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: variables[match[1]], text).strip()
