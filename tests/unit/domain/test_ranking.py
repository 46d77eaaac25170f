from __future__ import annotations

import pytest

from perdure.domain import ranking
from perdure.domain.memory import (
    Cause,
    Channel,
    Entry,
    Kind,
    Memory,
    Revision,
    Scope,
    Statement,
    Type,
    provenance,
)
from perdure.domain.terms import query_terms

pytestmark = pytest.mark.req("search.ranking")

FREQUENCIES = {"coffe": 2, "morn": 3, "book": 2, "night": 3, "ferry-1042": 1, "ferry": 1, "1042": 1}


def entry(body, seq=1, **attrs):
    statement = Statement(body=body, type=Type.SEMANTIC, valid_from=attrs.pop("valid_from", 0), **attrs)
    memory = Memory(f"m{seq}", Kind.FACT, "ana", Scope.PRIVATE, "", 0)
    revision = Revision(
        seq, f"r{seq}", memory.id, "", statement, 0, "ana", Cause.ADDED, "", seq, 1, provenance(Channel.HAND)
    )
    return Entry(memory, revision)


def question(text):
    return ranking.weigh(query_terms(text), 100, FREQUENCIES)


def scored(asked, found, bm25=1.0, best=1.0):
    return ranking.score(asked, found, bm25, best, FREQUENCIES)


def test_what_holds_the_word_comes_before_what_does_not():
    coffee, books = (
        entry("likes drinking coffee in the morning", 1),
        entry("enjoys reading books at night", 2),
    )
    asked = question("coffee")

    hits = ranking.order([scored(asked, books, 0.0), scored(asked, coffee)])

    assert [hit.entry for hit in hits] == [coffee, books]
    assert hits[0].score == 1.0
    assert not ranking.passes(hits[1], ranking.FLOOR)


def test_a_question_half_of_which_is_unknown_is_half_covered():
    hit = scored(question("coffee kubernetes ingress stickiness"), entry("coffee"))

    assert hit.coverage < ranking.FLOOR
    assert not ranking.passes(hit, ranking.FLOOR)


def test_a_rare_identifier_passes_below_the_floor():
    asked = question("FERRY-1042 kubernetes ingress gateway stickiness websocket timeout")
    hit = scored(asked, entry("FERRY-1042 means the same berth was sold twice"), 0.2)

    assert hit.exact
    assert hit.score < ranking.FLOOR
    assert ranking.passes(hit, ranking.FLOOR)


def test_importance_and_pins_never_lift_a_less_relevant_hit():
    asked = question("coffee morning")
    better, worse = (
        entry("coffee in the morning", 1),
        entry("coffee", 2, importance=1.0, pinned=True, valid_from=99),
    )

    assert [hit.entry for hit in ranking.order([scored(asked, worse), scored(asked, better)])] == [
        better,
        worse,
    ]


def test_equal_hits_are_ordered_by_event_time_and_then_by_sequence():
    asked = question("coffee")
    older, newer, newest = (
        entry("coffee", 1),
        entry("coffee", 2, valid_from=5),
        entry("coffee", 3, valid_from=5),
    )

    ordered = ranking.order([scored(asked, older), scored(asked, newest), scored(asked, newer)])

    assert [hit.entry for hit in ordered] == [newest, newer, older]


def test_a_search_looks_up_the_rare_terms_and_never_pays_for_the_common_ones():
    frequencies = {"common": 60_000, "coffee": 3, "pier": 900, "berth": 1_500, "unknown": 0}

    assert ranking.searched(ranking.weigh(tuple(frequencies), 100_000, frequencies), frequencies) == ["coffee", "pier"]


def test_where_all_words_are_common_the_rarest_is_looked_up():
    frequencies = {"a": 9_000, "b": 8_000, "c": 7_000}

    assert ranking.searched(ranking.weigh(tuple(frequencies), 10_000, frequencies), frequencies) == ["c"]


def test_in_a_small_store_every_word_is_looked_up():
    frequencies = {"a": 90, "b": 80, "c": 0}

    assert ranking.searched(ranking.weigh(tuple(frequencies), 100, frequencies), frequencies) == ["b", "a"]


def test_near_duplicates_give_one_answer():
    asked = question("coffee")
    hits = [scored(asked, entry("she drinks coffee every single morning", n)) for n in (1, 2)]
    other = scored(asked, entry("coffee beans are in the cupboard", 3))

    assert ranking.distinct([*hits, other]) == [hits[0], other]
