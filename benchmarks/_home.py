"""A user's machine for a benchmark: a home, a project, an agent's transcripts, and hooks as real processes."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perdure.hook import LEDGER, LOCK, LOG, SPOOL
from perdure.system.spool import DirectorySpool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

AUTHOR = "bench"
HOST = "claude-code"
REMOTE = "https://git.example/acme/harbour.git"
CAPTURES = ("PostToolUse", "Stop", "SubagentStop", "PreCompact", "SessionEnd")
BARE = (sys.executable, "-I", "-S", "-c", "pass")


@dataclass(frozen=True, slots=True)
class Run:
    """How a process ended: exit code (negative for a signal), wall and processor seconds, and what it printed."""

    code: int
    wall: float
    cpu: float
    out: bytes


class Running:
    """A process that was started, with its standard input already written."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], data: bytes = b"") -> None:
        """Start it. ``data`` must fit into a pipe, as hosts' payloads here do."""
        source, feed = os.pipe()
        self._out, sink = os.pipe()
        try:
            os.write(feed, data)
            os.close(feed)
            self._began = time.perf_counter()
            self.pid = os.posix_spawn(
                argv[0],
                list(argv),
                dict(environment),
                file_actions=[(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, sink, 1)],
            )
        finally:
            os.close(source)
            os.close(sink)

    def wait(self) -> Run:
        """Wait for its end. Output must fit into a pipe, as hooks' replies do."""
        _pid, status, usage = os.wait4(self.pid, 0)
        wall = time.perf_counter() - self._began
        os.set_blocking(self._out, False)
        out = b""
        with contextlib.suppress(BlockingIOError):  # a child that it left running may hold the pipe open
            while piece := os.read(self._out, 1 << 16):
                out += piece
        os.close(self._out)
        return Run(os.waitstatus_to_exitcode(status), wall, usage.ru_utime + usage.ru_stime, out)


class Home:
    """One home below ``root`` with a project to work in, made by ``perdure init``."""

    def __init__(self, root: str, ledger: str = "") -> None:
        """Make it; ``ledger`` is the file of a store to begin with."""
        self.root = root
        self.path = os.path.join(root, "home", ".perdure")
        self.work = os.path.join(root, "work")
        self.environment = {
            "HOME": os.path.join(root, "home"),
            "PATH": os.environ.get("PATH", os.defpath),
            "PERDURE_HOME": self.path,
            "LANG": "C.UTF-8",
        }
        os.makedirs(self.environment["HOME"])
        os.makedirs(os.path.join(self.work, ".git", "objects"))
        os.makedirs(os.path.join(self.work, ".git", "refs"))
        with open(os.path.join(self.work, ".git", "HEAD"), "w", encoding="utf-8") as file:
            file.write("ref: refs/heads/main\n")
        with open(os.path.join(self.work, ".git", "config"), "w", encoding="utf-8") as file:
            file.write(f'[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = {REMOTE}\n')
        self.perdure("init", "--author", AUTHOR)
        if ledger:
            shutil.copyfile(ledger, self.ledger)
        self.spool = DirectorySpool(os.path.join(self.path, SPOOL))
        self.launcher = os.path.join(self.path, "bin", "perdure-hook")

    @property
    def ledger(self) -> str:
        """The ledger's file."""
        return os.path.join(self.path, LEDGER)

    def perdure(self, *arguments: str) -> str:
        """Run a command to its end and return what it printed."""
        done = subprocess.run(
            [sys.executable, "-I", "-m", "perdure", *arguments],
            env=self.environment,
            cwd=self.work,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def worker(self) -> Running:
        """Start a worker."""
        return Running([sys.executable, "-I", "-m", "perdure", "work", "--json"], self.environment)

    def payload(self, event: str, session: str, **more: str) -> bytes:
        """What the host writes to the hook's standard input."""
        told = {
            "session_id": session,
            "transcript_path": self.transcript(session),
            "cwd": self.work,
            "hook_event_name": event,
            "permission_mode": "default",
            **EVENTS.get(event, {}),
            **more,
        }
        return json.dumps(told).encode()

    def start_hook(self, event: str, session: str, **more: str) -> Running:
        """Start the hook with an event as the host would."""
        return Running([self.launcher, HOST, event], self.environment, self.payload(event, session, **more))

    def hook(self, event: str, session: str, **more: str) -> Run:
        """Run the hook to its end."""
        return self.start_hook(event, session, **more).wait()

    def bare(self) -> Run:
        """Start the same interpreter for nothing: the baseline of every hook."""
        return Running(BARE, self.environment).wait()

    def transcript(self, session: str) -> str:
        """Where a session's transcript is."""
        return os.path.join(self.root, f"{session}.jsonl")

    def say(self, session: str, uuid: str, text: str, role: str = "user") -> None:
        """Let the agent add a record to a session's transcript."""
        record = {
            "parentUuid": None,
            "isSidechain": False,
            "type": role,
            "message": {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]},
            "uuid": uuid,
            "timestamp": "2026-03-01T10:00:00.000Z",
            "cwd": self.work,
            "sessionId": session,
            "version": "2.1.0",
        }
        with open(self.transcript(session), "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    @contextlib.contextmanager
    def without_worker(self) -> Iterator[None]:
        """Hold the worker's lease, so that no hook starts a worker; first waits for one that runs."""
        with open(os.path.join(self.path, LOCK), "a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def work_off(self) -> None:
        """Run one worker that gets the lease, to its end: it does all that waits."""
        while not self.perdure("work", "--json"):
            with self.without_worker():
                continue

    def empty_spool(self) -> None:
        """Forget what waits, so that each of many measured hooks finds the same spool."""
        self.spool.remove(self.spool.names())

    def log_lines(self) -> list[str]:
        """What hooks complained of."""
        try:
            with open(os.path.join(self.path, LOG), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []


EVENTS: dict[str, dict[str, str]] = {
    "SessionStart": {"source": "startup"},
    "PostToolUse": {"tool_name": "Bash", "tool_use_id": "toolu_01"},
    "SubagentStop": {"agent_id": "a1", "agent_type": "Explore", "agent_transcript_path": "/srv/agent-a1.jsonl"},
    "PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "SessionEnd": {"reason": "other"},
    "Stop": {"last_assistant_message": "Done."},
}
"""What each event carries beside the session; short, since a payload's size is the host's own affair."""


@contextlib.contextmanager
def new_home(ledger: str = "") -> Iterator[Home]:
    """A home that is gone afterwards, without a worker left in it."""
    with tempfile.TemporaryDirectory(prefix="perdure-bench-", ignore_cleanup_errors=True) as root:
        home = Home(root, ledger)
        yield home
        with home.without_worker():
            pass
