"""The rules as data: what ships is what the sources make, and each source is sound."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perdure.safety import _rules
from perdure.safety.prefilter import Prefilter, lowered, placement, shadow
from perdure.safety.redaction import Redactor
from perdure.safety.rulebook import CHECKS
from tools import compile_rules

pytestmark = pytest.mark.req("safety.rules")

RULES = Path(_rules.__file__).parent / "rules"
ROWS = [*_rules.CONTEXT, *_rules.VENDORS, *_rules.GITLEAKS]


def test_the_module_is_what_the_sources_make():
    assert Path(_rules.__file__).read_text(encoding="utf-8") == compile_rules.render()
    assert compile_rules.main(["--check"]) == 0


def test_a_module_that_is_not_is_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(compile_rules, "TARGET", tmp_path / "_rules.py")

    assert compile_rules.main(["--check"]) == 1
    assert compile_rules.main([]) == 0
    assert compile_rules.main(["--check"]) == 0
    assert "python -m tools.compile_rules" in capsys.readouterr().out


def test_rules_made_by_others_stand_beside_their_licence():
    licence = (RULES / "gitleaks.LICENSE").read_text(encoding="utf-8")

    assert "MIT License" in licence
    assert "Copyright (c) 2019 Zachary Rice" in licence


def test_every_expression_compiles_and_every_check_exists():
    for kind, form, gates, anchors, expression, follow, _, called, back, _, check in ROWS:
        for anchor in anchors or ("",):
            re.compile((re.escape(anchor) if form != "back" else "") + expression)
            re.compile(re.escape(anchor) + follow)
        assert check in CHECKS, kind
        assert gates, kind
        assert (form == "back") == (back > 0), kind
        assert called == ({gate[0] for gate in gates} != {anchor.lower() for anchor in anchors}), kind


def test_the_public_rules_alone_miss_what_ours_find():
    public = Redactor(_rules.GITLEAKS)

    assert public.clean("mysql -pMeadow58!x and the password is hunter2!x") == (
        "mysql -pMeadow58!x and the password is hunter2!x"
    )
    assert public.clean("ghp_" + "a1B2c3D4e5F6" * 3) == "[REDACTED:github-pat]"


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        ({"id": "a", "prefix": ["a-"], "body": "("}, "missing \\)"),
        ({"id": "a", "prefix": ["a-"], "body": "b", "oddly": 1}, "unknown fields \\['oddly'\\]"),
        ({"id": "a", "begin": ["A"], "regex": "b"}, "'A' is looked for in lower case"),
    ],
)
def test_a_broken_rule_never_ships(rule, error):
    with pytest.raises(ValueError, match=error):
        compile_rules.row(rule, "context")


def test_a_list_that_is_none_is_named():
    with pytest.raises(TypeError, match="prefix is a list"):
        compile_rules.row({"id": "a", "prefix": "a-", "body": "b"}, "vendors")


@pytest.mark.parametrize(
    ("keyword", "begins", "place"),
    [
        ("ghp_", True, ("whole", "ghp")),
        ("ghp_", False, ("within", "ghp")),
        ("akia", True, ("begins", "akia")),
        ("new-relic", False, ("begins", "relic")),
        ("set -x ", True, ("whole", "set x")),
        ("://", True, ("plain", "://")),
        ("пароль", False, ("foreign", "пароль")),
        ("sk", True, ("within", "sk")),
    ],
)
def test_a_keyword_is_looked_for_where_it_tells_most(keyword, begins, place):
    assert placement(keyword, begins=begins) == place


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a ghp_x", {0: ["ghp_"]}),
        ("a\\nghp_x", {0: ["ghp_"]}),
        ("a%3Dghp_x", {0: ["ghp_"]}),
        ("a ghp x", {}),
        ("AKIA7", {1: ["akia"]}),
        ("myPASSword", {2: ["pass"]}),
        ("мой Пароль", {2: ["пароль"]}),
        ("İ AKIA7", {1: ["akia"]}),
    ],
)
def test_only_rules_whose_keyword_occurs_are_run(text, found):
    index = Prefilter(
        [
            (0, [("ghp_", "whole", "ghp")]),
            (1, [("akia", "begins", "akia")]),
            (2, [("pass", "within", "pass"), ("пароль", "foreign", "пароль")]),
        ]
    )

    assert index.hits(lowered(text)) == found


def test_lower_case_and_shadow_keep_every_character_in_its_place():
    text = "İstanbul ΑΣ Straße 密码 😀"

    assert [len(lowered(text)), len(shadow(text))] == [len(text), len(text)]
    assert shadow(text) == "?stanbul ?? Stra?e ?? ?"
    assert shadow("plain") == "plain"
