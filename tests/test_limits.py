from __future__ import annotations

from pathlib import Path

import pytest

from tools import limits

SOURCE = Path(__file__).parent.parent / "src"

BORDERS = ["perdure/hook.py", "perdure/mcp/tools.py", "perdure/services/work.py", "perdure/web/errors.py"]

CATCHES = {
    "a named Exception": "try:\n    f()\nexcept Exception:\n    pass\n",
    "a bare except": "try:\n    f()\nexcept:\n    pass\n",
    "one kind among several": "try:\n    f()\nexcept (OSError, Exception):\n    pass\n",
    "through its module": "import builtins\ntry:\n    f()\nexcept builtins.Exception:\n    pass\n",
    "a suppress block": "import contextlib\nwith contextlib.suppress(Exception):\n    f()\n",
    "BaseException that goes on": "try:\n    f()\nexcept BaseException:\n    g()\n",
    "Exception raised again": "try:\n    f()\nexcept Exception:\n    raise\n",
    "BaseException as another": "try:\n    f()\nexcept BaseException as e:\n    raise OSError from e\n",
}


def put(root: Path, place: str, text: str) -> None:
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.req("house.limits")
def test_the_package_keeps_its_limits_and_borders():
    assert limits.problems(SOURCE) == []
    assert any(SOURCE.rglob("*.py"))


@pytest.mark.req("house.borders")
def test_there_are_four_borders():
    assert sorted(limits.BORDERS) == BORDERS


@pytest.mark.req("house.limits")
@pytest.mark.parametrize("suffix", ["py", "sql"])
def test_a_file_of_one_line_too_many_is_named(tmp_path, suffix):
    put(tmp_path, f"perdure/good.{suffix}", "--1\n" * 400)
    put(tmp_path, f"perdure/bad.{suffix}", "--1\n" * 401)

    assert limits.problems(tmp_path) == [f"perdure/bad.{suffix}:1: has 401 lines, over 400"]


@pytest.mark.req("house.limits")
@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_function_of_one_line_too_many_is_named(tmp_path, kind):
    good = f"{kind} good():\n" + "    f()\n" * 59
    bad = f"@decorated\n{kind} bad():\n" + "    f()\n" * 60
    put(tmp_path, "perdure/a.py", good + bad)

    assert limits.problems(tmp_path) == ["perdure/a.py:62: bad has 61 lines, over 60"]


@pytest.mark.req("house.limits")
def test_a_method_of_a_nested_class_is_measured_too(tmp_path):
    put(tmp_path, "perdure/a.py", "class A:\n class B:\n  def bad(self):\n" + "   f()\n" * 60)

    assert limits.problems(tmp_path) == ["perdure/a.py:3: bad has 61 lines, over 60"]


@pytest.mark.req("house.borders")
@pytest.mark.parametrize("text", CATCHES.values(), ids=CATCHES)
def test_catching_every_error_is_named_away_from_the_borders(tmp_path, text):
    put(tmp_path, "perdure/store/a.py", text)

    (problem,) = limits.problems(tmp_path)
    assert problem.startswith("perdure/store/a.py:")
    assert problem.endswith(": catches every error, away from the borders")


@pytest.mark.req("house.borders")
def test_a_handler_that_cleans_up_and_raises_again_catches_nothing(tmp_path):
    put(tmp_path, "perdure/a.py", "try:\n    f()\nexcept BaseException:\n    g()\n    raise\n")

    assert limits.problems(tmp_path) == []


@pytest.mark.req("house.borders")
def test_a_handler_that_says_what_it_expects_is_welcome(tmp_path):
    put(tmp_path, "perdure/a.py", "try:\n    f()\nexcept (OSError, errors.Busy):\n    g()\n")

    assert limits.problems(tmp_path) == []


@pytest.mark.req("house.borders")
@pytest.mark.parametrize("border", BORDERS)
def test_a_border_has_one_such_handler_and_no_second(tmp_path, border):
    handler = CATCHES["a named Exception"]
    put(tmp_path, border, handler)
    assert limits.problems(tmp_path) == []

    put(tmp_path, border, handler + handler)
    assert limits.problems(tmp_path) == [f"{border}:7: catches every error, away from the borders"]


@pytest.mark.req("house.limits")
def test_the_command_prints_what_is_wrong_and_fails(tmp_path, capsys):
    assert limits.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""

    put(tmp_path, "perdure/a.py", CATCHES["a bare except"])
    assert limits.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == "perdure/a.py:3: catches every error, away from the borders\n"
