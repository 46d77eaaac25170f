"""The type of JSON-like values."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
