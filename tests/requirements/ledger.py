"""The ledger's values."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "ledger.instants": Requirement(
        "Times are UTC instants inside and have an offset at the edges, whatever the time zone.",
        "design 7",
    ),
}
