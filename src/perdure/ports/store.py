"""The ledger as a whole: one transaction at a time, seen through its repositories."""

from __future__ import annotations

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from perdure.domain.access import Reader
    from perdure.ports.knowledge import Access, Changes, Memories, Proposals, Search
    from perdure.ports.sources import Jobs, Meta, Orders, Projects, Sessions, Spending


class Unit(Protocol):
    """One transaction, seen through narrow repositories."""

    @property
    def reader(self) -> Reader: ...  # noqa: D102 - each is named by its type

    @property
    def memories(self) -> Memories: ...  # noqa: D102

    @property
    def search(self) -> Search: ...  # noqa: D102

    @property
    def changes(self) -> Changes: ...  # noqa: D102

    @property
    def sessions(self) -> Sessions: ...  # noqa: D102

    @property
    def projects(self) -> Projects: ...  # noqa: D102

    @property
    def jobs(self) -> Jobs: ...  # noqa: D102

    @property
    def proposals(self) -> Proposals: ...  # noqa: D102

    @property
    def orders(self) -> Orders: ...  # noqa: D102

    @property
    def spending(self) -> Spending: ...  # noqa: D102

    @property
    def access(self) -> Access: ...  # noqa: D102

    @property
    def meta(self) -> Meta: ...  # noqa: D102


class Store(Protocol):
    """The ledger."""

    def unit(self, reader: Reader, *, write: bool = False) -> AbstractContextManager[Unit]:
        """One transaction for a reader: committed when the block ends, rolled back when it raises."""
        ...
