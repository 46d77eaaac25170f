from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

import perdure
from tools import wheel

ROOT = Path(__file__).parent.parent


def foreign_sources(lock):
    """Everything a lock file would fetch from that is neither the public index nor this project."""
    found = re.findall(r"[a-z+]+://[^/\"]*|(?:editable|path|directory|virtual) = \"[^\"]*\"", lock)
    return set(found) - {"https://pypi.org", "https://files.pythonhosted.org", 'editable = "."'}


@pytest.mark.req("house.lock")
def test_the_lock_file_names_the_public_index_alone():
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")

    assert 'source = { registry = "https://pypi.org/simple" }' in lock
    assert foreign_sources(lock) == set()


@pytest.mark.req("house.lock")
@pytest.mark.parametrize(
    ("line", "foreign"),
    [
        ('source = { registry = "https://mirror.example/simple" }', "https://mirror.example"),
        ('source = { registry = "file:///srv/wheels" }', "file://"),
        ('source = { path = "../wheels/a.whl" }', 'path = "../wheels/a.whl"'),
        ('source = { editable = "../other" }', 'editable = "../other"'),
    ],
)
def test_another_source_in_a_lock_file_is_seen(line, foreign):
    assert foreign_sources(line) == {foreign}


@pytest.mark.req("house.wheel")
def test_the_tests_see_the_package_they_are_meant_to_see():
    place = Path(perdure.__file__)
    if os.environ.get("PERDURE_TEST_WHEEL"):
        assert "site-packages" in place.parts
        assert [name for name in ("coverage", "mypy", "ruff", "vulture") if find_spec(name)] == []
    else:
        assert place == ROOT / "src" / "perdure" / "__init__.py"


@pytest.mark.req("house.wheel")
def test_a_file_left_out_of_a_wheel_is_named(tmp_path, capsys, monkeypatch):
    package = tmp_path / "src" / "perdure"
    (package / "__pycache__").mkdir(parents=True)
    for name in ("__init__.py", "query.sql", "rules.toml", "__pycache__/a.pyc"):
        (package / name).touch()
    built = tmp_path / "perdure.whl"
    with zipfile.ZipFile(built, "w") as archive:
        archive.writestr("perdure/__init__.py", "")
        archive.writestr("perdure/rules.toml", "")
    monkeypatch.setattr(wheel, "__file__", str(tmp_path / "tools" / "wheel.py"))

    assert wheel.main([str(built)]) == 1
    assert capsys.readouterr().out == f"{built}: lacks perdure/query.sql\n"

    (package / "query.sql").unlink()
    assert wheel.main([str(built)]) == 0


@pytest.mark.req("house.isolation")
def test_a_test_starts_in_an_empty_home(home):
    assert Path.home() == home
    assert list(home.iterdir()) == []
    assert [name for name in os.environ if re.match("PERDURE_(?!TEST_)|GIT_(?!CONFIG_NOSYSTEM)|XDG_", name)] == []


@pytest.mark.req("house.isolation")
@pytest.mark.parametrize(
    "reach",
    [
        lambda: socket.create_connection(("192.0.2.1", 80), timeout=1),
        lambda: socket.create_connection(("example.invalid", 80), timeout=1),
        lambda: socket.getaddrinfo("2001:db8::1", 80),
    ],
    ids=["address", "name", "IPv6"],
)
def test_a_test_that_reaches_for_another_machine_fails(reach):
    with pytest.raises(pytest.fail.Exception, match="tests stay on this machine"):
        reach()


@pytest.mark.req("house.isolation")
def test_a_test_may_talk_to_its_own_machine():
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        assert client.getpeername() == server.getsockname()


OLD = "exit 1"
BARE = 'case "$2" in *ensurepip*) exit 1 ;; *version_info*) exit 0 ;; esac; exit 9'
GOOD = 'case "$1" in --version) echo Python 3.99 ;; -m) exit 42 ;; *) exit 0 ;; esac'

NO_PYTHON = "perdure: no Python 3.11 or later was found; install one, or name one with PYTHON=/path/to/python3."
NO_VENV = (
    "perdure: python3 cannot make virtual environments; install its venv module"
    " (on Debian and Ubuntu: apt install python3-venv)."
)


@pytest.fixture
def set_up(tmp_path):
    """Run the setup script where the given Pythons are all there is."""

    def run(pythons, **environment):
        for name, body in pythons.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
            (tmp_path / name).chmod(0o755)
        (tmp_path / "dirname").symlink_to(shutil.which("dirname"))
        return subprocess.run(
            ["/bin/sh", str(ROOT / "tools" / "setup.sh"), "runtime"],
            env={"PATH": str(tmp_path), "VENV": str(tmp_path / "venv"), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.req("house.setup")
@pytest.mark.parametrize(
    "pythons",
    [
        {"python3": GOOD},
        {"python3": OLD, "python3.12": GOOD},
        {"python3": BARE, "python3.13": OLD, "python3.11": GOOD},
    ],
    ids=["the usual one", "past one that is too old", "past one that makes no environments"],
)
def test_setup_takes_the_first_python_that_fits(set_up, pythons):
    done = set_up(pythons)

    assert (done.returncode, done.stderr) == (42, "")
    assert re.fullmatch("perdure: making .*/venv with Python 3.99\n", done.stdout)


@pytest.mark.req("house.setup")
def test_setup_takes_the_python_that_was_named_before_all_others(set_up):
    assert set_up({"python3": OLD, "mine": GOOD}, PYTHON="mine").returncode == 42


@pytest.mark.req("house.setup")
@pytest.mark.parametrize(
    ("pythons", "sentence"),
    [({}, NO_PYTHON), ({"python3": OLD}, NO_PYTHON), ({"python3": BARE}, NO_VENV)],
    ids=["none", "too old", "no venv"],
)
def test_setup_says_what_to_do_where_no_python_fits(set_up, pythons, sentence):
    done = set_up(pythons)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence + "\n")
