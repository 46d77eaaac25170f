"""The store's contract: a read returns what the reader may see, in scope of where the question is asked."""

from __future__ import annotations

import pytest

from perdure.domain.access import Reader, audience_of
from perdure.domain.ledger import Criteria
from perdure.domain.memory import LATEST, Link, Moment, Scope
from perdure.domain.record import replace
from perdure.domain.wording import digest
from perdure.testing.fakes import statement
from perdure.testing.suites import ANA, BEN, StoreSuite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from perdure.domain.memory import Entry
    from perdure.ports import Store
    from perdure.testing.fakes import Scribe

HARBOUR = frozenset({"harbour"})
MEMBER = Reader("ben", HARBOUR, project="harbour")
SAID = statement("amber", pinned=True)
BOTH = Moment(as_of=5, known_at=2**60)


def sees(store: Store, reader: Reader, entry: Entry) -> dict[str, bool]:
    """Which reads show the entry to a reader."""
    name, seq = entry.memory.id, entry.revision.seq
    with store.unit(reader) as unit:
        memories = unit.memories
        return {
            "get": memories.get(name, LATEST) == entry,
            "get then": memories.get(name, BOTH) == entry,
            "history": list(memories.history(name)) == [entry.revision],
            "resolve": list(memories.resolve(name, 9)) == [name],
            "resolve short": name in memories.resolve(name.rpartition("-")[2][:8], 9),
            "said": list(memories.said(audience_of(entry.memory), entry.revision.digest)) == [name],
            "heads": entry in memories.heads(Criteria()),
            "heads then": entry in memories.heads(Criteria(at=BOTH)),
            "heads pinned": entry in memories.heads(Criteria(pinned=True)),
            "heads by kind": entry in memories.heads(Criteria(kinds=(entry.memory.kind,))),
            "heads by type": entry in memories.heads(Criteria(types=(SAID.type,))),
            "entries": memories.entries([seq], LATEST) == {seq: entry},
            "entries then": memories.entries([seq], BOTH) == {seq: entry},
            "lexical": seq in [m.seq for m in unit.search.lexical(["amber"], superseded=False, limit=9)],
            "lexical past": seq in [m.seq for m in unit.search.lexical(["amber"], superseded=True, limit=9)],
            "count": memories.count() == 1,
        }


BY_NAME = {"get", "get then", "history", "resolve", "resolve short", "said"}
"""Reads that name the memory answer wherever the question is asked."""


class AccessSuite(StoreSuite):
    """Who sees what, and from where."""

    @pytest.mark.parametrize(
        ("place", "reader", "allowed", "in_scope"),
        [
            ({}, ANA, True, True),
            ({}, BEN, False, False),
            ({}, Reader("ben", everywhere=True), False, False),
            ({}, Reader("ana", HARBOUR, project="harbour"), True, True),
            ({"project": "harbour"}, Reader("ana", HARBOUR, project="harbour"), True, True),
            ({"project": "harbour"}, Reader("ana", project="harbour"), True, True),
            ({"project": "harbour"}, ANA, True, False),
            ({"project": "harbour"}, MEMBER, False, False),
            ({"project": "harbour"}, Reader("ana", HARBOUR, project="other"), True, False),
            ({"project": "harbour"}, Reader("ana", HARBOUR, everywhere=True), True, True),
            ({"project": "harbour", "scope": Scope.PROJECT}, MEMBER, True, True),
            ({"project": "harbour", "scope": Scope.PROJECT}, replace(MEMBER, project=""), True, False),
            ({"project": "harbour", "scope": Scope.PROJECT}, replace(MEMBER, project="other"), True, False),
            ({"project": "harbour", "scope": Scope.PROJECT}, MEMBER.asking_everywhere(), True, True),
            (
                {"project": "harbour", "scope": Scope.PROJECT},
                Reader("ben", project="harbour", everywhere=True),
                False,
                False,
            ),
            ({"project": "harbour", "scope": Scope.PROJECT}, Reader("ben", project="harbour"), False, False),
            ({"project": "harbour", "scope": Scope.PROJECT}, Reader("ana", project="harbour"), False, False),
        ],
    )
    def test_every_read_shows_a_memory_to_whom_it_concerns_and_where(
        self,
        store: Store,
        scribe: Scribe,
        place: dict[str, Any],
        reader: Reader,
        *,
        allowed: bool,
        in_scope: bool,
    ) -> None:
        with store.unit(ANA, write=True) as unit:
            entry = scribe.add(unit, SAID, **place)
        seen = sees(store, reader, entry)
        assert seen == {name: allowed if name in BY_NAME else in_scope for name in seen}

    @pytest.mark.parametrize("other", ["Ana", "ana ", " ana", "ana b", "an", "ána", 'ana"', "ana/harbour", "*"])
    def test_names_that_look_alike_are_different_people(self, store: Store, scribe: Scribe, other: str) -> None:
        with store.unit(Reader(other), write=True) as unit:
            entry = scribe.add(unit, SAID, author=other)
        for project in ("", "harbour"):
            assert not any(sees(store, Reader("ana", HARBOUR, project=project), entry).values())
        assert all(sees(store, Reader(other), entry).values())

    @pytest.mark.parametrize("other", ["Harbour", "harbour-2", "har", "harbour "])
    def test_projects_that_look_alike_are_different_projects(self, store: Store, scribe: Scribe, other: str) -> None:
        with store.unit(ANA, write=True) as unit:
            entry = scribe.add(unit, SAID, project=other, scope=Scope.PROJECT)
        assert not any(sees(store, MEMBER, entry).values())
        assert all(sees(store, Reader("ben", frozenset({other}), project=other), entry).values())

    def test_hidden_memories_take_no_place_among_a_limited_number(self, store: Store, scribe: Scribe) -> None:
        names = [f"01900000-0000-7000-8000-abcdef00000{number}" for number in range(5)]
        with store.unit(ANA, write=True) as unit:
            for name in names[:-1]:
                scribe.add(unit, SAID, id=name, author="ben")
            mine = scribe.add(unit, SAID, id=names[-1])
        with store.unit(ANA) as unit:
            found = unit.search.lexical(["amber"], superseded=True, limit=1)
            assert [match.seq for match in found] == [mine.revision.seq]
            assert list(unit.memories.heads(Criteria(limit=1))) == [mine]
            assert list(unit.memories.resolve("abcdef", 1)) == [names[-1]]

    def test_the_same_words_of_another_are_not_known(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            scribe.add(unit, SAID)
        with store.unit(BEN) as unit:
            assert list(unit.memories.said("private/ana/", digest(SAID))) == []
            assert list(unit.memories.said("private/ben/", digest(SAID))) == []

    def test_a_link_to_a_hidden_memory_is_not_shown(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            shared = scribe.add(unit, SAID, project="harbour", scope=Scope.PROJECT).memory.id
            other = scribe.add(unit, SAID, project="harbour", scope=Scope.PROJECT).memory.id
            hidden = scribe.add(unit, SAID).memory.id
            unit.memories.link(Link(shared, hidden, "derived_from"))
            unit.memories.link(Link(hidden, other, "cites"))
            unit.memories.link(Link(shared, other, "cites"))
        with store.unit(MEMBER) as unit:
            assert list(unit.memories.links(shared)) == [Link(shared, other, "cites")]
            assert list(unit.memories.links(other)) == [Link(shared, other, "cites")]
            assert list(unit.memories.links(hidden)) == []
