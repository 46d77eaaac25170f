from __future__ import annotations

import pytest

from perdure.domain.access import Reader
from perdure.domain.change import (
    Add,
    Close,
    Conflicted,
    Denied,
    Edit,
    Feedback,
    Forget,
    Pin,
    Supersede,
    Unchanged,
    Undo,
    Written,
)
from perdure.domain.instants import DAY
from perdure.domain.memory import (
    LATEST,
    SUPERSEDES,
    Cause,
    Channel,
    Kind,
    Link,
    Moment,
    Scope,
    State,
    Trust,
    Type,
    provenance,
)
from perdure.domain.record import replace
from perdure.services.write import commit, commit_all
from perdure.testing.fakes import START, draft
from tests.unit.services.conftest import reader

pytestmark = pytest.mark.req("write.door")

HAND = provenance(Channel.HAND)
ANA, BEN = reader(), reader("ben")


@pytest.fixture
def add(door):
    def added(body="The build runs on make.", by=ANA, **changes):
        told = {"project": by.project} | changes
        return commit(door, by, Add(draft(body, **told), HAND))

    return added


def entry(store, memory, by=ANA, at=LATEST):
    with store.unit(by) as unit:
        return unit.memories.get(memory, at)


def stands(store, memory, by=ANA, at=LATEST):
    found = entry(store, memory, by, at)
    return None if found is None else (found.revision.statement.body, found.revision.statement.state)


def test_an_added_memory_is_there_with_its_author_times_and_source(store, add):
    outcome = add(valid_from=START - DAY)

    found = entry(store, outcome.memory)
    assert isinstance(outcome, Written)
    assert (found.memory.author, found.memory.scope, found.memory.project) == ("ana", Scope.PROJECT, "ferry")
    assert (found.revision.statement.valid_from, found.revision.recorded_at >= START) == (START - DAY, True)
    assert (found.revision.provenance, found.revision.cause) == (HAND, Cause.ADDED)


def test_nothing_is_written_without_an_author(door, store):
    outcome = commit(door, Reader(""), Add(draft(), HAND))

    assert isinstance(outcome, Denied)
    assert "Nobody said who is writing" in outcome.reason


@pytest.mark.req("write.scope")
@pytest.mark.parametrize(
    ("changes", "scope"),
    [
        ({"project": "ferry"}, Scope.PROJECT),
        ({"project": "ferry", "type": Type.PREFERENCE}, Scope.PRIVATE),
        ({"project": ""}, Scope.PRIVATE),
        ({"project": "", "type": Type.PROCEDURAL}, Scope.PRIVATE),
        ({"project": "ferry", "scope": Scope.PRIVATE}, Scope.PRIVATE),
        ({"project": "ferry", "type": Type.PREFERENCE, "scope": Scope.PROJECT}, Scope.PROJECT),
    ],
)
def test_preferences_and_what_has_no_project_are_private_and_the_rest_is_shared(store, add, changes, scope):
    assert entry(store, add(**changes).memory).memory.scope is scope


@pytest.mark.req("write.scope")
@pytest.mark.parametrize("project", ["lantern", "nowhere", ""])
def test_nobody_shares_with_a_project_they_are_not_a_member_of(door, project):
    outcome = commit(door, BEN, Add(draft(project=project, scope=Scope.PROJECT), HAND))

    assert isinstance(outcome, Denied)
    assert "cannot share" in outcome.reason


@pytest.mark.req("write.novelty")
def test_the_same_words_twice_are_one_memory_and_the_second_write_names_it(store, add):
    first = add("Deploys happen on Mondays.")

    second = add("  deploys happen\non MONDAYS. ")

    assert isinstance(second, Unchanged)
    assert second.memory == first.memory
    assert "known already" in second.reason


@pytest.mark.req("write.novelty")
def test_the_same_words_elsewhere_or_of_a_kind_that_repeats_are_another_memory(add):
    outcomes = [
        add("Same words."),
        add("Same words.", by=reader(project="lantern"), project="lantern"),
        add("Same words.", scope=Scope.PRIVATE),
        add("Same words.", kind=Kind.EPISODE),
        add("Same words.", kind=Kind.EPISODE),
    ]

    assert len({outcome.memory for outcome in outcomes}) == 5


@pytest.mark.req("write.idempotency")
def test_the_same_key_is_the_same_memory_once(door, store):
    change = Add(draft(kind=Kind.EPISODE, project="ferry"), HAND, key="episode/1")
    first, second = commit_all(door, ANA, [change, change])

    assert isinstance(first, Written)
    assert second == Unchanged(first.memory, "It was recorded before.")


@pytest.mark.req("write.redaction")
def test_a_secret_is_taken_out_of_every_field_before_it_is_kept(door, store):
    token = "ghp_" + "n0tReal9PerdureTest0nlyQw7ZxK2mVb4X7"
    change = Add(
        draft(f"Use {token} here", title=f"the {token}", tags=(token,), attrs={token: [token]}, project="ferry"),
        replace(HAND, excerpt=token),
    )

    outcome = commit(door, ANA, change)

    found = entry(store, outcome.memory).revision
    assert token not in repr(found)
    assert repr(found).count("[REDACTED:") == 6
    assert len(outcome.redacted) == 1


@pytest.mark.req("write.redaction")
def test_a_text_that_held_nothing_but_our_own_fence_is_refused(door):
    fenced = f'<perdure-memory kind="start" nonce="{"0" * 32}">\nx\n</perdure-memory nonce="{"0" * 32}">'

    assert isinstance(commit(door, ANA, Add(draft(fenced), HAND)), Denied)


@pytest.mark.req("write.validation")
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"body": " \n"}, "nothing to record"),
        ({"body": "x" * 64_001}, "at most 64,000"),
        ({"title": "two\nlines"}, "one line"),
        ({"title": "x" * 301}, "at most 300"),
        ({"importance": 1.5}, "importance must lie"),
        ({"confidence": -0.1}, "confidence must lie"),
        ({"importance": float("nan")}, "importance must lie"),
        ({"tags": tuple(f"t{n}" for n in range(33))}, "at most 32 tags"),
        ({"valid_from": START, "valid_to": START - 1}, "lies before valid-from"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_a_sentence(door, store, changes, says):
    told = {"body": "fine"} | changes

    outcome = commit(door, ANA, Add(draft(**told), HAND))

    assert isinstance(outcome, Denied)
    assert says in outcome.reason


@pytest.mark.req("write.supersede")
def test_a_superseded_statement_ends_where_its_successor_begins_and_stays_true_of_its_day(store, door, add, clock):
    love = add("I love Chinese food", valid_from=START - 10 * DAY)

    hate = commit(door, ANA, Supersede(love.memory, draft("I hate Chinese food", valid_from=START), HAND))

    assert hate.closed == (love.memory,)
    assert stands(store, love.memory) == ("I love Chinese food", State.SUPERSEDED)
    assert entry(store, love.memory).revision.statement.valid_to == START
    assert stands(store, love.memory, at=Moment(as_of=START - DAY)) == ("I love Chinese food", State.SUPERSEDED)
    assert stands(store, love.memory, at=Moment(as_of=clock.now())) is None
    assert stands(store, hate.memory) == ("I hate Chinese food", State.ACTIVE)
    with store.unit(ANA) as unit:
        assert unit.memories.links(hate.memory) == [Link(hate.memory, love.memory, SUPERSEDES)]


@pytest.mark.req("write.supersede")
def test_a_successor_takes_project_scope_kind_and_type_of_what_it_replaces(store, door, add):
    old = add(type=Type.PROCEDURAL, scope=Scope.PRIVATE)

    new = commit(door, ANA, Supersede(old.memory, draft("It runs on just."), HAND))

    found = entry(store, new.memory)
    assert (found.memory.project, found.memory.scope) == ("ferry", Scope.PRIVATE)
    assert found.revision.statement.type is Type.PROCEDURAL


@pytest.mark.req("write.supersede")
def test_what_is_superseded_cannot_be_superseded_again_nor_by_its_own_words(door, add):
    old = add()
    same = commit(door, ANA, Supersede(old.memory, draft(), HAND))
    commit(door, ANA, Supersede(old.memory, draft("It runs on just."), HAND))
    again = commit(door, ANA, Supersede(old.memory, draft("It runs on ninja."), HAND))

    assert isinstance(same, Unchanged)
    assert isinstance(again, Denied)
    assert "already superseded" in again.reason


@pytest.mark.req("write.ownership")
@pytest.mark.parametrize(
    "change",
    [
        lambda target: Supersede(target, draft("It runs on just."), HAND),
        lambda target: Forget(target, HAND),
        lambda target: Pin(target, HAND),
        lambda target: Close(target, State.EXPIRED, HAND),
        lambda target: Edit(target, "any", HAND, body="x"),
        lambda target: Feedback(target, helped=True, provenance=HAND),
    ],
)
def test_nobody_changes_what_another_wrote_and_hidden_is_the_same_as_missing(store, door, add, change):
    shared, private = add("Shared."), add("Hidden.", scope=Scope.PRIVATE)

    on_shared, on_private, on_nothing = (
        commit(door, BEN, change(target)) for target in (shared.memory, private.memory, "0" * 36)
    )

    assert "is ana's" in on_shared.reason
    assert on_private.reason.split()[:4] == on_nothing.reason.split()[:4] == ["There", "is", "no", "memory"]
    assert stands(store, shared.memory) == ("Shared.", State.ACTIVE)


@pytest.mark.req("write.close")
def test_a_retracted_memory_never_held_and_an_expired_one_did(store, door, add):
    wrong, past = add("Wrong.", valid_from=START), add("Past.", valid_from=START)
    commit(door, ANA, Close(wrong.memory, State.RETRACTED, HAND))
    commit(door, ANA, Close(past.memory, State.EXPIRED, HAND, at=START + DAY))

    at = Moment(as_of=START + 1)
    assert (stands(store, wrong.memory, at=at), stands(store, past.memory, at=at)) == (None, ("Past.", State.EXPIRED))
    assert isinstance(commit(door, ANA, Close(wrong.memory, State.RETRACTED, HAND)), Unchanged)


@pytest.mark.req("write.edit")
def test_an_edit_of_what_changed_meanwhile_is_a_conflict_and_changes_nothing(store, door, add):
    made = add()
    first = commit(door, ANA, Edit(made.memory, made.revision, HAND, body="Edited."))

    second = commit(door, ANA, Edit(made.memory, made.revision, HAND, body="Edited too."))

    assert isinstance(second, Conflicted)
    assert second.head == first.revision
    assert stands(store, made.memory) == ("Edited.", State.ACTIVE)


@pytest.mark.req("write.edit")
def test_an_edit_that_changes_nothing_writes_nothing(store, door, add):
    made = add()

    assert isinstance(
        commit(door, ANA, Edit(made.memory, made.revision, HAND, body="The build runs on make.")), Unchanged
    )
    with store.unit(ANA) as unit:
        assert len(unit.memories.history(made.memory)) == 1


@pytest.mark.req("write.edit")
def test_attributes_of_an_edit_are_added_to_those_that_are_there(store, door, add):
    made = add(attrs={"a": 1, "b": 2})
    commit(door, ANA, Edit(made.memory, made.revision, HAND, attrs={"b": 3}, tags=("x",), title="T"))

    statement = entry(store, made.memory).revision.statement
    assert (dict(statement.attrs), statement.tags, statement.title) == ({"a": 1, "b": 3}, ("x",), "T")


@pytest.mark.req("write.pin")
def test_a_pin_is_a_revision_and_pinning_twice_is_one(store, door, add):
    made = add()
    commit(door, ANA, Pin(made.memory, HAND))
    again = commit(door, ANA, Pin(made.memory, HAND))
    commit(door, ANA, Pin(made.memory, HAND, pinned=False))

    assert isinstance(again, Unchanged)
    with store.unit(ANA) as unit:
        assert [(r.cause, r.statement.pinned) for r in unit.memories.history(made.memory)] == [
            (Cause.ADDED, False),
            (Cause.PINNED, True),
            (Cause.UNPINNED, False),
        ]


@pytest.mark.req("write.feedback")
def test_feedback_moves_confidence_within_its_bounds_and_is_counted(store, door, add):
    made = add(confidence=0.95)
    for helped in (True, True, False):
        commit(door, ANA, Feedback(made.memory, helped, HAND, note="why"))

    revision = entry(store, made.memory).revision
    assert revision.statement.confidence == pytest.approx(0.89)
    assert dict(revision.statement.attrs) == {"helped": 2, "misled": 1}
    assert revision.provenance.excerpt == "misled: why"


@pytest.mark.req("write.undo")
def test_undoing_an_addition_closes_it(store, door, add):
    made = add()

    outcome = commit(door, ANA, Undo(HAND))

    assert isinstance(outcome, Written)
    assert stands(store, made.memory) == ("The build runs on make.", State.RETRACTED)


@pytest.mark.req("write.undo")
def test_undoing_a_supersession_brings_the_old_back_and_closes_the_new(store, door, add):
    old = add()
    new = commit(door, ANA, Supersede(old.memory, draft("It runs on just."), HAND))

    commit(door, ANA, Undo(HAND, new.change))

    assert stands(store, old.memory) == ("The build runs on make.", State.ACTIVE)
    assert stands(store, new.memory) == ("It runs on just.", State.RETRACTED)
    assert isinstance(commit(door, ANA, Undo(HAND, new.change)), Conflicted | Unchanged)


@pytest.mark.req("write.undo")
def test_undoing_again_takes_back_the_change_before(store, door, add):
    made = add()
    commit(door, ANA, Pin(made.memory, HAND))
    commit(door, ANA, Forget(made.memory, HAND))

    commit(door, ANA, Undo(HAND))

    found = entry(store, made.memory).revision.statement
    assert (found.state, found.pinned) == (State.ACTIVE, True)


@pytest.mark.req("write.undo")
def test_a_change_that_was_built_upon_is_not_undone(store, door, add):
    made = add()
    commit(door, ANA, Pin(made.memory, HAND))

    outcome = commit(door, ANA, Undo(HAND, made.change))

    assert isinstance(outcome, Conflicted)
    assert "Undo the later change first" in outcome.reason


@pytest.mark.req("write.undo")
@pytest.mark.parametrize("number", [None, 0, -1, 99])
def test_there_is_nothing_to_undo_where_nothing_was_done(door, number):
    assert isinstance(commit(door, BEN, Undo(HAND, number)), Denied)


@pytest.mark.req("write.undo")
def test_nobody_undoes_another_s_change(door, store, add):
    made = add()

    assert isinstance(commit(door, BEN, Undo(HAND, made.change)), Denied)
    assert stands(store, made.memory) == ("The build runs on make.", State.ACTIVE)


def test_a_batch_is_made_whole_or_not_at_all(door, store, monkeypatch):
    def changes():
        yield Add(draft("One."), HAND)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        commit_all(door, ANA, changes())

    with store.unit(ANA) as unit:
        assert unit.memories.count() == 0


def test_trust_is_that_of_the_channel(store, door):
    tool = commit(door, ANA, Add(draft(project="ferry"), provenance(Channel.TOOL_RESULT)))

    assert entry(store, tool.memory).revision.provenance.trust is Trust.TOOL
