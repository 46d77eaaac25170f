from __future__ import annotations

import io
import os
import sys

import pytest

from perdure.app import open_app
from perdure.cli import main
from perdure.domain.access import Reader
from perdure.domain.ledger import ProjectRow


class Input:
    """Standard input with some bytes."""

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.fixture
def app(home):
    made = open_app({"HOME": str(home)}, {"author": "ana"})
    made.create()
    with made.store.unit(Reader("ana"), write=True) as unit:
        unit.projects.create(ProjectRow("ferry", "Ferry", 0), ["marker:ferry"])
        unit.projects.admit("ferry", "ben", 0)
    return made


@pytest.fixture
def call(app, monkeypatch, capsys, tmp_path):
    """Run a command in this process; gives its exit code, what it printed, and what it complained of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PERDURE_AUTHOR", "ana")
    monkeypatch.setattr(os, "umask", lambda _mask: 0)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)

    def called(*arguments, data=b""):
        monkeypatch.setattr(sys, "stdin", None if data is None else Input(data))
        with pytest.raises(SystemExit) as left:
            main(arguments)
        printed = capsys.readouterr()
        return left.value.code, printed.out, printed.err

    return called


@pytest.fixture
def rows(app):
    """How many rows there are of what a command may write."""

    def counted():
        tables = ("memory", "revision", "link", "audit", "project", "member")
        ask = "SELECT count(*) FROM "
        return [app.store.connection.execute(ask + name).fetchall() for name in tables]

    return counted
