"""What is acknowledged is on disk."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "durable.acknowledged": Requirement(
        "A gate counts what was acknowledged and lost, and its control, which must lose, loses.",
        "spec reliability",
    ),
    "durable.kill": Requirement(
        "Killed hooks, workers and writers lose and double nothing that was acknowledged.",
        "spec reliability K1, K2",
    ),
    "durable.power": Requirement(
        "A power loss keeps every acknowledged memory, and less syncing would not.",
        "spec reliability P1",
    ),
    "durable.order": Requirement(
        "Every acknowledgement comes after the sync of the file and of its directory.",
        "spec reliability P2",
    ),
}
