from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.access import Reader
from perdure.domain.change import Add, Close, Edit, Forget, Supersede, Undo
from perdure.domain.instants import DAY
from perdure.domain.ledger import AuditRow
from perdure.domain.memory import LATEST, Cause, Channel, Link, Moment, Scope, State, provenance
from perdure.domain.record import replace
from perdure.services import why
from perdure.services.recall import Nothing
from perdure.services.write import commit
from perdure.testing.fakes import START, Scribe, draft, statement
from perdure.testing.memory_store import MemoryStore
from tests.unit.services.conftest import reader

pytestmark = pytest.mark.req("why.chain")

ANA, BEN = reader(), reader("ben")
HAND = provenance(Channel.HAND)


@pytest.fixture
def say(door, clock):
    """Record a statement, a day after the one before."""

    def said(body, instead_of=None, **changes):
        clock.pass_by(DAY)
        told = draft(body, **({"project": "ferry"} | changes))
        return commit(door, ANA, Supersede(instead_of, told, HAND) if instead_of else Add(told, HAND)).memory

    return said


@pytest.fixture
def chain(store):
    def found(memory, by=ANA):
        with store.unit(by) as unit:
            return why.chain(unit, memory)

    return found


def told(found):
    return [(step.memory.id, step.revision.cause.value, step.others) for step in found.steps]


def test_all_that_replaced_each_other_is_told_oldest_first_from_wherever_it_is_asked(say, chain):
    red = say("the pier is red")
    green = say("the pier is green", red)
    blue = say("the pier is blue", green)

    story = [
        (red, "added", ()),
        (green, "added", (red,)),
        (red, "superseded", (green,)),
        (blue, "added", (green,)),
        (green, "superseded", (blue,)),
    ]
    assert [told(chain(name)) for name in (red, green, blue)] == [story] * 3
    assert chain(green).memories() == [red, green, blue]


def test_each_revision_comes_whole_with_both_times_and_its_source(say, chain, store):
    name = say("the pier is red", valid_from=START - 9 * DAY)
    with store.unit(ANA) as unit:
        entry = unit.memories.get(name, LATEST)

    assert chain(name) == why.Chain(name, (why.Step(entry.memory, entry.revision, "add", "", ()),))


def test_other_revisions_of_a_memory_are_in_its_chain(door, say, chain, store):
    name = say("the pier is red")
    with store.unit(ANA) as unit:
        head = unit.memories.get(name, LATEST).revision.id
    commit(door, ANA, Edit(name, head, HAND, body="the pier is dark red"))
    commit(door, ANA, Close(name, State.EXPIRED, HAND))

    assert told(chain(name)) == [(name, cause, ()) for cause in ("added", "edited", "closed")]


@pytest.mark.req("why.reason")
def test_the_reason_is_what_the_audit_says_of_the_change(store, chain):
    scribe = Scribe(after=500)
    with store.unit(ANA, write=True) as unit:
        old = scribe.add(unit, statement("the pier is red"))
        number = unit.changes.begin(AuditRow(START, "ana", "add", "m", "hand", "the same subject and relation"))
        new = scribe.add(unit, statement("the pier is blue"), change=number)
        gone = replace(old.revision.statement, state=State.SUPERSEDED, valid_to=START)
        scribe.revise(unit, old, gone, START + 1, cause=Cause.SUPERSEDED, change=number)
        unit.memories.link(Link(new.memory.id, old.memory.id, "supersedes"))

    assert [(step.action, step.reason) for step in chain(old.memory.id).steps] == [
        ("add", ""),
        ("add", "the same subject and relation"),
        ("add", "the same subject and relation"),
    ]


def test_a_revision_of_an_unknown_change_has_no_reason(store, chain):
    with store.unit(ANA, write=True) as unit:
        name = Scribe(after=500).add(unit, statement("the pier is red"), change=999_999).memory.id

    assert [(step.action, step.reason) for step in chain(name).steps] == [("", "")]


def test_a_replacement_that_was_undone_is_told_but_what_that_end_replaced_besides_is_not(door, say, chain):
    red = say("the pier is red")
    blue = say("the pier is blue", red)
    commit(door, ANA, Undo(HAND))
    other = say("the boat is small")
    with door.store.unit(ANA, write=True) as unit:
        unit.memories.link(Link(blue, other, "supersedes"))
    commit(door, ANA, Forget(other, HAND))

    assert told(chain(red)) == [
        (red, "added", ()),
        (blue, "added", (red,)),
        (red, "superseded", (blue,)),
        (red, "undone", ()),
        (blue, "undone", ()),
    ]
    assert chain(blue).memories() == [red, blue, other]


def test_whose_place_a_memory_took_at_each_time_is_told_by_the_change(door, say, chain):
    red = say("the pier is red")
    blue = say("the pier is blue", red)
    commit(door, ANA, Undo(HAND))
    green = say("the pier is green", red)

    assert [others for name, cause, others in told(chain(red)) if (name, cause) == (red, "superseded")] == [
        (blue,),
        (green,),
    ]


def test_an_heir_that_was_there_already_took_the_place_later_and_not_when_it_was_recorded(door, say, chain):
    red = say("the pier is red")
    blue = say("the pier is blue", red)
    commit(door, ANA, Undo(HAND))
    scarlet = say("a scarlet coat of paint for the pier")
    commit(door, ANA, Close(red, State.SUPERSEDED, HAND, heir=scarlet))

    assert told(chain(red)) == [
        (red, "added", ()),
        (blue, "added", (red,)),
        (red, "superseded", (blue,)),
        (red, "undone", ()),
        (blue, "undone", ()),
        (scarlet, "added", ()),
        (red, "superseded", (scarlet,)),
    ]


def merge(store):
    """Two statements that were merged into a third."""
    scribe = Scribe(after=500)
    with store.unit(ANA, write=True) as unit:
        members = [scribe.add(unit, statement(f"the pier is {colour}")) for colour in ("red", "dark red")]
        change = unit.changes.begin(AuditRow(START, "ana", "merge", "m", "hand"))
        merged = scribe.add(unit, statement("the pier is a dark red"), change=change)
        for member in members:
            gone = replace(member.revision.statement, state=State.SUPERSEDED, valid_to=START)
            scribe.revise(unit, member, gone, START + 1, cause=Cause.SUPERSEDED, change=change)
            unit.memories.link(Link(member.memory.id, merged.memory.id, "merged_into"))
    return [member.memory.id for member in members], merged.memory.id


def test_statements_that_were_merged_are_one_chain(store, chain):
    (one, other), merged = merge(store)

    for name in (one, other, merged):
        assert told(chain(name)) == [
            (one, "added", ()),
            (other, "added", ()),
            (merged, "added", (one, other)),
            (one, "superseded", (merged,)),
            (other, "superseded", (merged,)),
        ]


@pytest.mark.req("why.access")
def test_a_link_to_a_hidden_memory_is_as_if_it_were_not_there(store, chain):
    scribe = Scribe(after=500)
    with store.unit(ANA, write=True) as unit:
        entries = [
            scribe.add(unit, statement(f"the pier is {colour}"), project="ferry", scope=scope)
            for colour, scope in (("red", Scope.PROJECT), ("green", Scope.PRIVATE), ("blue", Scope.PROJECT))
        ]
        for old, new in pairwise(entries):
            unit.memories.link(Link(new.memory.id, old.memory.id, "supersedes"))
            gone = replace(old.revision.statement, state=State.SUPERSEDED, valid_to=START)
            scribe.revise(unit, old, gone, START + 1, cause=Cause.SUPERSEDED)
        names = [entry.memory.id for entry in entries]

    assert chain(names[0]).memories() == names
    assert told(chain(names[0], BEN)) == [(names[0], "added", ()), (names[0], "superseded", ())]
    assert told(chain(names[2], BEN)) == [(names[2], "added", ())]


def test_a_chain_has_an_end_and_says_how_much_is_left_out(store, chain, monkeypatch):
    scribe = Scribe(after=500)
    with store.unit(ANA, write=True) as unit:
        first, *others = (
            scribe.add(unit, statement(f"lamp {number}", state=State.SUPERSEDED)).memory.id for number in range(6)
        )
        for name in others:
            unit.memories.link(Link(name, first, "supersedes"))
    monkeypatch.setattr(why, "LONGEST_CHAIN", 4)

    assert (len(chain(first).memories()), chain(first).cut) == (4, 2)


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from(["supersedes", "merged_into"]))))
def test_a_chain_is_what_links_of_replacement_hold_together(pairs):
    store, scribe, names = MemoryStore(), Scribe(), []
    with store.unit(Reader("ana"), write=True) as unit:
        for number in range(8):
            entry = scribe.add(unit, statement(f"lamp {number}", state=State.SUPERSEDED))
            names.append(entry.memory.id)
        for one, other, kind in pairs:
            unit.memories.link(Link(names[one], names[other], kind))
            unit.memories.link(Link(names[one], names[0], "cites"))
    group = {number: {number} for number in range(8)}
    for one, other, _kind in pairs:
        joined = group[one] | group[other]
        group |= dict.fromkeys(joined, joined)

    with store.unit(Reader("ana")) as unit:
        for number, name in enumerate(names):
            found = why.chain(unit, name)
            assert set(found.memories()) == {names[each] for each in group[number]}
            assert [step.revision.seq for step in found.steps] == sorted(step.revision.seq for step in found.steps)


@pytest.fixture
def believed(store, chain):
    """What a chain's beliefs are at some times: the two times and the words of each."""

    def found(memory, as_of=None, known_at=None):
        story = chain(memory)
        with store.unit(ANA) as unit:
            beliefs = why.beliefs(unit, story, as_of, known_at)
        return [
            (belief.at, [entry.revision.statement.body.split()[-1] for entry in belief.entries]) for belief in beliefs
        ]

    return found


@pytest.fixture
def late(say, clock):
    """Red was said of time before, and blue of the day on which it was said; gives the days on which they were."""
    red = say("the pier is red", valid_from=START - 100 * DAY)
    said = clock.at
    say("the pier is blue", red)
    return red, said, clock.at


@pytest.mark.req("why.belief")
def test_without_a_time_no_belief_is_told(late, believed):
    assert believed(late[0]) == []


@pytest.mark.req("why.belief")
def test_what_was_believed_at_a_time_is_what_was_known_then(late, believed):
    red, said, corrected = late

    assert believed(red, known_at=said - DAY) == [(Moment(said - DAY, said - DAY), [])]
    assert believed(red, known_at=said) == [(Moment(said, said), ["red"])]
    assert believed(red, known_at=corrected) == [(Moment(corrected, corrected), ["blue"])]


@pytest.mark.req("why.belief")
def test_of_a_time_is_told_what_was_believed_then_and_what_is_known_now_where_that_differs(late, believed):
    red, said, _corrected = late
    before = START - 50 * DAY

    assert believed(red, as_of=before) == [(Moment(before, before), []), (Moment(before), ["red"])]
    assert believed(red, as_of=said) == [(Moment(said, said), ["red"])]


@pytest.mark.req("why.belief")
def test_both_times_can_be_asked_at_once(late, believed):
    red, said, corrected = late
    before = START - 50 * DAY

    assert believed(red, before, said) == [(Moment(before, said), ["red"])]
    assert believed(red, corrected, said) == [(Moment(corrected, said), ["red"])]


@pytest.mark.req("why.belief")
def test_a_statement_that_was_retracted_was_believed_and_is_not_known_to_have_held(door, say, believed, clock):
    name = say("the pier is red")
    said = clock.at
    clock.pass_by(DAY)
    commit(door, ANA, Forget(name, HAND))

    assert believed(name, as_of=said) == [(Moment(said, said), ["red"]), (Moment(said), [])]


@pytest.mark.req("why.belief")
def test_what_ended_a_belief_is_told_and_nothing_where_it_stands(door, say, store, chain, clock):
    red = say("the pier is red")
    said = clock.at
    blue = say("the pier is blue", red)
    story = chain(red)
    with store.unit(ANA) as unit:
        then, now, heir = (
            unit.memories.get(name, at) for name, at in ((red, Moment(known_at=said)), (red, LATEST), (blue, LATEST))
        )

    assert why.ended_by(story, then) == why.ended_by(story, now) == story.steps[2]
    assert (story.steps[2].revision.cause, story.steps[2].others) == (Cause.SUPERSEDED, (blue,))
    assert why.ended_by(story, heir) is None


@pytest.mark.req("why.subject")
def test_what_holds_no_more_is_found_by_a_question_too(say, store):
    red = say("the pier lamp is red")
    say("tariffs are printed monthly", red)
    with store.unit(ANA) as unit:
        answer = why.subject(unit, "pier lamp", 0.3)
        nothing = why.subject(unit, "zebra crossing", 0.3)

    assert [hit.entry.memory.id for hit in answer.hits] == [red]
    assert (nothing.hits, nothing.nothing) == ((), Nothing.FLOOR)


@pytest.mark.req("why.subject")
@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("0000001a", True),
        ("#cafe", True),
        ("ab12", True),
        ("deadbeef", True),
        ("01900000-0000-7000-8000-000000010000", True),
        ("0000001A", True),
        ("cafe", False),
        ("facade", False),
        ("abc", False),
        ("#abc", False),
        ("", False),
        ("deploy", False),
        ("node 12ab", False),
        ("\ud800", False),
    ],
)
def test_a_word_that_can_be_an_id_is_told_from_a_question(word, named):
    assert why.looks_like_a_name(word) is named
