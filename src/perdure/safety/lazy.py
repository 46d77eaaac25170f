"""Expressions that are compiled when first used: a process that needs three of fifty pays for three."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Pattern:
    """The searching half of ``re.Pattern``. Compiled at the first search; from then on as quick as one."""

    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[str]]
    split: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, expression: str, flags: int = 0) -> None:
        self._expression = expression
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        compiled = re.compile(self._expression, self._flags)
        for method in ("match", "search", "fullmatch", "finditer", "findall", "split", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
