from __future__ import annotations

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.cli import diff

pytestmark = pytest.mark.req("review.show")


def marked(words):
    """The words with those that differ in brackets."""
    return "".join(f"[{word}]" if differs and not word.isspace() else word for word, differs in words)


def compared(new, *olds):
    marks, fresh = diff.difference(olds, new)
    return [*map(marked, marks), marked(fresh)]


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("It takes 30 minutes", "It takes 15 minutes", "It takes [30] minutes", "It takes [15] minutes"),
        ("a b", "a b", "a b", "a b"),
        ("", "new words", "", "[new] [words]"),
        ("old words", "", "[old] [words]", ""),
        ("one\ntwo", "one\n2", "one\n[two]", "one\n[2]"),
        ("会议在三点开始", "会议在四点开始", "会议在[三]点开始", "会议在[四]点开始"),
        ("le café", "le thé", "le [café]", "le [thé]"),
    ],
)
def test_the_words_that_differ_are_marked(old, new, gone, come):
    assert compared(new, old) == [gone, come]


def test_of_a_merge_only_what_no_member_says_is_new():
    assert compared("The red lamp is on the pier", "The lamp is red", "A lamp is on the pier") == [
        "The lamp is [red]",
        "[A] lamp is on the pier",
        "The [red] lamp is on the pier",
    ]


def test_of_long_texts_the_lines_that_differ_are_shown():
    old = "".join(f"line {number} of many words\n" for number in range(400))
    new = old.replace("line 200 of", "line zwei of")

    assert compared(new, old) == [
        "...\n[line] [200] [of] [many] [words]\n...\n",
        "...\n[line] [zwei] [of] [many] [words]\n...\n",
    ]


@pytest.mark.parametrize("text", ["w " * 32_000, "\n" * 64_000, "x" * 64_000, "a\nb\n" * 16_000])
def test_the_longest_texts_are_compared(text):
    for other in (text, text[: len(text) // 2], "another"):
        (gone,), come = diff.difference([text], other)
        for sign, words in (("-", gone), ("+", come)):
            shown = list(diff.lines(sign, words, 80, 30))
            assert len(shown) <= 30
            assert all(diff.cells(click.unstyle(line)) <= 80 for line in shown)


def test_lines_are_cut_where_more_would_be_shown_than_asked_for():
    (words,), _new = diff.difference(["\n".join("abcdef")], "")

    assert [click.unstyle(line) for line in diff.lines("-", words, 80, 4)] == [
        "- a",
        "- b",
        "- c",
        "- ... and 3 more lines",
    ]
    assert len(list(diff.lines("-", words, 80, 6))) == 6
    assert len(list(diff.lines("-", words, 80))) == 6


WORDS = st.lists(st.text(st.sampled_from("abcé漢字"), min_size=1, max_size=30), max_size=30)


@given(WORDS, WORDS, st.integers(20, 90))
def test_every_word_is_shown_in_order_and_no_line_is_wider_than_asked(old, new, width):
    (gone,), come = diff.difference([" ".join(old)], " ".join(new))

    for sign, words, told in (("-", gone, old), ("+", come, new)):
        shown = [click.unstyle(line) for line in diff.lines(sign, words, width)]
        assert all(line.startswith(sign) and diff.cells(line) <= width for line in shown)
        assert "".join(line[1:] for line in shown).replace(" ", "") == "".join(told)


@given(st.text(), st.text(), st.integers(1, 200))
def test_any_two_texts_can_be_compared(old, new, width):
    (gone,), come = diff.difference([old], new)

    assert ("".join(word for word, _ in gone), "".join(word for word, _ in come)) == (old, new)
    list(diff.lines("-", gone, width, 5))
