"""What holds of redaction whatever the text: twice is once, cut is whole, and no token stays anywhere."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.redaction_benign import BENIGN
from benchmarks.redaction_kinds import FORMATS, fill
from benchmarks.redaction_set import BLOCKS, contexts, kinds
from perdure.safety.redaction import Redactor, default_redactor

SEEDS = st.integers(min_value=0, max_value=10_000)
PIECES = (
    *("password", "PASSWORD", "token", "api_key", "secret", "key", "auth", "bearer ", "basic ", "cookie: ", "pass"),
    *(
        " is ",
        ": ",
        "=",
        " = ",
        ":",
        '"',
        "'",
        "`",
        "\\",
        "\n",
        "\\n",
        " ",
        ", ",
        "(",
        ")",
        "|",
        ">",
        "<",
        "/",
        "@",
        "://",
    ),
    *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "<private>", "</private>", "[REDACTED:jwt]", "--"),
    *("hunter2!x", "Meadow58!x", "q8fh2kd9s0vm3nx7", "letmein", "user", "ana:", "mysql -p", "curl -u ", "your-", "sk-"),
    *(
        "пароль ",
        "密码是",
        "das Passwort lautet ",
        "log in as ana / ",
        "export ",
        "A_SECRET=",
        "$(cat <<EOF\n",
        "EOF\n)",
    ),
)


@st.composite
def secrets(draw):
    """A secret of any kind, in one of the transcript contexts or by itself."""
    made = kinds()
    secret = made[draw(st.sampled_from(sorted(made)))](random.Random(draw(SEEDS)))
    places = contexts()
    place = draw(st.none() | st.sampled_from(sorted(places)))
    return places[place](secret.text) if place else secret.text


TEXTS = st.lists(st.sampled_from(PIECES) | secrets() | st.text(max_size=5), max_size=14).map("".join)


@pytest.mark.req("safety.redact-idempotent")
@given(TEXTS)
def test_redacting_twice_is_redacting_once(text):
    once = default_redactor().clean(text)

    assert default_redactor().clean(once) == once


@pytest.mark.req("safety.redact-findings")
@given(TEXTS)
def test_findings_are_in_order_apart_and_all_that_changed(text):
    redacted = default_redactor().redact(text)

    rebuilt, at = [], 0
    for finding in redacted.findings:
        assert at <= finding.start < finding.end <= len(text)
        rebuilt += [text[at : finding.start], f"[REDACTED:{finding.kind}]"]
        at = finding.end
    assert "".join([*rebuilt, text[at:]]) == redacted.text


@pytest.mark.req("safety.redact-joined")
@given(TEXTS, st.lists(st.integers(min_value=0), max_size=6))
def test_however_a_text_is_cut_the_result_is_the_same(text, cuts):
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    parts = [text[begin:end] for begin, end in pairwise(edges)]

    redacted = default_redactor().redact_joined(parts)

    assert len(redacted) == len(parts)
    assert "".join(redacted) == default_redactor().clean(text)


@pytest.mark.req("safety.redact-joined")
@given(st.lists(TEXTS, max_size=4))
def test_records_that_are_redacted_stay_as_they_are(records):
    redactor = default_redactor()
    once = redactor.redact_joined([redactor.clean(text) for text in records])

    assert len(once) == len(records)
    assert redactor.redact_joined([redactor.clean(text) for text in once]) == once


@pytest.mark.req("safety.redact-kinds")
@given(st.sampled_from(sorted(FORMATS)), SEEDS, st.sampled_from(sorted(contexts())))
def test_a_token_with_a_form_stays_in_no_context(kind, seed, context):
    token = fill(random.Random(seed), FORMATS[kind])
    text = contexts()[context](token)

    assert token not in default_redactor().clean(text)
    assert token in Redactor(()).clean(text)


@pytest.mark.req("safety.redact-keys")
@given(st.sampled_from(sorted(BLOCKS)), SEEDS, st.sampled_from(sorted(contexts())))
def test_no_line_of_a_block_stays_in_any_context(kind, seed, context):
    secret = BLOCKS[kind](random.Random(seed))

    cleaned = default_redactor().clean(contexts()[context](secret.text))

    assert [part for part in secret.parts if part[:12] in cleaned] == []


@pytest.mark.req("safety.survivors")
@given(st.lists(st.tuples(st.sampled_from([t for texts in BENIGN.values() for t in texts]), SEEDS), max_size=6))
def test_texts_without_secrets_stay_untouched_in_any_company(drawn):
    text = "\n".join(fill(random.Random(seed), template) for template, seed in drawn)

    assert default_redactor().redact(text).text is text


@pytest.mark.req("safety.redact-values")
@given(
    st.recursive(
        TEXTS | st.none() | st.booleans() | st.integers(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=6,
    )
)
def test_a_value_that_is_redacted_stays_as_it_is(value):
    once = default_redactor().redact_value(value)

    assert default_redactor().redact_value(once) == once
