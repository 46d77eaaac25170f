"""A draft as JSON, so that a proposal can hold a statement that is not recorded yet."""

from __future__ import annotations

from perdure.domain.change import Draft
from perdure.domain.memory import Kind, Scope, Type
from perdure.domain.record import as_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from perdure.domain.json import Json


def to_json(draft: Draft) -> dict[str, Json]:
    """The fields of a draft that differ from their defaults."""
    plain = as_dict(Draft(draft.kind, ""))
    told: dict[str, Json] = {name: value for name, value in as_dict(draft).items() if value != plain[name]}
    told["kind"] = draft.kind.value
    for name in ("type", "scope"):
        if name in told:
            told[name] = str(told[name])
    if draft.tags:
        told["tags"] = list(draft.tags)
    if draft.attrs:
        told["attrs"] = dict(draft.attrs)
    return told


def from_json(told: Mapping[str, Json]) -> Draft:
    """The draft that :func:`to_json` took apart. Raises ``ValueError`` or ``TypeError`` where it is none."""
    fields: dict[str, Any] = dict(told)
    fields["kind"] = Kind(fields["kind"])
    if fields.get("type"):
        fields["type"] = Type(fields["type"])
    if fields.get("scope"):
        fields["scope"] = Scope(fields["scope"])
    if "tags" in fields:
        fields["tags"] = tuple(fields["tags"])
    return Draft(**fields)
