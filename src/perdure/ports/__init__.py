"""What the services need from the world outside, as Protocols. Adapters live in the rooms above."""

from __future__ import annotations

from perdure.ports.knowledge import Access, Changes, Memories, Proposals, Search
from perdure.ports.sources import Jobs, Meta, Orders, Projects, Sessions, Spending
from perdure.ports.store import Store, Unit
from perdure.ports.world import Clock, Deadline, Host, Ids, Model, Repo, Spool

__all__ = [
    "Access",
    "Changes",
    "Clock",
    "Deadline",
    "Host",
    "Ids",
    "Jobs",
    "Memories",
    "Meta",
    "Model",
    "Orders",
    "Projects",
    "Proposals",
    "Repo",
    "Search",
    "Sessions",
    "Spending",
    "Spool",
    "Store",
    "Unit",
]
