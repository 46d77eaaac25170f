"""Make ``perdure/safety/_rules.py`` from the rules in TOML: ``python -m tools.compile_rules [--check]``.

The module is what a hook loads, so it holds nothing but tuples and strings, which Python stores ready-made.
Every expression is compiled once here, so that a broken one never ships.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from perdure.safety.prefilter import placement

SAFETY = Path(__file__).parent.parent / "src" / "perdure" / "safety"
TARGET = SAFETY / "_rules.py"
# The order is the order of precedence where two rules claim the same stretch.
SOURCES = ("context", "vendors", "gitleaks")
FIELDS = frozenset(
    {"id", "near", "value", "prefix", "body", "delimited", "keywords", "regex", "back", "entropy", "check"}
    | {"begin", "follow", "cased", "superseded"}
)

HEADER = '''"""Rules compiled from the TOML files beside this one by tools/compile_rules.py: do not edit."""

# ruff: noqa: E501, Q000
# fmt: off
from __future__ import annotations

# Of each rule: kind, form, keywords that call for it with where they are looked for, strings it begins with,
# expression, what must follow the string, whether it runs over the text as written, whether keywords other than
# those strings call for it, characters to step back, least entropy, check.
'''
NEAR = r"""[ \t\w.-]{0,20}+[\s'"\\]{0,4}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=\\]{0,5}(VALUE)(?:[`'"\s;,]|\\[nr"]|$)"""
DELIMITED = r"""(?:[`'"\s;]|\\[nr"]|$)"""

# The checks whose keywords may stand inside a word.
INSIDE = frozenset({"assignment", "foreign"})

Gate = tuple[str, str, str]
Row = tuple[str, str, tuple[Gate, ...], tuple[str, ...], str, str, bool, bool, int, float, str]


def _listed(rule: dict[str, object], field: str) -> tuple[str, ...]:
    value = rule.get(field, ())
    if not isinstance(value, list | tuple):
        raise TypeError(f"{rule.get('id')}: {field} is a list")
    return tuple(map(str, value))


def _form(rule: dict[str, object]) -> tuple[str, tuple[str, ...], str]:
    """Form, strings it begins with and expression of one rule."""
    if "near" in rule:
        return "near", _listed(rule, "near"), NEAR.replace("VALUE", str(rule["value"]))
    if "prefix" in rule:
        body = str(rule["body"])
        return "prefix", _listed(rule, "prefix"), f"(?:{body})(?={DELIMITED})" if "delimited" in rule else body
    if "back" in rule:
        return "back", _listed(rule, "begin"), str(rule["regex"])
    return ("begin" if "begin" in rule else "regex"), _listed(rule, "begin"), str(rule["regex"])


def row(rule: dict[str, object], source: str) -> Row:
    """One rule as the module has it; ``ValueError`` where it is malformed."""
    name = f"{source}: {rule.get('id')}"
    if unknown := set(rule) - FIELDS:
        raise ValueError(f"{name} has unknown fields {sorted(unknown)}")
    form, anchors, expression = _form(rule)
    follow = str(rule.get("follow", ""))
    cased = form in {"prefix", "back"} or (source != "context" and form != "near") or bool(rule.get("cased"))
    keywords = _listed(rule, "keywords") or tuple(anchor.lower() for anchor in anchors)
    for anchor in anchors or ("",):
        try:
            re.compile((re.escape(anchor) if form != "back" else "") + expression)
            re.compile(re.escape(anchor) + follow)
        except re.error as error:
            raise ValueError(f"{name}: {error}") from error
        if not cased and anchor != anchor.lower():
            raise ValueError(f"{name}: {anchor!r} is looked for in lower case")
    usual = "near" if form == "near" else "entropy" if source == "gitleaks" else "token"
    check = str(rule.get("check", usual))
    begins = form in {"prefix", "near"} or (form == "begin" and check not in INSIDE)
    gates = tuple((keyword, *placement(keyword, begins=begins)) for keyword in keywords)
    numbers = int(str(rule.get("back", 0))), float(str(rule.get("entropy", 0)))
    return (str(rule["id"]), form, gates, anchors, expression, follow, cased, "keywords" in rule, *numbers, check)


def read(source: str, *, superseded: bool = False) -> tuple[Row, ...]:
    """The rules of one TOML file, without those that our own supersede unless asked for."""
    document = tomllib.loads((SAFETY / "rules" / f"{source}.toml").read_text(encoding="utf-8"))
    rules = document["rules"]
    return tuple(row(rule, source) for rule in rules if superseded or not rule.get("superseded"))


def words() -> dict[str, tuple[str, ...]]:
    """The lists of words by name."""
    document = tomllib.loads((SAFETY / "rules" / "context.toml").read_text(encoding="utf-8"))
    return {name: tuple(listed) for name, listed in document["words"].items()}


def render() -> str:
    """The text of the module."""
    parts = [HEADER]
    parts += [f"{source.upper()} = {read(source)!r}\n" for source in SOURCES]
    parts += [f"{name.upper()} = {listed!r}\n" for name, listed in words().items()]
    return "".join(parts)


def main(arguments: list[str]) -> int:
    """Write the module, or with ``--check`` say whether it is what the sources make."""
    text = render()
    if "--check" in arguments:
        current = TARGET.read_text(encoding="utf-8") if TARGET.exists() else ""
        if current != text:
            print("src/perdure/safety/_rules.py is not what its sources make: python -m tools.compile_rules")
            return 1
        return 0
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
