from __future__ import annotations

import uuid

import pytest

from perdure.domain.memory import Kind, Scope, Type, handle
from perdure.domain.spool import Pointer
from perdure.testing.fakes import START, FakeClock, FakeSpool, SequentialIds, draft, memory, revision, statement

pytestmark = pytest.mark.req("store.fakes")


def test_a_clock_goes_on_by_its_step_and_can_be_moved():
    clock = FakeClock(at=100, step=5)

    assert [clock.now(), clock.now()] == [100, 105]
    clock.pass_by(1_000)
    assert clock.now() == 1_110
    clock.at = 7
    assert clock.now() == 7


def test_a_clock_can_stand_still():
    clock = FakeClock(step=0)

    assert {clock.now() for _ in range(3)} == {START}


def test_ids_are_uuids_in_order_whose_short_names_differ():
    ids = SequentialIds()
    made = [ids.new() for _ in range(300)]

    assert {uuid.UUID(each).version for each in made} == {7}
    assert [str(uuid.UUID(each)) for each in made] == sorted(made)
    assert len({handle(each) for each in made}) == 300


def test_nonces_are_thirty_two_hexadecimal_digits_and_differ():
    ids = SequentialIds()
    made = [ids.nonce() for _ in range(20)]

    assert {len(each) for each in made} == {32}
    assert len({int(each, 16) for each in made}) == 20


def test_a_spool_keeps_pointers_in_order_of_arrival_until_they_are_removed():
    pointers = [Pointer("claude-code", "stop", "s1", at) for at in (30, 10, 20)]
    spool = FakeSpool(pointers[:1])
    for pointer in pointers[1:]:
        spool.put(pointer)
    names = [name for name, _pointer in spool.pending()]

    assert [pointer for _name, pointer in spool.pending()] == pointers
    assert names == sorted(names)
    spool.remove([names[0], names[2], "gone before"])
    assert list(spool.pending()) == [(names[1], pointers[1])]


def test_a_removed_pointers_name_is_not_given_again():
    spool = FakeSpool([Pointer("claude-code", "stop", "s1", 1)])
    names = [name for name, _pointer in spool.pending()]
    spool.remove(names)
    spool.put(Pointer("claude-code", "stop", "s1", 2))

    assert [name for name, _pointer in spool.pending()] != names


def test_builders_change_what_they_are_told_to():
    said = statement("words", type=Type.PREFERENCE, pinned=True)
    named = memory("m1", author="ben", kind=Kind.CASE, scope=Scope.PROJECT, project="harbour")
    drafted = draft("words", project="harbour")
    written = revision("m1", said, change=4)

    assert (said.body, said.type, said.pinned, said.title) == ("words", Type.PREFERENCE, True, "")
    assert (named.id, named.author, named.kind, named.project) == ("m1", "ben", Kind.CASE, "harbour")
    assert (drafted.kind, drafted.body, drafted.project) == (Kind.FACT, "words", "harbour")
    assert (written.memory, written.statement, written.change, written.wording) == ("m1", said, 4, 0)
