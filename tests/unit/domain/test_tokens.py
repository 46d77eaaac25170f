from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.packing import Budget, Packer
from perdure.domain.tokens import count, cut

pytestmark = pytest.mark.req("context.budgets")


def test_four_letters_are_a_token():
    assert count("word") == 1
    assert count("words") == 2


def test_a_cjk_character_is_a_token():
    assert count("咖啡") == 2


def test_every_sign_is_a_token():
    assert count("a.b()") == 5


def test_a_text_within_its_budget_is_not_cut():
    assert cut("One short line.", 10) == "One short line."


def test_a_cut_text_ends_at_a_sentence_and_says_that_it_was_cut():
    text = "The first sentence ends here. The second one goes on and on without any end in sight"

    assert cut(text, 13) == "The first sentence ends here. ..."


def test_a_budget_too_small_for_anything_gives_nothing():
    assert cut("some words that do not fit", 2) == ""


@given(st.text(), st.integers(min_value=0, max_value=60))
def test_a_cut_text_fits_its_budget(text, budget):
    assert count(cut(text, budget)) <= budget


@given(st.text(), st.text())
def test_counting_parts_never_counts_less_than_the_whole(one, other):
    assert count(one) + count(other) >= count(one + other)


def test_a_packer_takes_what_fits_and_writes_no_heading_without_a_line():
    packer = Packer(Budget(tokens=12, characters=100))
    packer.head("## First")

    taken = [packer.take("one two"), packer.take("a line that is much too long for what is left of it")]
    packer.head("## Second")

    assert (taken, packer.text) == ([True, False], "## First\none two")


@given(st.lists(st.text(max_size=40)), st.integers(0, 200), st.integers(0, 400))
def test_a_packed_text_is_within_both_budgets(lines, tokens, characters):
    packer = Packer(Budget(tokens, characters))
    for line in lines:
        packer.take(line)

    assert count(packer.text) <= tokens
    assert len(packer.text) <= characters
