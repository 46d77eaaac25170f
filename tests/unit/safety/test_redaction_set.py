"""The labelled set of the benchmark, held to its targets on other dice than the benchmark throws."""

from __future__ import annotations

import pytest

from benchmarks.redaction_benign import benign
from benchmarks.redaction_set import contexts, kinds, secrets
from perdure.safety.redaction import Redactor, default_redactor
from tools import compile_rules

pytestmark = pytest.mark.req("safety.redaction-targets")

SEED = 77


def leaks(redactor, sample):
    cleaned = redactor.clean(sample.text)
    return any(piece in cleaned for piece in sample.pieces)


def test_the_set_has_sixty_kinds_in_thirty_contexts_and_half_of_them_quiet():
    assert len(kinds()) >= 60
    assert len(contexts()) == 30
    assert sum(name.startswith("quiet") for name in contexts()) == 15


def test_at_most_one_secret_in_a_hundred_leaks():
    samples = list(secrets(SEED))
    leaked = [f"{sample.kind}: {sample.text}" for sample in samples if leaks(default_redactor(), sample)]

    assert len(leaked) <= len(samples) // 100, leaked


def test_no_text_without_a_secret_is_damaged():
    assert [sample.text for sample in benign(SEED, 2) if default_redactor().clean(sample.text) != sample.text] == []


def test_the_set_can_tell_a_weaker_engine():
    public = Redactor(compile_rules.read("gitleaks", superseded=True))
    samples = list(secrets(SEED))[::5]

    assert sum(leaks(public, sample) for sample in samples) > len(samples) // 4
    assert sum(leaks(Redactor(()), sample) for sample in samples) == len(samples)
