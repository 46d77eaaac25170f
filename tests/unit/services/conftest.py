from __future__ import annotations

import pytest

from perdure.domain.access import Reader
from perdure.domain.ledger import ProjectRow
from perdure.safety.redaction import default_redactor
from perdure.services.write import Door
from perdure.store.sqlite import open_store
from perdure.testing.fakes import FakeClock, SequentialIds
from perdure.testing.memory_store import MemoryStore

PROJECTS = {"ferry": ("ana", "ben"), "lantern": ("ana",)}


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    """Each use case on the model and on the engine."""
    opened = MemoryStore() if request.param == "memory" else open_store(str(tmp_path / "ledger.db"))
    with opened.unit(Reader("ana"), write=True) as unit:
        for slug, members in PROJECTS.items():
            unit.projects.create(ProjectRow(slug, slug, 0), [f"marker:{slug}"])
            for member in members:
                unit.projects.admit(slug, member, 0)
    yield opened
    if request.param == "sqlite":
        opened.close()


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def door(store, clock):
    return Door(store, clock, SequentialIds(), default_redactor())


def reader(author="ana", project="ferry"):
    projects = frozenset(slug for slug, members in PROJECTS.items() if author in members)
    return Reader(author, projects, project)
