"""The store's contract: every read takes the two times, when a statement holds and when it was known."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure.domain.ledger import Criteria
from perdure.domain.memory import LATEST, Cause, Moment, State
from perdure.domain.record import replace
from perdure.domain.terms import terms
from perdure.testing.fakes import Scribe, statement
from perdure.testing.suites import ANA, StoreSuite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.memory import Entry, Statement
    from perdure.ports import Store, Unit

ALL = 10_000
SMALL = st.integers(0, 6)
CHAINS = st.lists(
    st.tuples(
        st.builds(
            statement,
            body=st.sampled_from(["amber", "birch"]),
            valid_from=SMALL,
            valid_to=st.none() | SMALL,
            state=st.sampled_from(State),
        ),
        SMALL,
    ),
    min_size=1,
    max_size=4,
)
MOMENTS = st.builds(Moment, as_of=st.none() | SMALL, known_at=st.none() | SMALL)


def read(unit: Unit, entry: Entry, at: Moment) -> Entry | None:
    """What every read of a moment returns for the entry's memory; they must agree."""
    said = {term for known in unit.memories.history(entry.memory.id) for term in terms(known.statement.body)}
    matches = unit.search.lexical(sorted(said), superseded=True, limit=ALL)
    kinds, types = (entry.memory.kind,), (entry.revision.statement.type,)
    reads = [
        unit.memories.heads(Criteria(at=at, limit=ALL)),
        unit.memories.heads(Criteria(at=at, limit=ALL, kinds=kinds)),
        unit.memories.heads(Criteria(at=at, limit=ALL, types=types)),
        unit.memories.entries([match.seq for match in matches], at).values(),
    ]
    if entry.revision.statement.pinned:
        reads.append(unit.memories.heads(Criteria(at=at, limit=ALL, pinned=True)))
    found = unit.memories.get(entry.memory.id, at)
    for entries in reads:
        assert [each for each in entries if each.memory == entry.memory] == ([found] if found else [])
    return found


class TimesSuite(StoreSuite):
    """Event time and ingestion time, on every read."""

    def test_a_statement_holds_from_its_start_up_to_its_end(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            entry = scribe.add(unit, statement("Lent.", valid_from=10, valid_to=20, pinned=True), at=30)
        with store.unit(ANA) as unit:
            held = [when for when in (9, 10, 19, 20, 21) if read(unit, entry, Moment(as_of=when))]
            assert held == [10, 19]
            assert read(unit, entry, LATEST) == entry

    def test_a_statement_without_an_end_holds_on(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            entry = scribe.add(unit, statement("Kept.", valid_from=10), at=30)
        with store.unit(ANA) as unit:
            assert read(unit, entry, Moment(as_of=2**60)) == entry

    def test_a_superseded_statement_is_still_true_as_of_its_day(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("Python 3.11.", valid_from=10), at=10)
            ended = statement("Python 3.11.", valid_from=10, valid_to=50, state=State.SUPERSEDED)
            old = scribe.revise(unit, first, ended, 50, cause=Cause.SUPERSEDED)
            new = scribe.add(unit, statement("Python 3.13.", valid_from=50), at=50)
        with store.unit(ANA) as unit:
            assert read(unit, old, Moment(as_of=30)) == old
            assert read(unit, old, Moment(as_of=50)) is None
            assert read(unit, new, Moment(as_of=30)) is None
            assert read(unit, new, Moment(as_of=50)) == new

    def test_what_was_retracted_never_held(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("Wrong.", valid_from=10), at=10)
            gone = replace(first.revision.statement, valid_to=50, state=State.RETRACTED)
            closed = scribe.revise(unit, first, gone, 50, cause=Cause.FORGOTTEN)
        with store.unit(ANA) as unit:
            assert [read(unit, closed, Moment(as_of=when)) for when in (10, 30, 50)] == [None] * 3
            assert read(unit, closed, LATEST) == closed

    def test_what_was_not_known_yet_is_not_found(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            entry = scribe.add(unit, statement("Told late.", valid_from=10, pinned=True), at=40)
        with store.unit(ANA) as unit:
            assert read(unit, entry, Moment(known_at=39)) is None
            assert read(unit, entry, Moment(known_at=40)) == entry
            assert read(unit, entry, Moment(as_of=10, known_at=39)) is None

    def test_an_ending_that_was_learned_later_is_not_known_before(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("Ana leads.", valid_from=10), at=10)
            ended = statement("Ana leads.", valid_from=10, valid_to=20, state=State.EXPIRED)
            closed = scribe.revise(unit, first, ended, 90, cause=Cause.CLOSED)
        with store.unit(ANA) as unit:
            assert read(unit, first, Moment(as_of=30, known_at=89)) == first
            assert read(unit, first, Moment(as_of=30, known_at=90)) is None
            assert read(unit, first, Moment(as_of=15, known_at=90)) == closed

    def test_what_was_retracted_is_still_what_was_believed(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("Wrong.", valid_from=10), at=10)
            gone = replace(first.revision.statement, valid_to=50, state=State.RETRACTED)
            scribe.revise(unit, first, gone, 50, cause=Cause.FORGOTTEN)
        with store.unit(ANA) as unit:
            assert read(unit, first, Moment(as_of=30, known_at=49)) == first

    def test_the_old_words_are_found_when_the_past_is_asked(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            old = scribe.add(unit, statement("amber", valid_from=10), at=10)
            new = scribe.revise(unit, old, statement("birch", valid_from=10), 50)
        with store.unit(ANA) as unit:
            seqs = [old.revision.seq, new.revision.seq]
            amber = [match.seq for match in unit.search.lexical(["amber"], superseded=True, limit=9)]
            assert amber == [old.revision.seq]
            assert unit.memories.entries(seqs, Moment(known_at=49)) == {old.revision.seq: old}
            assert unit.memories.entries(seqs, Moment(known_at=50)) == {new.revision.seq: new}
            assert unit.memories.entries(seqs, LATEST) == {new.revision.seq: new}

    def test_a_found_wording_gives_the_revision_that_stands_with_these_words(
        self, store: Store, scribe: Scribe
    ) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("amber"), at=10)
            pinned = scribe.revise(unit, first, statement("amber", pinned=True), 20)
        with store.unit(ANA) as unit:
            seq = first.revision.seq
            assert unit.memories.entries([seq], LATEST) == {seq: pinned}
            assert unit.memories.entries([seq], Moment(known_at=15)) == {seq: first}
            assert unit.memories.entries([pinned.revision.seq], LATEST) == {}

    @pytest.mark.parametrize("at", [LATEST, Moment(known_at=99), Moment(as_of=1)])
    def test_a_wording_that_nobody_wrote_is_left_out(self, store: Store, at: Moment) -> None:
        with store.unit(ANA) as unit:
            assert unit.memories.entries([1, 2**40], at) == {}

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors])
    @given(chain=CHAINS, at=MOMENTS)
    def test_any_chain_is_read_at_any_moment_as_it_was_known_then(
        self, store: Store, chain: Sequence[tuple[Statement, int]], at: Moment
    ) -> None:
        with store.unit(ANA, write=True) as unit:
            scribe = Scribe.anew(unit)
            (first, recorded), *rest = chain
            entries = [scribe.add(unit, first, at=recorded)]
            for said, recorded in rest:
                entries.append(scribe.revise(unit, entries[-1], said, recorded))
        known = [e for e in entries if at.known_at is None or e.revision.recorded_at <= at.known_at]
        with store.unit(ANA) as unit:
            standing = [entry for entry in known[-1:] if _stands(entry, at)]
            assert read(unit, entries[0], at) == (standing[0] if standing else None)


def _stands(entry: Entry, at: Moment) -> bool:
    """The definition, once more and by itself."""
    said = entry.revision.statement
    if at.as_of is None:
        return True
    begun = said.valid_from <= at.as_of
    ended = said.valid_to is not None and said.valid_to <= at.as_of
    return begun and not ended and said.state is not State.RETRACTED
