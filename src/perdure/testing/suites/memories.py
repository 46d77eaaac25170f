"""The store's contract: identities, revisions, heads and links."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure.domain.ledger import Criteria
from perdure.domain.memory import (
    LATEST,
    Cause,
    Channel,
    Entry,
    Kind,
    Link,
    Memory,
    Moment,
    Provenance,
    Revision,
    Scope,
    State,
    Statement,
    Trust,
    Type,
)
from perdure.domain.record import replace
from perdure.domain.wording import digest
from perdure.testing.fakes import START, Scribe, memory, revision, statement
from perdure.testing.suites import ANA, BEN, StoreSuite, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from perdure.ports import Store

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
INSTANTS = st.integers(-(2**62), 2**62)
SHARES = st.floats(0, 1)
STATEMENTS = st.builds(
    Statement,
    body=TEXTS,
    type=st.sampled_from(Type),
    valid_from=INSTANTS,
    title=TEXTS,
    valid_to=st.none() | INSTANTS,
    importance=SHARES,
    confidence=SHARES,
    state=st.sampled_from(State),
    pinned=st.booleans(),
    expires=st.none() | INSTANTS,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    attrs=st.dictionaries(TEXTS, JSON, max_size=3),
)


class RevisionsSuite(StoreSuite):
    """What is recorded comes back as it was, and nothing of it is changed."""

    def test_a_memory_comes_back_with_all_that_was_recorded_of_it(self, store: Store) -> None:
        named = Memory("m1", Kind.CASE, "ana", Scope.PRIVATE, "harbour", created=5)
        said = Statement(
            body="Restart the queue before the workers.",
            type=Type.PROCEDURAL,
            valid_from=10,
            title="Queue restart",
            valid_to=90,
            importance=0.9,
            confidence=0.4,
            state=State.EXPIRED,
            pinned=True,
            expires=80,
            tags=("queue", "работа"),
            attrs={"files": ["a.py", None], "depth": {"n": 1.5, "deep": True}},
        )
        written = Revision(
            seq=0,
            id="r1",
            memory="m1",
            parent="",
            statement=said,
            recorded_at=20,
            recorded_by="ana",
            cause=Cause.GREW,
            digest=digest(said),
            wording=0,
            change=7,
            provenance=Provenance(Channel.DOCUMENT, Trust.EXTERNAL, "session-1", "as the page says"),
        )
        with store.unit(ANA, write=True) as unit:
            unit.memories.add(named)
            appended = unit.memories.append(written)
        assert appended == replace(written, seq=appended.seq, wording=appended.seq)
        assert appended.seq > 0
        with store.unit(ANA) as unit:
            assert unit.memories.get("m1", LATEST) == Entry(named, appended)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors])
    @given(said=STATEMENTS)
    def test_any_statement_comes_back_as_it_was(self, store: Store, said: Statement) -> None:
        with store.unit(ANA, write=True) as unit:
            number = Scribe.change(unit, memory("any"), START)
            name = f"any-{number}"
            unit.memories.add(memory(name))
            unit.memories.append(revision(name, said, change=number))
        with store.unit(ANA) as unit:
            entry = unit.memories.get(name, LATEST)
            assert entry is not None
            assert entry.revision.statement == said

    def test_revisions_are_numbered_in_the_order_of_their_writing(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("one"))
            second = scribe.add(unit, statement("two"))
            third = scribe.revise(unit, first, statement("three"), START + 1)
        assert first.revision.seq < second.revision.seq < third.revision.seq

    def test_a_revision_with_new_words_is_their_wording(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("one"))
            edited = scribe.revise(unit, first, statement("two"), START + 1)
        assert (first.revision.wording, edited.revision.wording) == (first.revision.seq, edited.revision.seq)

    def test_a_revision_that_keeps_the_words_keeps_their_wording(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("one"))
            pinned = scribe.revise(unit, first, statement("one", pinned=True), START + 1)
        assert pinned.revision.wording == first.revision.seq
        with store.unit(ANA) as unit:
            assert unit.memories.get(first.memory.id, LATEST) == pinned

    def test_the_history_holds_every_revision_in_order(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("one"))
            second = scribe.revise(unit, first, statement("one", pinned=True), START + 1)
            scribe.add(unit, statement("another memory"))
            third = scribe.revise(unit, second, statement("three"), START + 2)
        with store.unit(ANA) as unit:
            history = unit.memories.history(first.memory.id)
            assert list(history) == [first.revision, second.revision, third.revision]
            assert list(unit.memories.history("nobody")) == []

    def test_what_is_latest_is_decided_by_sequence_and_not_by_a_clock(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("one"), at=START)
            second = scribe.revise(unit, first, statement("two"), at=START - 1_000)
        with store.unit(ANA) as unit:
            assert unit.memories.get(first.memory.id, LATEST) == second

    def test_an_identity_is_recorded_once(self, store: Store) -> None:
        with refused(store) as unit:
            unit.memories.add(memory("m1"))
            unit.memories.add(memory("m1"))

    def test_the_id_of_a_revision_is_used_once(self, store: Store) -> None:
        with refused(store) as unit:
            unit.memories.add(memory("m1"))
            unit.memories.add(memory("m2"))
            unit.memories.append(revision("m1", statement(), id="r1"))
            unit.memories.append(revision("m2", statement(), id="r1"))

    @pytest.mark.parametrize("wrong", [{"author": ""}, {"scope": Scope.PROJECT, "project": ""}])
    def test_a_memory_of_nobody_or_shared_with_nobody_is_refused(self, store: Store, wrong: dict[str, Any]) -> None:
        with refused(store) as unit:
            unit.memories.add(memory("m1", **wrong))

    @pytest.mark.parametrize(
        ("said", "by"),
        [
            (statement(importance=1.1), "ana"),
            (statement(importance=-0.1), "ana"),
            (statement(confidence=1.1), "ana"),
            (statement(confidence=-0.1), "ana"),
            (statement(), ""),
        ],
    )
    def test_a_revision_out_of_its_bounds_is_refused(self, store: Store, said: Statement, by: str) -> None:
        with refused(store) as unit:
            unit.memories.add(memory("m1"))
            unit.memories.append(revision("m1", said, recorded_by=by))

    def test_a_revision_of_no_memory_is_refused(self, store: Store) -> None:
        with refused(store) as unit:
            unit.memories.append(revision("m1", statement()))


class LinksSuite(StoreSuite):
    """Relations, names, and what was said already."""

    def test_a_link_is_seen_from_both_ends(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            one, two, three = (scribe.add(unit, statement(text)).memory.id for text in ("one", "two", "three"))
            unit.memories.link(Link(two, one, "supersedes"))
            unit.memories.link(Link(two, three, "cites"))
        with store.unit(ANA) as unit:
            assert list(unit.memories.links(one)) == [Link(two, one, "supersedes")]
            assert list(unit.memories.links(two)) == [Link(two, three, "cites"), Link(two, one, "supersedes")]
            assert list(unit.memories.links(three)) == [Link(two, three, "cites")]

    def test_the_same_link_twice_is_one_and_of_another_kind_another(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            one, two = (scribe.add(unit, statement(text)).memory.id for text in ("one", "two"))
            for kind in ("cites", "cites", "wiki"):
                unit.memories.link(Link(one, two, kind))
            assert list(unit.memories.links(one)) == [Link(one, two, "cites"), Link(one, two, "wiki")]

    def test_a_link_to_no_memory_is_refused(self, store: Store, scribe: Scribe) -> None:
        with refused(store) as unit:
            one = scribe.add(unit, statement("one")).memory.id
            unit.memories.link(Link(one, "nobody", "cites"))

    def test_a_memory_answers_to_its_id_and_to_the_start_of_its_last_group(self, store: Store) -> None:
        names = [f"01900000-0000-7000-8000-{last}" for last in ("abcdef000001", "abcdee000002", "ffffff000003")]
        with store.unit(ANA, write=True) as unit:
            for name in names:
                unit.memories.add(memory(name))
                unit.memories.append(revision(name, statement(name)))
        with store.unit(ANA) as unit:
            resolve = unit.memories.resolve
            assert list(resolve(names[0], 5)) == [names[0]]
            assert list(resolve("abcdef", 5)) == [names[0]]
            assert list(resolve("abcdef000001", 5)) == [names[0]]
            assert list(resolve("abc", 5)) == [names[1], names[0]]
            assert list(resolve("abc", 1)) == [names[1]]
            assert [list(resolve(name, 5)) for name in ("abd", "01900000", "cdef", "abcdef000001x")] == [[]] * 4

    def test_the_same_words_are_known_by_their_digest_while_they_stand(self, store: Store, scribe: Scribe) -> None:
        said = statement("The harbour opens at six.")

        def known(words: Statement = said, where: str = "private/ana/") -> list[str]:
            return list(unit.memories.said(where, digest(words)))

        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, said)
            second = scribe.add(unit, said)
            assert known() == [first.memory.id, second.memory.id]
            assert known(where="private/ana/harbour") == []
            assert known(statement("other")) == []
            scribe.revise(unit, first, replace(said, state=State.RETRACTED), START + 1)
            assert known() == [second.memory.id]
            edited = scribe.revise(unit, second, statement("It opens at seven."), START + 2)
            assert known() == []
            scribe.revise(unit, edited, said, START + 3)
            assert known() == [second.memory.id]

    def test_wordings_are_found_by_what_they_say_of_whom(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("The deploy day is Tuesday."))
            second = scribe.add(unit, statement("The deploy day is Thursday."))
            scribe.add(unit, statement("The deploy day is Friday."), project="harbour")
            scribe.add(unit, statement("The deploy hour is nine."))
            told = scribe.revise(unit, first, statement("The deploy day is Monday."), START + 1)
        with store.unit(ANA) as unit:
            wordings = [told.revision.seq, second.revision.seq, first.revision.seq]
            assert list(unit.memories.about("private/ana/", "deploy day", "be", 9)) == wordings
            assert list(unit.memories.about("private/ana/", "deploy day", "be", 2)) == wordings[:2]
            assert list(unit.memories.about("private/ben/", "deploy day", "be", 9)) == []
            assert list(unit.memories.about("private/ana/", "deploy day", "use", 9)) == []

    def test_active_memories_are_counted(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            assert unit.memories.count() == 0
            first = scribe.add(unit, statement("one"))
            scribe.add(unit, statement("two"))
            assert unit.memories.count() == 2
            closed = scribe.revise(unit, first, statement("one", state=State.EXPIRED, valid_to=1), START + 1)
            assert unit.memories.count() == 1
            scribe.revise(unit, closed, statement("one"), START + 2)
            assert unit.memories.count() == 2


class ListingsSuite(StoreSuite):
    """Heads by what they are asked for, newest event time first."""

    @pytest.fixture
    def entries(self, store: Store, scribe: Scribe) -> dict[str, Entry]:
        """One of each sort, by its words."""
        tool = Provenance(Channel.TOOL_RESULT, Trust.TOOL)
        model = Provenance(Channel.ASSISTANT_INFERENCE, Trust.MODEL)
        with store.unit(ANA, write=True) as unit:
            added = [
                scribe.add(unit, statement("fact", valid_from=10)),
                scribe.add(unit, statement("pinned fact", valid_from=20, pinned=True)),
                scribe.add(
                    unit,
                    statement("pinned episode", valid_from=30, pinned=True, type=Type.EPISODIC),
                    kind=Kind.EPISODE,
                ),
                scribe.add(unit, statement("preference", valid_from=40, type=Type.PREFERENCE)),
                scribe.add(
                    unit,
                    statement("case", valid_from=50, type=Type.PROCEDURAL),
                    kind=Kind.CASE,
                    provenance=model,
                ),
                scribe.add(unit, statement("pinned by a tool", valid_from=60, pinned=True), provenance=tool),
                scribe.add(unit, statement("superseded", valid_from=5, valid_to=9, state=State.SUPERSEDED)),
            ]
        return {entry.revision.statement.body: entry for entry in added}

    @pytest.mark.parametrize(
        ("criteria", "expected"),
        [
            (
                Criteria(),
                "pinned by a tool|case|preference|pinned episode|pinned fact|fact|superseded",
            ),
            (Criteria(kinds=(Kind.FACT,)), "pinned by a tool|preference|pinned fact|fact|superseded"),
            (Criteria(kinds=(Kind.EPISODE, Kind.CASE)), "case|pinned episode"),
            (Criteria(kinds=(Kind.SKILL,)), ""),
            (Criteria(types=(Type.PREFERENCE, Type.EPISODIC)), "preference|pinned episode"),
            (Criteria(types=(Type.SEMANTIC,)), "pinned by a tool|pinned fact|fact|superseded"),
            (Criteria(kinds=(Kind.FACT,), types=(Type.PREFERENCE,)), "preference"),
            (Criteria(kinds=(Kind.EPISODE,), types=(Type.PREFERENCE,)), ""),
            (Criteria(pinned=True), "pinned by a tool|pinned episode|pinned fact"),
            (Criteria(pinned=True, injectable=True), "pinned episode|pinned fact"),
            (Criteria(injectable=True), "case|preference|pinned episode|pinned fact|fact|superseded"),
            (Criteria(limit=2), "pinned by a tool|case"),
            (Criteria(limit=0), ""),
        ],
    )
    @pytest.mark.parametrize("at", [LATEST, Moment(known_at=2**60)])
    def test_heads_meet_the_criteria_newest_first(
        self, store: Store, entries: dict[str, Entry], criteria: Criteria, expected: str, at: Moment
    ) -> None:
        with store.unit(ANA) as unit:
            found = list(unit.memories.heads(replace(criteria, at=at)))
        assert found == [entries[words] for words in expected.split("|") if words]

    @pytest.mark.parametrize(
        ("criteria", "expected"),
        [
            (Criteria(kinds=(Kind.FACT,), pinned=True, injectable=True, limit=1), "pinned fact"),
            (Criteria(types=(Type.EPISODIC,), pinned=True, limit=1), "pinned episode"),
            (
                Criteria(kinds=(Kind.EPISODE,), types=(Type.SEMANTIC, Type.EPISODIC), limit=1),
                "pinned episode",
            ),
            (Criteria(kinds=(Kind.FACT,), injectable=True, limit=1), "preference"),
            (Criteria(types=(Type.SEMANTIC,), injectable=True, limit=1), "pinned fact"),
            (Criteria(pinned=True, injectable=True, limit=1), "pinned episode"),
        ],
    )
    def test_the_limit_counts_only_what_meets_the_criteria(
        self, store: Store, entries: dict[str, Entry], criteria: Criteria, expected: str
    ) -> None:
        with store.unit(ANA) as unit:
            assert list(unit.memories.heads(criteria)) == [entries[expected]]

    def test_of_one_event_time_the_later_recorded_comes_first(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            added = [scribe.add(unit, statement(text, valid_from=7)) for text in ("one", "two", "three")]
        with store.unit(ANA) as unit:
            assert list(unit.memories.heads(Criteria())) == added[::-1]

    def test_a_head_is_listed_by_what_it_says_now(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            first = scribe.add(unit, statement("one", pinned=True))
            now = scribe.revise(unit, first, statement("one", type=Type.PREFERENCE), START + 1)
        with store.unit(ANA) as unit:
            assert list(unit.memories.heads(Criteria(pinned=True))) == []
            assert list(unit.memories.heads(Criteria(types=(Type.SEMANTIC,)))) == []
            assert list(unit.memories.heads(Criteria(types=(Type.PREFERENCE,)))) == [now]

    def test_an_empty_scope_lists_nothing(self, store: Store, entries: dict[str, Entry]) -> None:
        assert entries
        with store.unit(BEN) as unit:
            assert list(unit.memories.heads(Criteria())) == []
            assert unit.memories.count() == 0
