"""The redactor as callers see it: findings, settings, values, texts that are cut into parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from perdure.domain.errors import UsageError
from perdure.safety.redaction import Finding, Redacted, Redactor, default_redactor

if TYPE_CHECKING:
    from perdure.domain.json import Json

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.mark.req("safety.redact-findings")
def test_a_finding_says_what_stood_where():
    text = f"one {TOKEN} two password=hunter2!x"

    assert default_redactor().redact(text) == Redacted(
        "one [REDACTED:github-token] two password=[REDACTED:credential]",
        (Finding("github-token", 4, 44), Finding("credential", 58, 67)),
    )


@pytest.mark.req("safety.redact-findings")
def test_a_text_without_secrets_has_no_findings_and_is_not_copied():
    text = "nothing to see here"
    redacted = default_redactor().redact(text)

    assert redacted == Redacted(text, ())
    assert redacted.text is text


@pytest.mark.req("safety.redact-findings")
def test_without_arguments_there_is_one_redactor():
    assert default_redactor() is default_redactor()
    assert default_redactor(allow=["x"]) is not default_redactor()


@pytest.mark.req("safety.redact-findings")
def test_without_rules_everything_stays():
    assert Redactor(()).clean(f"{TOKEN} password=hunter2!x") == f"{TOKEN} password=hunter2!x"


@pytest.mark.req("safety.redact-idempotent")
@pytest.mark.parametrize(
    "text",
    [
        "password=[REDACTED:credential] and [REDACTED:openai-key]: Meadow58!x",
        f"{TOKEN}{TOKEN}",
        f"token={TOKEN}, token={TOKEN}",
        "<private>a [REDACTED:jwt] b</private>",
        "password is hunter2!x hunter3!y hunter4!z",
        "[REDACTED:x][REDACTED:y]password: hunter2!x",
    ],
)
def test_a_mark_is_no_secret_and_names_none(text):
    once = default_redactor().clean(text)

    assert default_redactor().clean(once) == once


@pytest.mark.req("safety.redact-idempotent")
def test_secrets_far_apart_and_those_that_a_mark_brings_to_light_all_go():
    age = "AGE-SECRET-KEY-1" + "Q7Z5" * 12
    line = "nothing to see in this line, nor in that one\n" * 40
    text = f"{TOKEN}\n{line}{age}{TOKEN}\n{line}{TOKEN}"

    cleaned = default_redactor().redact(text)

    assert cleaned.text == (
        f"[REDACTED:github-token]\n{line}[REDACTED:age-key][REDACTED:github-token]\n{line}[REDACTED:github-token]"
    )
    assert [text[finding.start : finding.end] for finding in cleaned.findings] == [TOKEN, age, TOKEN, TOKEN]


@pytest.mark.req("safety.redact-idempotent")
def test_a_pattern_that_matches_everything_in_sight_still_comes_to_an_end():
    redactor = default_redactor({"line": ".+", "letter": "(?s)x.{3}"})

    assert redactor.clean("one [REDACTED:jwt]\ntwo") == "[REDACTED:line]\n[REDACTED:line]"
    assert default_redactor({"letter": "x.{3}"}).clean("ax[REDACTED:jwt]b") == "a[REDACTED:letter]b"


@pytest.mark.req("safety.redact-settings")
def test_what_is_allowed_survives_and_nothing_else():
    redactor = default_redactor(allow=[r"hunter2!\w", "https://ana:.*@example.test"])

    assert redactor.clean("password=hunter2!x") == "password=hunter2!x"
    assert redactor.clean("password=hunter3!x") == "password=[REDACTED:credential]"
    assert redactor.clean("https://ana:Meadow58@example.test/") == "https://ana:Meadow58@example.test/"


@pytest.mark.req("safety.redact-settings")
def test_further_patterns_are_kinds_and_their_first_group_is_the_secret():
    redactor = default_redactor({"badge": r"badge (\d{4})", "code-name": "osprey"})

    assert redactor.clean("badge 1234 of osprey") == "badge [REDACTED:badge] of [REDACTED:code-name]"


@pytest.mark.req("safety.redact-settings")
@pytest.mark.parametrize(
    ("extra", "allow", "named"),
    [
        ({"badge": "("}, (), "'badge' is invalid"),
        ({"badge": "a*"}, (), "'badge' matches the empty text"),
        ({"a b": "a"}, (), "'a b' may hold only"),
        ({}, ["["], r"'\[' is invalid"),
        ({}, [""], "'' matches the empty text"),
    ],
)
def test_a_pattern_that_cannot_work_is_named(extra, allow, named):
    with pytest.raises(UsageError, match=named):
        default_redactor(extra, allow)


@pytest.mark.req("safety.redact-values")
def test_keys_and_strings_of_a_value_are_cleaned_and_a_key_says_what_its_value_is():
    value: dict[str, Json] = {
        "password": "hunter2!x",
        "api_key": "q8fh2kd9s0vm3nx7",
        f"for {TOKEN}": [f"uses {TOKEN}", 3, None, True],
        "tokens": 4711,
        "note": "the password reset flow",
        "passwords": {"old": "x"},
        "token": TOKEN,
    }

    assert default_redactor().redact_value(value) == {
        "password": "[REDACTED:credential]",
        "api_key": "[REDACTED:credential]",
        "for [REDACTED:github-token]": ["uses [REDACTED:github-token]", 3, None, True],
        "tokens": 4711,
        "note": "the password reset flow",
        "passwords": {"old": "x"},
        "token": "[REDACTED:github-token]",
    }


@pytest.mark.req("safety.redact-values")
def test_a_name_beside_a_value_says_what_it_is():
    value = [{"name": "DB_PASSWORD", "value": "hunter2!x"}, {"name": "HOME", "value": "/root"}]

    assert default_redactor().redact_value(value) == [
        {"name": "DB_PASSWORD", "value": "[REDACTED:credential]"},
        {"name": "HOME", "value": "/root"},
    ]
    assert default_redactor().redact_value({"password": ["hunter2!x"]}) == {"password": ["[REDACTED:credential]"]}


@pytest.mark.req("safety.redact-values")
def test_a_value_that_is_redacted_stays_as_it_is():
    value = {"password": "[REDACTED:credential]", "secret": "<your-secret>"}

    assert default_redactor().redact_value(value) == value
    assert default_redactor(allow=["hunter2!x"]).redact_value({"password": "hunter2!x"}) == {"password": "hunter2!x"}


@pytest.mark.req("safety.redact-joined")
def test_a_secret_over_two_parts_has_its_mark_in_the_first():
    assert default_redactor().redact_joined([f"one {TOKEN[:20]}", f"{TOKEN[20:]} two"]) == (
        "one [REDACTED:github-token]",
        " two",
    )


@pytest.mark.req("safety.redact-joined")
def test_a_key_over_many_parts_leaves_none_of_its_lines():
    body = "\n".join(["q8fh2kd9s0vm3nx7" * 4] * 3)
    parts = ["here -----BEGIN PRIVATE KEY-----\n", f"{body}\n", body, "\n-----END PRIVATE KEY-----", " there"]

    assert default_redactor().redact_joined(parts) == ("here [REDACTED:private-key]", "", "", "", " there")


@pytest.mark.req("safety.redact-joined")
def test_a_secret_over_two_parts_leaves_its_mark_in_the_first():
    redactor = default_redactor()

    assert redactor.redact_joined(["a", TOKEN]) == ("a", TOKEN)
    assert redactor.redact_joined([f"one {TOKEN[:20]}", f"{TOKEN[20:]} two"]) == ("one [REDACTED:github-token]", " two")
