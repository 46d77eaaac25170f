from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from perdure import config
from perdure.cli import COMMANDS, perdure
from tools.docs import PAGES, ROOT

pytestmark = pytest.mark.req("docs.true")

PROSE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("name", PAGES)
def test_pages_made_from_the_code_are_up_to_date(name):
    assert (ROOT / name).read_text(encoding="utf-8") == PAGES[name](), "run: python -m tools.docs"


def test_pages_are_the_same_whatever_was_asked_of_the_commands_before():
    for name in COMMANDS:
        CliRunner().invoke(perdure, [name, "--help"])

    assert PAGES["docs/COMMANDS.md"]() == (ROOT / "docs/COMMANDS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_every_link_of_a_page_leads_to_a_file(path):
    links = re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8"))

    assert [link for link in links if "://" not in link and not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_every_command_that_a_page_shows_is_one(path):
    shown = set(re.findall(r"(?:^ {4,}|`)perdure ([a-z][a-z-]*)", path.read_text(encoding="utf-8"), re.MULTILINE))

    assert shown - set(COMMANDS) == set()


def test_every_setting_is_read_somewhere():
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "src" / "perdure").rglob("*.py")]
    read = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

    assert [key for key, _field in config.declared() if key.rpartition(".")[2] not in read] == []


def test_every_setting_says_what_it_does():
    assert [key for key, field in config.declared() if not field.description] == []


def test_the_readme_s_first_screen_shows_the_way_from_nothing_to_an_answer():
    lines = [line.strip() for line in Path(ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:12]]

    assert [line.split("#")[0].strip() for line in lines if line.startswith(("pip", "perdure"))] == [
        "pip install .",
        "perdure init",
        "perdure hosts install claude-code",
        "perdure import claude-code --all",
        'perdure recall --everywhere "what did we decide about retries?"',
    ]
