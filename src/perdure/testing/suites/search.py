"""The store's contract: the lexical index holds the words of all revisions, and knows which of them stand."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure.domain.memory import LATEST, State
from perdure.domain.record import replace
from perdure.domain.terms import terms
from perdure.testing.fakes import START, Scribe, statement
from perdure.testing.suites import ANA, StoreSuite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.memory import Entry
    from perdure.ports import Store, Unit

ALL = 10_000
ANY_STATE = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
PROSE = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=40)


def standing(unit: Unit, *terms: str) -> list[int]:
    """The wordings found among those that stand, in order of writing."""
    return sorted(match.seq for match in unit.search.lexical(terms, superseded=False, limit=ALL))


def ever(unit: Unit, *terms: str) -> list[int]:
    """The wordings found among all."""
    return sorted(match.seq for match in unit.search.lexical(terms, superseded=True, limit=ALL))


class SearchSuite(StoreSuite):
    """What is found, by which words, and in which order."""

    def test_any_of_the_terms_finds_in_title_tags_and_body(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            title = scribe.add(unit, statement("x", title="Amber light")).revision.seq
            tagged = scribe.add(unit, statement("x", tags=("birch", "Amber"))).revision.seq
            body = scribe.add(unit, statement("Cedar, by the AMBER gate.")).revision.seq
            scribe.add(unit, statement("nothing of it"))
        with store.unit(ANA) as unit:
            assert standing(unit, "amber") == [title, tagged, body]
            assert standing(unit, "birch") == [tagged]
            assert standing(unit, "cedar", "birch", "unheard") == [tagged, body]
            assert standing(unit, "unheard") == []
            assert standing(unit) == []

    def test_the_best_come_first_and_no_more_than_asked_for(self, store: Store, scribe: Scribe) -> None:
        with store.unit(ANA, write=True) as unit:
            for number in range(8):
                scribe.add(unit, statement(f"common words number {number}"))
            both = scribe.add(unit, statement("common rare")).revision.seq
        with store.unit(ANA) as unit:
            found = unit.search.lexical(["common", "rare"], superseded=False, limit=ALL)
            scores = [match.score for match in found]
            assert found[0].seq == both
            assert scores == sorted(scores, reverse=True)
            assert len(found) == 9
            first = unit.search.lexical(["common", "rare"], superseded=False, limit=3)
            assert [match.score for match in first] == scores[:3]

    @pytest.mark.parametrize(
        "text",
        [
            "getUserById in src/retry.rs:42",
            "ERR_CONNECTION_RESET (E0382)",
            "日本語の検索とテスト",
            "Überraschung naïve café",
            "C++ and c# and .env",
            "Ελλάδα, Россия, 한국어, हिन्दी",
            "OR AND NOT NEAR title:x",
            "🚀✨",
        ],
    )
    def test_every_term_of_a_text_finds_it_and_is_counted(self, store: Store, scribe: Scribe, text: str) -> None:
        with store.unit(ANA, write=True) as unit:
            seq = scribe.add(unit, statement(text)).revision.seq
        with store.unit(ANA) as unit:
            made = list(dict.fromkeys(terms(text)))
            assert made
            assert [standing(unit, term) for term in made] == [[seq]] * len(made)
            assert unit.search.frequencies(made) == (1, dict.fromkeys(made, 1))

    @settings(suppress_health_check=ANY_STATE)
    @given(text=PROSE)
    def test_every_term_of_any_text_finds_it(self, store: Store, text: str) -> None:
        made = terms(text)
        with store.unit(ANA, write=True) as unit:
            number = Scribe.anew(unit).add(unit, statement(text)).revision.seq
        with store.unit(ANA) as unit:
            assert [term for term in made if number not in standing(unit, term)] == []
            assert [term for term, count in unit.search.frequencies(made)[1].items() if not count] == []

    @settings(suppress_health_check=ANY_STATE)
    @given(asked=st.lists(st.text(max_size=8), max_size=4))
    @pytest.mark.parametrize("superseded", [False, True])
    def test_any_string_may_be_asked_for(self, store: Store, asked: list[str], *, superseded: bool) -> None:
        with store.unit(ANA, write=True) as unit:
            Scribe.anew(unit).add(unit, statement("amber"))
        with store.unit(ANA) as unit:
            held = unit.search.lexical([*asked, "amber"], superseded=superseded, limit=ALL)
            assert len(held) == unit.memories.count()
            unit.search.lexical(asked, superseded=superseded, limit=ALL)
            assert unit.search.frequencies(asked)[1].keys() == set(asked)

    @pytest.mark.parametrize(
        "term", ['"', "'", "*", "amber*", "^amber", "amb", "a AND b", "title:amber", "\0", "\ud800"]
    )
    def test_nothing_of_a_term_is_query_syntax(self, store: Store, scribe: Scribe, term: str) -> None:
        with store.unit(ANA, write=True) as unit:
            seq = scribe.add(unit, statement("amber")).revision.seq
        with store.unit(ANA) as unit:
            assert standing(unit, term) == []
            assert standing(unit, term, "amber") == [seq]
            assert unit.search.frequencies([term, "amber"]) == (1, {term: 0, "amber": 1})

    @pytest.mark.parametrize("term", ["private/ana/", "private", "ana", "old", "old/private/ana/", "project"])
    def test_whose_a_memory_is_does_not_count_as_its_words(self, store: Store, scribe: Scribe, term: str) -> None:
        with store.unit(ANA, write=True) as unit:
            scribe.add(unit, statement("amber"))
        with store.unit(ANA) as unit:
            assert unit.search.frequencies([term]) == (1, {term: 0})
            assert ever(unit, term) == []


class IndexSuite(StoreSuite):
    """The index follows every revision in the same transaction."""

    @pytest.fixture
    def entry(self, store: Store, scribe: Scribe) -> Entry:
        """A memory that says amber."""
        with store.unit(ANA, write=True) as unit:
            return scribe.add(unit, statement("amber"))

    def test_an_edit_moves_the_old_words_to_the_past(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        with store.unit(ANA, write=True) as unit:
            edited = scribe.revise(unit, entry, statement("birch"), START + 1)
        with store.unit(ANA) as unit:
            assert (standing(unit, "amber"), standing(unit, "birch")) == ([], [edited.revision.seq])
            assert (ever(unit, "amber"), ever(unit, "birch")) == ([entry.revision.seq], [edited.revision.seq])
            assert unit.search.frequencies(["amber", "birch"]) == (2, {"amber": 1, "birch": 1})

    @pytest.mark.parametrize("state", [State.SUPERSEDED, State.RETRACTED, State.EXPIRED])
    def test_a_closed_statement_moves_to_the_past(
        self, store: Store, scribe: Scribe, entry: Entry, state: State
    ) -> None:
        ended = statement("amber", state=state, valid_to=START)
        with store.unit(ANA, write=True) as unit:
            scribe.revise(unit, entry, ended, START + 1)
        with store.unit(ANA) as unit:
            assert (standing(unit, "amber"), ever(unit, "amber")) == ([], [entry.revision.seq])
            assert unit.search.frequencies(["amber"]) == (1, {"amber": 1})

    @pytest.mark.parametrize(
        ("state", "stands"), [(State.SUPERSEDED, True), (State.EXPIRED, True), (State.RETRACTED, False)]
    )
    def test_a_statement_whose_end_lies_ahead_still_stands_unless_it_was_retracted(
        self, store: Store, scribe: Scribe, entry: Entry, state: State, *, stands: bool
    ) -> None:
        ending = statement("amber", state=state, valid_to=START + 10)
        with store.unit(ANA, write=True) as unit:
            scribe.revise(unit, entry, ending, START + 1)
        with store.unit(ANA) as unit:
            assert standing(unit, "amber") == ([entry.revision.seq] if stands else [])

    def test_a_reopened_statement_stands_again(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        ended = statement("amber", state=State.SUPERSEDED, valid_to=START)
        with store.unit(ANA, write=True) as unit:
            closed = scribe.revise(unit, entry, ended, START + 1)
        with store.unit(ANA, write=True) as unit:
            scribe.revise(unit, closed, statement("amber"), START + 2)
        with store.unit(ANA) as unit:
            assert standing(unit, "amber") == [entry.revision.seq]

    def test_words_brought_back_keep_their_first_wording(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        first = entry.revision
        with store.unit(ANA, write=True) as unit:
            edited = scribe.revise(unit, entry, statement("birch"), START + 1)
            back = scribe.revise(unit, edited, first.statement, START + 2, wording=first.wording)
        with store.unit(ANA) as unit:
            assert (standing(unit, "amber"), standing(unit, "birch")) == ([first.seq], [])
            assert unit.memories.entries([first.seq, edited.revision.seq], LATEST) == {first.seq: back}
            assert unit.search.frequencies(["amber", "birch"]) == (2, {"amber": 1, "birch": 1})

    def test_how_a_statement_stands_is_not_indexed_again(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        with store.unit(ANA, write=True) as unit:
            pinned = scribe.revise(unit, entry, statement("amber", pinned=True), START + 1)
            scribe.revise(unit, pinned, statement("amber", confidence=0.9), START + 2)
        with store.unit(ANA) as unit:
            assert ever(unit, "amber") == [entry.revision.seq]
            assert unit.search.frequencies(["amber"]) == (1, {"amber": 1})

    def test_changed_tags_are_new_words(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        with store.unit(ANA, write=True) as unit:
            tagged = scribe.revise(unit, entry, statement("amber", tags=("birch",)), START + 1)
        with store.unit(ANA) as unit:
            assert standing(unit, "birch") == standing(unit, "amber") == [tagged.revision.seq]

    def test_an_edit_of_a_closed_statement_stays_in_the_past(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        ended = statement("amber", state=State.EXPIRED, valid_to=START)
        with store.unit(ANA, write=True) as unit:
            closed = scribe.revise(unit, entry, ended, START + 1)
            edited = scribe.revise(unit, closed, replace(ended, body="birch"), START + 2)
        with store.unit(ANA) as unit:
            assert (standing(unit, "amber", "birch"), ever(unit, "birch")) == ([], [edited.revision.seq])

    def test_what_was_rolled_back_is_not_indexed(self, store: Store, scribe: Scribe, entry: Entry) -> None:
        with pytest.raises(LookupError), store.unit(ANA, write=True) as unit:  # noqa: PT012 - a unit
            scribe.add(unit, statement("cedar"))
            scribe.revise(unit, entry, statement("birch"), START + 1)
            raise LookupError
        with store.unit(ANA) as unit:
            assert (ever(unit, "birch", "cedar"), standing(unit, "amber")) == ([], [entry.revision.seq])
            asked: Sequence[str] = ("amber", "birch", "cedar")
            assert unit.search.frequencies(asked) == (1, {"amber": 1, "birch": 0, "cedar": 0})
