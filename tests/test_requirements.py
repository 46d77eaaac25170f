from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.requirements import Requirement, load, merge
from tools import promises

pytestmark = pytest.mark.req("house.promises")

TESTS = Path(__file__).parent


def test_every_promise_has_a_test_and_every_test_names_a_promise(tmp_path):
    collected = promises.collect(TESTS, tmp_path / "collected.json")

    assert promises.problems(load(), collected) == []
    assert "tests/test_requirements.py::test_an_area_keeps_to_its_own_ids" in collected


def test_a_promise_is_a_sentence_with_a_source_and_a_plain_id():
    for name, requirement in load().items():
        assert re.fullmatch(r"[a-z_]+\.[a-z0-9]+(-[a-z0-9]+)*", name)
        assert re.fullmatch(r"\S.*\S\.", requirement.text), name
        assert requirement.source.strip(), name


def test_an_area_keeps_to_its_own_ids():
    promise = Requirement("It holds.", "here")

    assert merge([("a", {"a.x": promise}), ("b", {"b.x": promise})]) == {"a.x": promise, "b.x": promise}
    with pytest.raises(ValueError, match=r"^a\.y stands in b\.py, where ids begin with b\.$"):
        merge([("a", {"a.x": promise}), ("b", {"a.y": promise})])


def test_each_way_of_falling_apart_is_named():
    tests = {"t.py::held": ["a.held"], "t.py::idle": [], "t.py::odd": ["a.held", "a.odd"]}

    assert promises.problems(["a.held", "a.open"], tests) == [
        "t.py::idle names no promise",
        "t.py::odd names a.odd, which tests/requirements does not know",
        "a.open has no test",
    ]


def test_markers_are_read_as_pytest_sees_them(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = req\n")
    (tmp_path / "test_sample.py").write_text(
        "import pytest\n"
        "class Suite:\n"
        "    @pytest.mark.req('a.inherited')\n"
        "    def test_inherited(self): raise AssertionError('never run')\n"
        "@pytest.mark.req('a.class')\n"
        "class TestAdapter(Suite): pass\n"
        "@pytest.mark.parametrize('x', [1, pytest.param(2, marks=pytest.mark.req('a.parameter'))])\n"
        "def test_parameters(x): pass\n"
        "@pytest.mark.req('a.first', 'a.second')\n"
        "def test_several(): pass\n"
        "def test_none(): pass\n"
    )

    assert promises.collect(tmp_path, tmp_path / "collected.json") == {
        "test_sample.py::TestAdapter::test_inherited": ["a.class", "a.inherited"],
        "test_sample.py::test_parameters": ["a.parameter"],
        "test_sample.py::test_several": ["a.first", "a.second"],
        "test_sample.py::test_none": [],
    }


def test_a_test_file_that_cannot_be_imported_is_no_empty_collection(tmp_path):
    (tmp_path / "test_broken.py").write_text("import nothing_of_this_name\n")

    with pytest.raises(RuntimeError, match="nothing_of_this_name"):
        promises.collect(tmp_path, tmp_path / "collected.json")
