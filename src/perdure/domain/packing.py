"""Packing lines into a budget of tokens and characters."""

from __future__ import annotations

from perdure.domain import tokens
from perdure.domain.record import record


@record
class Budget:
    """The most that a text may have, in estimated tokens and in characters."""

    tokens: int
    characters: int


class Packer:
    """Takes lines as long as they fit; a heading is written only before a line that fits under it."""

    def __init__(self, budget: Budget) -> None:
        """Start empty."""
        self._left = budget.tokens
        self._room = budget.characters
        self._lines: list[str] = []
        self._heading = ""

    def head(self, heading: str) -> None:
        """Write a heading before the next line that is taken."""
        self._heading = heading

    def take(self, line: str) -> bool:
        """Write a line if it fits, and say whether it did."""
        lines = [self._heading, line] if self._heading else [line]
        cost = sum(tokens.count(each) + 1 for each in lines)
        size = sum(len(each) + 1 for each in lines)
        if cost > self._left or size > self._room:
            return False
        self._left -= cost
        self._room -= size
        self._lines += lines
        self._heading = ""
        return True

    @property
    def left(self) -> int:
        """Tokens that are left."""
        return self._left

    @property
    def text(self) -> str:
        """All lines taken."""
        return "\n".join(self._lines)
