from __future__ import annotations

from typing import Any

import pytest

from perdure.domain.access import Reader
from perdure.domain.change import Close, Conflicted, Denied, Edit, Pin, Supersede, Unchanged, Undo, Written
from perdure.domain.errors import Conflict, UsageError
from perdure.domain.instants import DAY
from perdure.domain.memory import LATEST, Channel, Scope, State, Trust, Type, provenance
from perdure.domain.proposal import Action, Standing
from perdure.domain.record import replace
from perdure.services import review
from perdure.services.write import commit
from perdure.testing.fakes import draft
from tests.unit.services.review.conftest import ANA, BEN, HAND, everything, kept, seen

pytestmark = pytest.mark.req("review.decide")

SECRET = "ghp_" + "n0tReal9PerdureTest0nlyQw7ZxK2mVb4X7"


def entry(store, memory, by=ANA):
    with store.unit(by) as unit:
        return unit.memories.get(memory, LATEST)


def stands(store, *memories):
    found = [entry(store, name).revision.statement for name in memories]
    return [(each.body, each.state) for each in found]


def test_an_approved_correction_lets_the_old_statement_give_way(door, store, timeout):
    old, new, name = timeout
    before = kept(store, name)

    outcome = review.approve(door, ANA, name)

    assert isinstance(outcome, Written)
    assert (outcome.memory, outcome.closed) == (new, (old,))
    assert [state for _body, state in stands(store, old, new)] == [State.SUPERSEDED, State.ACTIVE]
    assert entry(store, old).revision.statement.valid_to == entry(store, new).revision.statement.valid_from
    decided = kept(store, name)
    assert decided == replace(before, standing=Standing.APPROVED, change=outcome.change, resolved=decided.resolved)
    assert decided.resolved > before.created


def test_an_approval_is_entered_as_the_person_s_own_with_the_reason_it_was_found_for(door, store, timeout):
    old, _new, name = timeout

    outcome = review.approve(door, ANA, name)

    assert entry(store, old).revision.provenance == provenance(Channel.HAND, excerpt="Both name it.")
    with store.unit(ANA) as unit:
        audit = unit.changes.audit(outcome.change)
    assert (audit.author, audit.action, audit.channel) == ("ana", "close", "hand")


def test_an_approved_repeat_takes_the_statement_s_place_and_holds_since_it_was_said(door, store, clock, add, propose):
    old = add("Backups run at noon.", type=Type.PROCEDURAL, scope=Scope.PRIVATE)
    name = propose(Action.REPEAT, old, body="Backups are run at noon.", by=replace(ANA, project=""))
    said = kept(store, name).created
    clock.pass_by(9 * DAY)

    outcome = review.approve(door, ANA, name)

    heir = entry(store, outcome.memory)
    assert outcome.closed == (old,)
    assert (heir.revision.statement.body, heir.revision.statement.valid_from) == ("Backups are run at noon.", said)
    assert (heir.memory.project, heir.memory.scope) == ("ferry", Scope.PRIVATE)
    assert heir.revision.statement.type is Type.PROCEDURAL


def test_an_approved_merge_stands_for_all_with_the_narrowest_scope_and_least_trust(door, store, add, propose):
    model = provenance(Channel.ASSISTANT_INFERENCE)
    one = add("The lamp is red.")
    other = add("The lamp shines red.", scope=Scope.PRIVATE)
    third = add("Red is the lamp.", origin=model)
    name = propose(Action.MERGE, one, other, third, body="The lamp is and shines red.")

    outcome = review.approve(door, ANA, name)

    heir = entry(store, outcome.memory)
    assert outcome.closed == (one, other, third)
    assert {state for _body, state in stands(store, one, other, third)} == {State.SUPERSEDED}
    assert (heir.memory.scope, heir.revision.provenance.trust) == (Scope.PRIVATE, Trust.MODEL)


def test_a_rejected_proposal_is_kept_with_its_note_and_nothing_else_changed(door, store, timeout):
    old, new, name = timeout
    before, statements = kept(store, name), everything(store, old, new)

    rejected = review.reject(door, ANA, name, f"Both hold. {SECRET}")

    assert rejected == kept(store, name)
    assert rejected == replace(before, standing=Standing.REJECTED, note=rejected.note, resolved=rejected.resolved)
    assert (rejected.note.startswith("Both hold. "), SECRET in rejected.note) == (True, False)
    assert everything(store, old, new) == statements
    with pytest.raises(UsageError, match=r"A note has at most 1,000 characters; this one has 1,001\."):
        review.reject(door, ANA, name, "x" * 1_001)


@pytest.mark.req("review.once")
@pytest.mark.parametrize("first", [review.approve, review.reject])
@pytest.mark.parametrize("second", [review.approve, review.reject])
def test_what_is_decided_is_decided_once(door, store, timeout, first, second):
    old, new, name = timeout
    first(door, ANA, name)
    decided, statements = kept(store, name), everything(store, old, new)

    with pytest.raises(Conflict, match=f"is {decided.standing} already"):
        second(door, ANA, name)
    assert (kept(store, name), everything(store, old, new)) == (decided, statements)


@pytest.mark.req("review.once")
def test_a_decision_that_came_second_takes_its_change_with_it(door, store, timeout, monkeypatch):
    """As on an engine where two writers can read the same pending proposal."""
    old, new, name = timeout
    statements = everything(store, old, new)
    with store.unit(ANA) as unit:
        monkeypatch.setattr(type(unit.proposals), "decide", lambda _self, _decided: False)

    for decide in (review.approve, review.reject):
        with pytest.raises(Conflict, match="was decided elsewhere just now"):
            decide(door, ANA, name)
    assert (everything(store, old, new), kept(store, name).standing) == (statements, Standing.PENDING)


CHANGES: dict[str, Any] = {
    "edited": lambda entry: Edit(entry.memory.id, entry.revision.id, HAND, body="The timeout is an hour."),
    "pinned": lambda entry: Pin(entry.memory.id, HAND),
    "closed": lambda entry: Close(entry.memory.id, State.EXPIRED, HAND),
    "superseded": lambda entry: Supersede(entry.memory.id, draft("The timeout is a day."), HAND),
}


@pytest.mark.req("review.stale")
@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("which", [0, 1])
def test_a_proposal_whose_members_changed_is_stale_and_not_applied(door, store, timeout, how, which):
    *pair, name = timeout
    short = pair[which].rpartition("-")[2][:8]
    commit(door, ANA, CHANGES[how](entry(store, pair[which])))
    statements = everything(store, *pair)
    assert seen(store, name).stale == f"{short} was changed since this was proposed."

    outcome = review.approve(door, ANA, name)

    assert isinstance(outcome, Conflicted)
    assert outcome.reason == (
        f"{short} was changed since this was proposed. The proposal is stale, and was not applied."
    )
    assert everything(store, *pair) == statements
    assert (kept(store, name).standing, kept(store, name).change) == (Standing.STALE, None)
    with pytest.raises(Conflict, match="is stale already"):
        review.approve(door, ANA, name)


@pytest.mark.req("review.refused")
def test_memories_of_different_projects_are_not_merged_and_the_proposal_waits(door, store, add, propose):
    one, other = add("The lamp is red."), add("The lamp shines red.", by=replace(ANA, project="lantern"))
    name = propose(Action.MERGE, one, other, body="The lamp is red, shining.")
    statements = everything(store, one, other)

    outcome = review.approve(door, ANA, name)

    assert outcome == Denied("Memories of different projects are not merged.")
    assert (everything(store, one, other), kept(store, name).standing) == (statements, Standing.PENDING)
    review.reject(door, ANA, name)


@pytest.mark.req("review.refused")
@pytest.mark.parametrize("action", Action)
def test_what_another_wrote_is_not_changed(door, store, add, propose, action):
    mine, theirs = add("The lamp is red."), add("The lamp is blue.", by=BEN)
    members = (theirs,) if action is Action.REPEAT else (theirs, mine)
    name = propose(action, *members, body="" if action is Action.SUPERSEDE else "The lamp is red or blue.")
    statements = everything(store, mine, theirs)

    outcome = review.approve(door, ANA, name)

    assert isinstance(outcome, Denied)
    assert "is ben's." in outcome.reason
    assert (everything(store, mine, theirs), kept(store, name).standing) == (statements, Standing.PENDING)


@pytest.mark.req("review.refused")
def test_what_is_not_one_s_to_see_any_more_is_not_shown_and_not_changed(door, store, timeout):
    old, new, name = timeout
    statements = everything(store, old, new)
    expelled = Reader("ana", frozenset(), "")
    shown = seen(store, name, expelled)
    assert (shown.members, shown.new, shown.stale) == ((), ("", ""), "")

    outcome = review.approve(door, expelled, name)

    assert isinstance(outcome, Denied)
    assert outcome.reason.endswith("is not yours to see any more. Nothing was changed.")
    assert (everything(store, old, new), kept(store, name).standing) == (statements, Standing.PENDING)
    assert isinstance(review.approve(door, ANA, name), Written)


@pytest.mark.req("review.refused")
@pytest.mark.parametrize("told", [{}, {"kind": "song", "body": "x"}, {"kind": "fact", "body": "x", "loud": 1}])
def test_a_draft_that_cannot_be_read_is_not_applied(door, store, add, propose, told):
    old = add("The lamp is red.")
    name = propose(Action.REPEAT, old, draft=told)

    assert review.approve(door, ANA, name) == Denied(
        "The proposal holds no statement that can be read. Nothing was changed."
    )
    assert (stands(store, old), kept(store, name).standing) == (
        [("The lamp is red.", State.ACTIVE)],
        Standing.PENDING,
    )


@pytest.mark.req("review.refused")
def test_a_repeat_that_was_recorded_meanwhile_has_nothing_left_to_do(door, store, add, propose):
    old = add("Backups run at noon.")
    name = propose(Action.REPEAT, old, body="Backups are run at noon.")
    said = add("Backups are run at noon.")

    outcome = review.approve(door, ANA, name)

    short = said.rpartition("-")[2][:8]
    assert outcome == Unchanged(said, f"This is known already, as {short}.")
    assert (kept(store, name).standing, kept(store, name).note) == (Standing.STALE, outcome.reason)


@pytest.mark.req("review.undo")
def test_what_an_approval_did_can_be_undone_and_is_told_but_not_asked_again(door, store, timeout):
    old, new, name = timeout
    before = stands(store, old, new)
    approved = review.approve(door, ANA, name)

    taken = commit(door, ANA, Undo(HAND))

    assert isinstance(taken, Written)
    assert stands(store, old, new) == before
    assert (seen(store, name).undone, seen(store, name).proposal.standing) == (taken.change, Standing.APPROVED)
    assert review.waiting(door, ANA, 9).views == ()
    with pytest.raises(Conflict, match="is approved already"):
        review.approve(door, ANA, name)

    again = commit(door, ANA, Undo(HAND, taken.change))
    assert (seen(store, name).undone, seen(store, name).proposal.change) == (None, approved.change)
    last = commit(door, ANA, Undo(HAND, again.change))
    assert seen(store, name).undone == last.change
    assert stands(store, old, new) == before


@pytest.mark.req("review.undo")
@pytest.mark.parametrize("action", [Action.REPEAT, Action.MERGE])
def test_a_statement_that_an_approval_recorded_goes_when_it_is_undone(door, store, add, propose, action):
    members = [add("The lamp is red."), add("The lamp shines red.")][: 1 if action is Action.REPEAT else 2]
    before = stands(store, *members)
    approved = review.approve(door, ANA, propose(action, *members, body="The lamp is and shines red."))

    commit(door, ANA, Undo(HAND, approved.change))

    assert stands(store, *members) == before
    assert stands(store, approved.memory) == [("The lamp is and shines red.", State.RETRACTED)]
