"""A key that no message, no log and no debugger shows by accident."""

from __future__ import annotations


class Key:
    """A secret text; empty where there is none."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        """Keep a key; the end of a line that a file or a shell left on it is no part of it."""
        self._text = text.strip()

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self._text)

    def __repr__(self) -> str:
        return "Key(...)" if self._text else "Key()"

    def reveal(self) -> str:
        """The key itself, for the header that carries it."""
        return self._text

    def hidden_in(self, text: str) -> str:
        """A text, such as a server's complaint, without the key."""
        return text.replace(self._text, "[key]") if self._text else text
