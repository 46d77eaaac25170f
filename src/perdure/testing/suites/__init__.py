"""The parts of the contract suites, one module for each repository of a port.

Each test is named by the sentence that it holds. A part needs the fixtures of its base alone.
"""

from __future__ import annotations

from contextlib import contextmanager
from pkgutil import iter_modules

import pytest

from perdure.domain.access import Reader
from perdure.domain.errors import Refused
from perdure.testing.fakes import Scribe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from perdure.ports import Store, Unit

# So that a failing assertion of a suite shows its values, wherever the suite is subclassed.
pytest.register_assert_rewrite(*(f"{__name__}.{part.name}" for part in iter_modules(__path__)))

ANA = Reader("ana")
BEN = Reader("ben")


@contextmanager
def refused(store: Store) -> Iterator[Unit]:
    """A unit in which something must be refused."""
    with pytest.raises(Refused), store.unit(ANA, write=True) as unit:
        yield unit


class StoreSuite:
    """What every part of the store's contract stands on."""

    @pytest.fixture
    def store(self) -> Store:
        """An empty store: to be given by the adapter's own test class."""
        raise NotImplementedError

    @pytest.fixture
    def scribe(self) -> Scribe:
        """Writes memories without the checks of the one door."""
        return Scribe()


class SharedStoreSuite(StoreSuite):
    """The same for a ledger that several stores, each on its own connection, use at once."""

    @pytest.fixture
    def connect(self) -> Callable[[], Store]:
        """Open one more store on the same ledger, empty at first: to be given by the adapter's test class."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, connect: Callable[[], Store]) -> Store:
        """The first of them."""
        return connect()
