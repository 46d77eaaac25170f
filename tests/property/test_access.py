"""Whoever asks, wherever: what any read returns is what ``perdure.domain.access`` calls visible."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.access import Reader, audience, audience_of, visible
from perdure.domain.ledger import Criteria
from perdure.domain.memory import LATEST, Kind, Link, Memory, Moment, Scope, Type, handle
from perdure.domain.wording import digest
from perdure.store.sqlite import open_store
from perdure.testing.fakes import Scribe, statement
from perdure.testing.memory_store import MemoryStore

pytestmark = pytest.mark.req("store.access")

# Names that could be mistaken for each other, for a path, for query syntax or for another script's letters.
NAMES = st.sampled_from(["ana", "Ana", "ana ", "an", "ana b", "ána", "a/b", 'a"b', "*", "名前", "ben"])
SLUGS = st.sampled_from(["harbour", "Harbour", "har", "harbour-2", "x y"])
PLACES = st.just("") | SLUGS
AUDIENCES = st.builds(Reader, NAMES, st.frozensets(SLUGS), PLACES, st.booleans())
MEMORIES = st.lists(
    st.tuples(NAMES, st.sampled_from(Scope), PLACES).filter(lambda one: one[1] is Scope.PRIVATE or one[2]),
    min_size=1,
    max_size=6,
)
THEN = Moment(as_of=5, known_at=2**60)
SAID = statement("amber", pinned=True)


@contextmanager
def opened(engine):
    """An empty store of the engine."""
    if engine == "memory":
        yield MemoryStore()
        return
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"{folder}/ledger.db", synchronous="OFF")
        yield store
        store.close()


@pytest.mark.parametrize("engine", ["memory", "sqlite"])
@given(places=MEMORIES, reader=AUDIENCES)
def test_every_read_returns_what_is_visible_and_nothing_else(engine, places, reader):
    with opened(engine) as store:
        scribe = Scribe()
        with store.unit(Reader("writer"), write=True) as unit:
            entries = [
                scribe.add(unit, SAID, author=author, scope=scope, project=project) for author, scope, project in places
            ]
            for src in entries:
                for dst in entries:
                    unit.memories.link(Link(src.memory.id, dst.memory.id, "cites"))
        with store.unit(reader) as unit:
            check_every_read(unit, entries, reader)


def check_every_read(unit, entries, reader):
    names = [entry.memory.id for entry in entries]
    in_scope = {entry.memory.id for entry in entries if visible(entry.memory, reader)}
    allowed = {entry.memory.id for entry in entries if reader.may_read(entry.memory)}
    by_seq = {entry.revision.seq: entry.memory.id for entry in entries}

    memories, lexical = unit.memories, unit.search.lexical
    listings = [
        Criteria(),
        Criteria(at=THEN),
        Criteria(pinned=True),
        Criteria(kinds=(Kind.FACT,), injectable=True),
        Criteria(types=(Type.SEMANTIC,)),
    ]
    for criteria in listings:
        assert {entry.memory.id for entry in memories.heads(criteria)} == in_scope
    for at in (LATEST, THEN):
        assert {entry.memory.id for entry in memories.entries(list(by_seq), at).values()} == in_scope
        assert {name for name in names if memories.get(name, at)} == allowed
    for superseded in (False, True):
        found = lexical(["amber"], superseded=superseded, limit=99)
        assert {by_seq[match.seq] for match in found} == in_scope
    assert memories.count() == len(in_scope)
    assert {name for name in names if memories.history(name)} == allowed
    assert {found for name in names for found in memories.resolve(name, 9)} == allowed
    assert {found for name in names for found in memories.resolve(handle(name), 9)} == allowed
    linked = {end for name in names for link in memories.links(name) for end in (link.src, link.dst)}
    assert linked == allowed
    said = {name for entry in entries for name in memories.said(audience_of(entry.memory), digest(SAID))}
    assert said == allowed


@given(one=st.tuples(NAMES, st.sampled_from(Scope), PLACES), other=st.tuples(NAMES, st.sampled_from(Scope), PLACES))
def test_two_memories_share_an_audience_only_where_the_same_people_may_read_them(one, other):
    if audience(*one) == audience(*other):
        assert one[1:] == other[1:]
        assert one[0] == other[0] or one[1] is Scope.PROJECT


@given(author=NAMES, scope=st.sampled_from(Scope), project=PLACES, reader=AUDIENCES)
def test_who_may_see_a_memory_somewhere_may_read_it_everywhere(author, scope, project, reader):
    memory = Memory("m", Kind.FACT, author, scope, project, 0)

    assert visible(memory, reader) <= reader.may_read(memory)
    if scope is Scope.PROJECT:
        assert visible(memory, reader.asking_everywhere()) == reader.may_read(memory)


@given(reader=AUDIENCES)
def test_every_audience_of_a_reader_is_its_own_or_a_projects_it_is_in(reader):
    own = {audience(reader.author, Scope.PRIVATE, project) for project in (*reader.projects, reader.project, "")}
    shared = {audience(reader.author, Scope.PROJECT, project) for project in reader.projects}

    assert set(reader.audiences()) <= own | shared
    assert len(set(reader.audiences())) == len(reader.audiences())
