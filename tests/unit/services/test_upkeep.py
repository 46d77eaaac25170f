from __future__ import annotations

import json

import pytest

from perdure.domain.change import Add, Edit, Parked, Unchanged, Written
from perdure.domain.ledger import Criteria
from perdure.domain.memory import LATEST, Channel, Kind, Scope, State, Trust, provenance
from perdure.domain.orders import Answer
from perdure.domain.record import replace
from perdure.models import prompting
from perdure.services import asking, consolidate, reflect
from perdure.services.consolidate import Limits
from perdure.services.orders import Desk
from perdure.services.reflect import Bounds
from perdure.services.write import commit
from perdure.testing.fakes import draft
from tests.unit.services.conftest import reader

ANA = reader()
LIMITS = Limits()
# Imports are not looked at by the door: consolidation does that later.
IMPORT = provenance(Channel.IMPORT)
TWINS = ("Retries stop after five attempts in the worker.", "Retries must stop after five attempts in the worker.")


@pytest.fixture
def known(door):
    """Record statements as imports, and give their ids."""

    def recorded(*bodies, origin=IMPORT, **changes):
        told = {"project": "ferry", "kind": Kind.FACT} | changes
        return [commit(door, ANA, Add(draft(body, **told), origin)).memory for body in bodies]

    return recorded


@pytest.fixture
def states(store):
    def found(*names):
        with store.unit(ANA) as unit:
            return [unit.memories.get(name, LATEST).revision.statement.state for name in names]

    return found


@pytest.fixture
def pending(store):
    def found():
        with store.unit(ANA) as unit:
            return [
                (each.action.value, [member.memory for member in each.members]) for each in unit.proposals.pending(50)
            ]

    return found


def standing(unit, kind):
    found = unit.memories.heads(Criteria(kinds=(kind,)))
    return [entry for entry in found if entry.revision.statement.state is State.ACTIVE]


class Says:
    """A model that always gives one answer."""

    name = "fake: m"

    def __init__(self, value):
        self.value = value
        self.asked = 0

    def complete(self, *_arguments, **_named):
        self.asked += 1
        return Answer(self.value if isinstance(self.value, str) else json.dumps(self.value), 10)


@pytest.mark.req("facts.consolidated")
def test_of_statements_that_say_the_same_the_latest_stands_for_all(door, known, states):
    older, newer = known(*TWINS)

    report = consolidate.consolidate(door, ANA, LIMITS)

    assert (report.looked_at, report.groups, report.applied) == (2, [(newer, older)], [older])
    assert states(older, newer) == [State.SUPERSEDED, State.ACTIVE]


@pytest.mark.req("facts.consolidated")
def test_a_dry_run_says_what_it_found_and_writes_nothing(door, known, states, pending):
    older, newer = known(*TWINS)

    report = consolidate.consolidate(door, ANA, LIMITS, dry_run=True)

    assert (report.groups, report.applied, report.proposed, report.asked) == ([(newer, older)], [], [], 0)
    assert (states(older, newer), pending()) == ([State.ACTIVE, State.ACTIVE], [])


@pytest.mark.req("facts.consolidated")
def test_a_value_that_differs_is_asked_about_and_never_merged(door, known, states, pending):
    older, newer = known(
        "The retry limit of the worker queue is 5 attempts.", "The retry limit of the worker queue is 6 attempts."
    )

    consolidate.consolidate(door, ANA, LIMITS)

    assert states(older, newer) == [State.ACTIVE, State.ACTIVE]
    assert pending() == [("supersede", [older, newer])]


@pytest.mark.req("facts.consolidated")
def test_groups_beyond_the_bounds_are_counted_and_left(door, known):
    for topic in ("cursor", "timeout", "header", "lantern"):
        known(
            f"Always check the {topic} table before a push.", f"Always check the {topic} table before a push, please."
        )

    report = consolidate.consolidate(door, ANA, replace(LIMITS, groups=3))

    assert (len(report.groups), report.left) == (3, 1)


@pytest.mark.req("facts.consolidated")
def test_a_users_own_word_never_gives_way_to_a_models(door, known, states, pending):
    (own,) = known(TWINS[0], origin=replace(IMPORT, trust=Trust.USER))
    (models,) = known(TWINS[1], origin=replace(IMPORT, trust=Trust.MODEL))

    report = consolidate.consolidate(door, ANA, LIMITS)

    assert (report.applied, states(own, models)) == ([], [State.ACTIVE, State.ACTIVE])
    assert pending() == [("supersede", [own, models])]


@pytest.fixture
def judged(door, known):
    """Have a model judge twins, after ``meanwhile`` happened to them."""

    def run(verdict, meanwhile=None):
        names = known(*TWINS)
        report = consolidate.consolidate(door, ANA, LIMITS, ask=True)
        assert (report.asked, report.applied) == (1, [])
        if meanwhile:
            meanwhile(names)
        asking.work_off(Desk(door, "ana", lambda _role: Says(verdict), prompting.render), "test")
        return names

    return run


@pytest.mark.req("facts.verdict")
@pytest.mark.parametrize("confidence", [0.79, 0, None, -1])
def test_a_verdict_that_is_not_sure_enough_waits_for_a_person(judged, states, pending, confidence):
    names = judged(
        {"verdict": "supersede", "winner": 2, "confidence": confidence}
        if confidence is not None
        else {"verdict": "supersede", "winner": 2}
    )

    assert states(*names) == [State.ACTIVE, State.ACTIVE]
    assert len(pending()) == 1


@pytest.mark.req("facts.verdict")
def test_a_sure_verdict_lets_the_winner_stand(judged, states, pending):
    names = judged({"verdict": "supersede", "winner": 1, "confidence": 0.9})

    assert sorted(states(*names)) == [State.ACTIVE, State.SUPERSEDED]
    assert pending() == []


@pytest.mark.req("facts.verdict")
def test_a_sure_merge_has_new_words_in_place_of_all(judged, states, store):
    names = judged(
        {
            "verdict": "merge",
            "content": "Retries in the worker stop after five attempts.",
            "confidence": 0.9,
            "importance": 1,
        }
    )

    with store.unit(ANA) as unit:
        (entry,) = standing(unit, Kind.FACT)
    assert states(*names) == [State.SUPERSEDED, State.SUPERSEDED]
    assert (entry.revision.statement.body, entry.revision.statement.importance) == (
        "Retries in the worker stop after five attempts.",
        0.7,
    )
    assert entry.memory.scope is Scope.PROJECT


@pytest.mark.req("facts.verdict")
def test_an_unsure_merge_is_proposed_with_its_words(judged, states, pending):
    names = judged({"verdict": "merge", "content": "Retries stop after five.", "confidence": 0.5})

    assert states(*names) == [State.ACTIVE, State.ACTIVE]
    assert [(action, sorted(members)) for action, members in pending()] == [("merge", sorted(names))]


@pytest.mark.req("facts.verdict")
def test_keep_changes_nothing(judged, states, pending):
    names = judged({"verdict": "keep", "confidence": 1})

    assert (states(*names), pending()) == ([State.ACTIVE, State.ACTIVE], [])


@pytest.mark.req("facts.verdict")
def test_a_group_that_changed_meanwhile_is_not_judged(judged, door, store, states):
    def changed(names):
        with store.unit(ANA) as unit:
            entry = unit.memories.get(names[0], LATEST)
        edit = Edit(names[0], entry.revision.id, provenance(Channel.HAND), body="Retries never stop in the worker.")
        assert isinstance(commit(door, ANA, edit), Written)

    names = judged({"verdict": "supersede", "winner": 2, "confidence": 1}, changed)

    assert states(*names) == [State.ACTIVE, State.ACTIVE]


FIVE = tuple(
    f"The {part} of the ferry is painted {colour}."
    for part, colour in (
        ("bow", "red"),
        ("stern", "white"),
        ("mast", "blue"),
        ("deck", "green"),
        ("keel", "black"),
    )
)


@pytest.mark.req("facts.reflected")
def test_a_project_with_enough_that_is_shared_gets_one_page_that_is_rebuilt_whole(door, known, states, store):
    known(*FIVE)
    first = reflect.reflect(door, "ana", ["ferry", "lantern"], Bounds())
    known("The funnel of the ferry is painted yellow.")
    second = reflect.reflect(door, "ana", ["ferry"], Bounds())

    assert (list(first.written), first.small, list(second.written)) == (["ferry"], ["lantern"], ["ferry"])
    assert states(first.written["ferry"], second.written["ferry"]) == [State.SUPERSEDED, State.ACTIVE]
    with store.unit(ANA) as unit:
        (entry,) = standing(unit, Kind.PAGE)
    assert entry.revision.statement.body.splitlines()[2].startswith("- The funnel of the ferry is painted yellow. (")
    assert all(body in entry.revision.statement.body for body in FIVE)
    assert (entry.memory.scope, entry.revision.statement.importance) == (Scope.PROJECT, 0.6)


@pytest.mark.req("facts.reflected")
def test_a_page_that_would_say_the_same_is_not_written_again(door, known):
    known(*FIVE)
    reflect.reflect(door, "ana", ["ferry"], Bounds())

    assert reflect.reflect(door, "ana", ["ferry"], Bounds()).same == ["ferry"]


@pytest.mark.req("facts.reflected")
def test_what_is_private_and_what_is_another_page_stays_out(door, known):
    known(*FIVE[:4])
    known("Ana paints the keel on her own time.", scope=Scope.PRIVATE)
    known("A page about paint.", kind=Kind.PAGE)

    assert reflect.reflect(door, "ana", ["ferry"], Bounds()).small == ["ferry"]


@pytest.mark.req("facts.reflected")
def test_a_dry_run_shows_the_page_and_writes_none(door, known, store):
    known(*FIVE)

    report = reflect.reflect(door, "ana", ["ferry"], Bounds(), dry_run=True)

    assert (report.written, FIVE[0] in report.pages["ferry"]) == ({}, True)
    with store.unit(ANA) as unit:
        assert unit.memories.heads(Criteria(kinds=(Kind.PAGE,))) == []


@pytest.mark.req("facts.reflected")
def test_a_model_writes_the_page_where_it_is_asked(door, known, store):
    known(*FIVE)
    report = reflect.reflect(door, "ana", ["ferry"], Bounds(), ask=True)
    asking.work_off(Desk(door, "ana", lambda _role: Says("The ferry has many colours."), prompting.render), "test")

    assert (report.asked, report.written) == (["ferry"], {})
    with store.unit(ANA) as unit:
        (entry,) = standing(unit, Kind.PAGE)
    assert entry.revision.statement.body == "The ferry has many colours."
    assert entry.revision.provenance.channel is Channel.CONSOLIDATION


@pytest.fixture
def say(door):
    def said(body, channel=Channel.HAND, by=ANA, **changes):
        return commit(
            door, by, Add(draft(body, **({"project": "ferry", "kind": Kind.FACT} | changes)), provenance(channel))
        )

    return said


@pytest.mark.req("facts.door")
def test_a_certain_correction_of_ones_own_is_made_at_once_and_can_be_undone(say, states, pending):
    older = say("The deploy day is Tuesday.")
    newer = say("The deploy day is Thursday.")

    assert (newer.closed, newer.proposed) == ((older.memory,), ())
    assert (states(older.memory, newer.memory), pending()) == ([State.SUPERSEDED, State.ACTIVE], [])


@pytest.mark.req("facts.door")
def test_the_same_from_a_model_is_only_proposed(say, states, pending):
    older = say("The deploy day is Tuesday.")
    newer = say("The deploy day is Thursday.", Channel.ASSISTANT_INFERENCE)

    assert (newer.closed, len(newer.proposed)) == ((), 1)
    assert states(older.memory, newer.memory) == [State.ACTIVE, State.ACTIVE]
    assert pending() == [("supersede", [older.memory, newer.memory])]


@pytest.mark.req("facts.door")
def test_what_another_author_says_retires_nothing(say, states):
    older = say("The deploy day is Tuesday.")
    newer = say("The deploy day is Thursday.", by=reader("ben"))

    assert (newer.closed, newer.proposed) == ((), ())
    assert states(older.memory, newer.memory) == [State.ACTIVE, State.ACTIVE]


@pytest.mark.req("facts.door")
def test_disjoint_intervals_of_one_statement_stay_two(say, states, clock):
    older = say("The deploy day is Tuesday.", valid_from=clock.at - 900, valid_to=clock.at - 500)
    newer = say("The deploy day is Thursday.", valid_from=clock.at - 100)

    assert newer.closed == ()
    assert states(older.memory, newer.memory) == [State.ACTIVE, State.ACTIVE]


@pytest.mark.req("facts.door")
def test_nearly_the_same_is_kept_whole_in_a_proposal(say, pending, store):
    say(TWINS[0])

    parked = say(TWINS[1])

    assert isinstance(parked, Parked)
    with store.unit(ANA) as unit:
        (asked,) = unit.proposals.pending(9)
    assert (asked.id, asked.action.value, asked.draft["body"]) == (parked.proposal, "repeat", TWINS[1])


@pytest.mark.req("facts.door")
def test_the_same_words_are_recorded_once(say):
    first = say(TWINS[0])

    assert say(TWINS[0]) == Unchanged(first.memory, say(TWINS[0]).reason)
