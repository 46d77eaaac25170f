from __future__ import annotations

import pytest

from perdure.cli import writing
from perdure.domain.access import Reader
from perdure.domain.change import Parked, Written
from perdure.domain.memory import Link, State
from perdure.domain.proposal import Action, Member, Proposal
from perdure.store.sqlite import SqliteUnit
from perdure.testing.fakes import START, Scribe, statement

pytestmark = pytest.mark.req("cli.remembered")

FIRST, SECOND, OTHER = (f"01900000-0000-7000-8000-abcdef{number:02}0000" for number in (1, 2, 3))
SAID = {FIRST: "the pier is red", SECOND: "the pier is blue", OTHER: "the boat is small"}


def proposal(name, *members):
    return Proposal(name, "ana", Action.SUPERSEDE, tuple(Member(each, "r") for each in members), 0.9, "", START)


@pytest.fixture
def remember(app, call, monkeypatch):
    """Remember a statement where the door answers with an outcome; gives the change and what a person reads."""
    with app.store.unit(Reader("ana"), write=True) as unit:
        for name, words in SAID.items():
            Scribe(after=int(name[-6:-4]) * 100).add(unit, statement(words), id=name)
    queue = {
        "old": proposal("old", FIRST, SECOND),
        "late": proposal("late", SECOND, FIRST),
        "other": proposal("other", OTHER, SECOND),
        "repeat": proposal("repeat", FIRST),
    }
    monkeypatch.setattr(SqliteUnit, "proposals", queue, raising=False)
    asked = []

    def remembered(outcome, *options):
        def commit(_door, _reader, change):
            asked.append(change)
            return outcome

        monkeypatch.setattr(writing, "commit", commit)
        code, out, err = call("remember", "--global", *options, "the pier is blue")
        assert (code, err) == (0, "")
        return asked[-1], out

    return remembered


def test_what_a_statement_replaced_is_told_with_its_words(remember):
    _change, out = remember(Written(SECOND, "r", 7, closed=(FIRST, OTHER)))

    assert out == (
        "Remembered as abcdef02.\n"
        "It replaces abcdef01: the pier is red\n"
        "It replaces abcdef03: the boat is small\n"
    )  # fmt: skip


def test_what_a_statement_may_replace_waits_for_a_person(remember):
    _change, out = remember(Written(SECOND, "r", 7, redacted=("jwt",), proposed=("old", "late", "other", "gone")))

    assert out == (
        "Remembered as abcdef02.\n"
        "It may replace abcdef01: the pier is red\n"
        "It may have been replaced by abcdef01: the pier is red\n"
        "It may replace abcdef03: the boat is small\n"
        "Decide with: perdure review\n"
        "Taken out of the text: jwt.\n"
    )


def test_a_statement_of_a_time_gone_by_is_told_to_hold_no_more(app, remember):
    with app.store.unit(Reader("ana"), write=True) as unit:
        gone = Scribe(after=900).add(unit, statement("the pier was green", state=State.SUPERSEDED)).memory.id
        unit.memories.link(Link(SECOND, gone, "supersedes"))

    _change, out = remember(Written(gone, "r", 7))
    assert out.splitlines()[1:] == ["It holds no more, since then replaced by abcdef02: the pier is blue"]


def test_what_says_nearly_the_same_is_named_and_how_to_record_both(remember):
    change, out = remember(Parked("repeat", "Nearly the same is known, as abcdef01."))

    assert not change.anyway
    assert out == (
        "Nearly the same is known as abcdef01: the pier is red\n"
        "It waits in perdure review; to record it beside: --anyway\n"
    )
    assert remember(Parked("gone", "Nearly the same is known."))[1] == "Nearly the same is known.\n"


def test_anyway_asks_the_door_to_record_it_beside(remember):
    change, out = remember(Written(SECOND, "r", 7), "--anyway")

    assert (change.anyway, out) == (True, "Remembered as abcdef02.\n")
