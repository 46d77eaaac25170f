"""The ledger's values."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "ledger.records": Requirement(
        "Values are frozen, compare by what they hold, and cost a hook little to define.",
        "design 3, styles",
    ),
    "ledger.instants": Requirement(
        "Times are UTC instants inside and have an offset at the edges, whatever the time zone.",
        "design 7",
    ),
}
