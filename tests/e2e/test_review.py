"""The review in a real terminal, and by two processes at once."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios

import pytest

from perdure.app import open_app
from perdure.domain import drafts
from perdure.domain.access import Reader
from perdure.domain.memory import LATEST, handle
from perdure.domain.proposal import Action, Member, Proposal, Standing
from perdure.testing.fakes import START, Scribe, SequentialIds, draft, statement

pytestmark = pytest.mark.req("review.interactive")

ANA = Reader("ana")
STYLE = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE_S = 30.0
SAID = [(f"Berth {number} is free on most days", f"Berth {number} is free on few days") for number in range(4)]


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, machine, *arguments, columns):
        self.master, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "perdure", *arguments],
            env=machine.environment | {"TERM": "xterm", "PERDURE_AUTHOR": "ana"},
            cwd=machine.work,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self.shown = ""
        self.read = 0

    def _more(self):
        """Wait for output; False where there will be no more."""
        ready, _, _ = select.select([self.master], [], [], PATIENCE_S)
        assert ready, f"nothing came after: {self.shown}"
        try:
            data = os.read(self.master, 65_536)
        except OSError:  # how Linux says that the other end is closed
            return False
        self.shown += data.decode()
        return bool(data)

    def until(self, text):
        """What was shown since the last time, up to a text."""
        while text not in self.shown[self.read :]:
            assert self._more(), f"{text!r} is not in: {self.shown}"
        start, self.read = self.read, self.shown.index(text, self.read) + len(text)
        return STYLE.sub("", self.shown[start : self.read]).replace("\r\n", "\n")

    def press(self, key):
        """Type a key once the program listens for single keys; what is typed before that is dropped."""
        while termios.tcgetattr(self.master)[3] & termios.ICANON:
            select.select([], [], [], 0.005)
        os.write(self.master, key.encode())

    def close(self):
        """End the command, whatever it does."""
        os.close(self.master)
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def rest(self):
        """What is shown up to the end, and the exit code."""
        while self._more():
            pass
        code = self.process.wait(PATIENCE_S)
        return STYLE.sub("", self.shown[self.read :]).replace("\r\n", "\n"), code


@pytest.fixture
def opened(ready):
    """Run perdure review in a terminal of so many columns."""
    with contextlib.ExitStack() as terminals:

        def run(columns=80):
            return terminals.enter_context(contextlib.closing(Terminal(ready, "review", columns=columns)))

        yield run


@pytest.fixture
def asked(ready):
    """Four corrections that may be meant; gives their names and those of their members."""
    scribe, ids = Scribe(after=0xABC0), SequentialIds(after=0xDEF0)
    found = []
    with open_app(ready.environment).store.unit(ANA, write=True) as unit:
        for number, pair in enumerate(SAID):
            entries = [scribe.add(unit, statement(words, valid_from=START)) for words in pair]
            members = tuple(Member(each.memory.id, each.revision.id) for each in entries)
            name = unit.proposals.put(
                Proposal(ids.new(), "ana", Action.SUPERSEDE, members, 0.9 - number / 10, "Both tell of a berth.", START)
            )
            found.append((name, *(each.memory.id for each in entries)))
    return found


def standings(machine, asked):
    with open_app(machine.environment).store.unit(ANA) as unit:
        return [unit.proposals.get(name).standing for name, *_members in asked]


def states(machine, *memories):
    with open_app(machine.environment).store.unit(ANA) as unit:
        return [unit.memories.get(name, LATEST).revision.statement.state.value for name in memories]


def test_proposals_are_decided_one_after_the_other_by_single_keys(ready, asked, opened):
    terminal = opened()

    name, old, new = map(handle, asked[0])
    assert terminal.until("(q)uit ") == (
        "\n"
        f"{name}  supersede, 0.90 sure, found 2024-10-04\n"
        "  Both tell of a berth.\n"
        f"  {old}  2024-10-04  ana\n"
        "  - Berth 0 is free on most days\n"
        f"  {new}  2024-10-04  ana\n"
        "  + Berth 0 is free on few days\n"
        "  1 of 4: (a)pprove (r)eject (s)kip (q)uit "
    )
    terminal.press("x")
    terminal.until("a, r, s or q? ")
    terminal.press("a")
    assert terminal.until("2 of 4: ").startswith(f"a\n  done. {old} gave way to {new}.\n")
    terminal.press("R")
    terminal.until("3 of 4: ")
    terminal.press("s")
    terminal.until("4 of 4: ")
    terminal.press("q")

    told, code = terminal.rest()
    assert (told.partition("q\n")[2], code) == (
        "\n1 approved, 1 rejected, 1 skipped. 2 still wait.\nTake the last approval back: perdure undo\n",
        0,
    )
    assert standings(ready, asked) == [Standing.APPROVED, Standing.REJECTED, Standing.PENDING, Standing.PENDING]
    assert states(ready, *asked[0][1:], *asked[1][1:]) == ["superseded", "active", "active", "active"]

    ready.perdure("undo")
    assert states(ready, *asked[0][1:]) == ["active", "active"]
    again = opened()
    assert "Berth 2" in again.until("1 of 2: ")
    again.press("r")
    again.until("2 of 2: ")
    again.press("r")
    assert again.rest() == ("(a)pprove (r)eject (s)kip (q)uit r\n\n2 rejected. Nothing waits any more.\n", 0)
    assert opened().rest() == ("Nothing waits for you.\n", 0)


@pytest.mark.parametrize(("key", "code", "says"), [("\x04", 0, ""), ("\x03", 130, "Stopped.\n")])
def test_who_leaves_in_the_middle_keeps_what_is_done(ready, asked, opened, key, code, says):
    terminal = opened()
    terminal.until("1 of 4: ")
    terminal.press("a")
    terminal.until("2 of 4: ")
    terminal.press(key)

    told, left = terminal.rest()
    assert left == code
    assert "1 approved. 3 still wait.\n" in told
    assert says in told
    assert "Traceback" not in told
    assert standings(ready, asked) == [Standing.APPROVED] + [Standing.PENDING] * 3


@pytest.mark.req("review.stale")
def test_what_changes_while_it_is_looked_at_is_not_applied(ready, asked, opened):
    terminal = opened()
    terminal.until("1 of 4: ")
    ready.perdure("pin", asked[0][1])
    terminal.press("a")
    assert (
        f"{handle(asked[0][1])} was changed since this was proposed. The proposal is stale, and was not applied.\n"
        in terminal.until("2 of 4: ")
    )
    ready.perdure("review", "reject", asked[1][0])
    terminal.press("a")
    assert f"Proposal {handle(asked[1][0])} is rejected already.\n" in terminal.until("3 of 4: ")
    ready.perdure("review", "reject", asked[3][0])
    terminal.press("s")

    assert "\n1 skipped, 2 not applied. 1 still wait.\n" in terminal.rest()[0]
    assert states(ready, *asked[0][1:], *asked[1][1:]) == ["active"] * 4


def test_in_a_narrow_terminal_lines_are_broken_between_words_and_marked(ready, opened):
    words = "The pier is closed to every kind of ferry "
    with open_app(ready.environment).store.unit(ANA, write=True) as unit:
        entry = Scribe().add(unit, statement(f"{words}on Sundays", valid_from=START))
        members = (Member(entry.memory.id, entry.revision.id),)
        told = drafts.to_json(draft(f"{words}on\x1b[2J Mondays 漢字漢字漢字漢字漢字漢字漢字漢字"))
        unit.proposals.put(Proposal(SequentialIds().new(), "ana", Action.REPEAT, members, 0.5, "", START, told))
    terminal = opened(32)
    shown = terminal.until("1 of 1: ")
    marked = terminal.shown
    terminal.press("q")
    terminal.rest()

    assert [line for line in shown.splitlines() if line[:3] in {"  -", "  +"}] == [
        "  - The pier is closed to every",
        "  - kind of ferry on Sundays",
        "  + The pier is closed to every",
        "  + kind of ferry on Mondays 漢",
        "  + 字漢字漢字漢字漢字漢字漢字漢",
        "  + 字",
    ]
    assert "\x1b[31mSundays\x1b[0m" in marked
    assert "\x1b[32mMondays\x1b[0m" in marked
    assert "\x1b[2J" not in marked


@pytest.mark.req("review.once")
def test_of_two_processes_that_approve_at_once_one_does(ready, asked):
    command = [sys.executable, "-m", "perdure", "review", "approve", *(name for name, *_members in asked), "--json"]
    running = [
        subprocess.Popen(command, env=ready.environment, cwd=ready.work, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=PATIENCE_S)[0] for process in running]

    outcomes = sorted(re.findall(r'"outcome": "(\w+)"', "".join(answers)))
    assert outcomes == ["error"] * len(asked) + ["written"] * len(asked)
    assert answers[0].count('"Conflict"') + answers[1].count('"Conflict"') == len(asked)
    assert standings(ready, asked) == [Standing.APPROVED] * len(asked)
    with open_app(ready.environment).store.unit(ANA) as unit:
        assert [len(unit.memories.history(old)) for _name, old, _new in asked] == [2] * len(asked)
