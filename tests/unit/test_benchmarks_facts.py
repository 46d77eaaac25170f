from __future__ import annotations

import re
from collections import Counter

import pytest

from benchmarks import _corpus, _corrections_set, consolidation, corrections
from benchmarks._corrections_set import ALIKE, CELLS, FREE, JANUARY, JUNE, MARCH, PLAIN, TRUE, Pair, frames, pairs
from benchmarks._duplicates import NEAR, NUMBER, SERIES, Planted, planted
from benchmarks._lib import SEED, Options
from benchmarks.consolidation import Pass, baseline, found, twins, wrong
from benchmarks.corrections import Verdict, precision, report
from perdure.services.consolidate import Limits

TINY = Options("tiny")
OF_SET = pytest.mark.req("bench.corrections")
OF_PASS = pytest.mark.req("bench.consolidation")


def values(figures):
    return {figure.name: figure.value for figure in figures}


def pair(
    group=TRUE,
    wording=PLAIN,
    older="The main port of Lund is Kiel.",
    newer="The main port of Lund is Bonn.",
    **more,
):
    return Pair("bridge", "en", group, wording, "", older, newer, **more)


def told(tmp_path, *chosen):
    store, door = _corpus.new_store(str(tmp_path / "ledger.db"))
    found = corrections.told(door, chosen)
    store.close()
    return found


@OF_SET
def test_the_set_has_as_many_corrections_as_look_alikes_and_half_of_each_in_free_wording():
    drawn = pairs(SEED)
    assert Counter((each.group, each.wording) for each in drawn) == dict.fromkeys(CELLS, 100)
    assert len({each.id for each in drawn}) == 400


@OF_SET
@pytest.mark.parametrize("cell", CELLS)
def test_each_part_speaks_eight_languages_and_at_least_two_fifths_of_it_is_not_english(cell):
    drawn = [each for each in pairs(SEED) if (each.group, each.wording) == cell]
    spoken = Counter(each.language for each in drawn)
    assert set(spoken) == set(_corrections_set.FRAMES)
    assert spoken["en"] <= 60


@OF_SET
@pytest.mark.parametrize("group", [TRUE, ALIKE])
def test_there_are_many_frames_and_no_two_alike(group):
    made = [(each.older, each.newer) for wording in (FREE, PLAIN) for each in frames(group, wording)]
    assert len(made) == len(set(made)) >= 60


@OF_SET
@pytest.mark.parametrize("seed", [SEED, 1, 2, 3])
def test_no_slot_is_left_open_and_no_pair_is_drawn_twice(seed):
    drawn = pairs(seed)
    texts = [text for each in drawn for text in (each.older, each.newer, *each.between)]
    assert not [text for text in texts if "{" in text or "}" in text]
    assert len({(each.group, each.wording, each.older, each.newer) for each in drawn}) == 400


@OF_SET
def test_a_seed_draws_the_same_set_again_and_another_seed_another():
    assert pairs(7, 80) == pairs(7, 80)
    assert {each.older for each in pairs(7, 80)} != {each.older for each in pairs(8, 80)}


@OF_SET
def test_a_version_rises_from_the_older_statement_to_the_newer():
    drawn = [each for seed in range(4) for each in pairs(seed) if each.why == "another version"]
    rising = [[int(re.findall(r"3\.(\d+)", text)[0]) for text in (each.older, each.newer)] for each in drawn]
    assert rising
    assert all(older < newer for older, newer in rising)


@OF_SET
def test_the_look_alikes_hold_intervals_strangers_and_what_says_the_same():
    drawn = [each for each in pairs(SEED) if each.group == ALIKE]
    assert {each.why for each in drawn if each.stranger} == {"two authors"}
    assert {each.why for each in drawn if each.same} == {"says the same"}
    apart = {(each.older_from, each.older_to, each.newer_from) for each in drawn if each.why == "another interval"}
    assert apart == {(JANUARY, MARCH, JUNE)}
    assert JANUARY < MARCH < JUNE


@OF_SET
def test_what_the_ledger_retired_of_a_pair_is_told_apart_from_what_it_left(tmp_path):
    correction = pair(between=("The lift hums.",))
    other = Pair("tower", "en", ALIKE, PLAIN, "", "The main port of Ulm is Kiel.", "The main port of Lund is Bonn.")
    assert told(tmp_path, correction, other) == [
        Verdict(correction, right=True, wrong=0, found=True),
        Verdict(other, right=False, wrong=0, found=False),
    ]


@OF_SET
def test_a_retired_look_alike_is_a_wrong_retirement(tmp_path):
    (verdict,) = told(tmp_path, pair(group=ALIKE))
    assert (verdict.right, verdict.wrong, verdict.found) == (False, 1, False)


@OF_SET
def test_a_statement_that_is_known_already_is_counted_as_lost(tmp_path):
    (verdict,) = told(tmp_path, pair(group=ALIKE, newer="The main port of Lund is Kiel."))
    assert verdict == Verdict(verdict.pair, right=False, wrong=0, found=False, lost=1)


@OF_SET
def test_two_authors_tell_their_own_in_one_project(tmp_path):
    (verdict,) = told(tmp_path, pair(group=ALIKE, stranger=True))
    assert (verdict.wrong, verdict.lost) == (0, 0)


@OF_SET
def test_the_baseline_retires_what_shares_most_words(tmp_path):
    chosen = [pair(between=("The lift hums.",)), pair(group=ALIKE, newer="Who lives in Lund?")]
    right, mistaken = corrections.baseline(str(tmp_path), chosen)
    assert (right.right, right.wrong, right.found) == (True, 0, True)
    assert (mistaken.right, mistaken.wrong, mistaken.asked) == (False, 1, True)


@OF_SET
def test_precision_counts_retirements_and_recall_counts_corrections():
    ours = [
        Verdict(pair(wording=FREE), right=True, wrong=0, found=True),
        Verdict(pair(wording=FREE), right=False, wrong=0, found=True),
        Verdict(pair(), right=True, wrong=1, found=True, bystanders=2),
        Verdict(pair(), right=False, wrong=0, found=False, lost=1),
        Verdict(pair(ALIKE, FREE), right=False, wrong=0, found=False, asked=True),
    ]
    figures = values(report(ours, ours))
    assert precision([]) == 1.0
    assert next(iter(figures)) == "free: precision of applied"
    assert {name: value for name, value in figures.items() if name.startswith(("free", "all", "prop", "stat"))} == {
        "free: precision of applied": 1.0,
        "free: recall of detected": 1.0,
        "free: corrections applied at once": 0.5,
        "free: look-alikes with a proposal": 1.0,
        "all: precision of applied": 0.667,
        "all: recall of detected": 0.75,
        "all: corrections applied at once": 0.5,
        "all: look-alikes with a proposal": 1.0,
        "proposals that name a bystander": 2,
        "statements lost": 1,
    }


@OF_SET
def test_corrections_are_measured_beside_a_baseline_that_is_often_wrong():
    figures = corrections.measure(TINY)
    compared = {figure.name: (figure.value, figure.baseline or 0) for figure in figures}
    ours, plain = compared["all: precision of applied"]
    assert 0 < plain < ours
    assert compared["statements lost"] == (0, 0)


@OF_PASS
def test_planted_memories_are_as_many_as_wanted_and_only_duplicates_mean_the_same():
    made = planted(SEED, 3_000)
    families: dict[tuple[str, int], set[str]] = {}
    for each in made:
        families.setdefault((each.sort, each.family), set()).add(each.meaning)
    assert len(made) == 3_000
    assert made == planted(SEED, 3_000)
    assert {len(meanings) for (sort, _family), meanings in families.items() if sort == NEAR} == {1}
    assert {len(meanings) for (sort, _family), meanings in families.items() if sort == NUMBER} == {2}
    assert min(len(meanings) for (sort, _family), meanings in families.items() if sort == SERIES) >= 8


@OF_PASS
def test_a_merge_is_wrong_where_the_two_mean_different_things():
    made = [Planted("a", "one"), Planted("b", "one"), Planted("c", "two")]
    assert wrong(made, Pass((), ((0, 1),), (), 0.0)) == 0
    assert wrong(made, Pass((), ((0, 1), (2, 1)), (), 0.0)) == 1


@OF_PASS
def test_twins_are_found_where_one_group_holds_both():
    made = [Planted("", "one", NEAR, 1), Planted("", "one", NEAR, 1), *[Planted("", "two", NEAR, 2)] * 2]
    pairs_of = twins(made, range(4), NEAR)
    assert pairs_of == [frozenset({0, 1}), frozenset({2, 3})]
    assert twins(made, range(3), NEAR) == [frozenset({0, 1})]
    assert found(Pass((frozenset({0, 1}), frozenset({2})), (), (), 0.0), pairs_of) == 0.5


@OF_PASS
def test_the_baseline_joins_neighbours_of_neighbours_and_keeps_the_newest():
    made = [Planted(body, body) for body in ("a b c d e f", "a b c d e g", "a b c d h g", "x y z")]
    done = baseline(made, range(4), 0.35)
    assert (done.groups, done.merged) == ((frozenset({0, 1, 2}),), ((0, 2), (1, 2)))


@OF_PASS
def test_consolidation_is_measured_with_groups_inside_the_bound():
    compared = {figure.name: (figure.value, figure.baseline or 0) for figure in consolidation.measure(TINY)}
    largest, joined = compared["largest group"]
    assert largest <= Limits().group < joined
    mistaken, joined = compared["wrong merges applied"]
    assert mistaken < joined
    assert compared["twins in one group, nearly the same words"][0] > 0
