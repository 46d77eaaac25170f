from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys

import pytest

from perdure.app import LAUNCHER, open_app
from perdure.hosts.claude_code import installer

SECRET = "ghp_" + "n0tReal9PerdureTest0nlyQw7ZxK2mVb4X7"


class Machine:
    """A user's machine: a home, an agent host with settings and transcripts, and real processes."""

    def __init__(self, home, work):
        self.home = home
        self.memory = home / ".perdure"
        self.work = work
        own = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
        told = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C", "GIT_CONFIG_NOSYSTEM": "1"}
        self.environment = own | told

    def run(self, *arguments, cwd=None, stdin=None, **environment):
        return subprocess.run(
            [sys.executable, "-m", "perdure", *arguments],
            env=self.environment | environment,
            cwd=cwd or self.work,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )

    def perdure(self, *arguments, cwd=None, code=0, stdin=None, **environment):
        done = self.run(*arguments, cwd=cwd, stdin=stdin, **environment)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), (done.stdout, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def json(self, *arguments, **more):
        return json.loads(self.perdure(*arguments, "--json", **more))

    def set_up(self):
        """What init and hosts install do, in this process, since most tests begin here."""
        usual = os.umask(0o077)  # as the command does
        app = open_app(self.environment, {"author": "ana"})
        app.create()
        installer.install(str(self.settings), app.path(LAUNCHER), app.path("hosts", "claude-code"))
        os.umask(usual)
        return self

    @property
    def settings(self):
        return self.home / ".claude" / "settings.json"

    def hook(self, event, payload, **environment):
        """Run the command of the settings file as the host does, and return the context it gives."""
        line = json.loads(self.settings.read_text())["hooks"][event][0]["hooks"][0]["command"]
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        done = subprocess.run(
            ["/bin/sh", "-c", line], env=self.environment | environment, input=data, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        if not done.stdout:
            return ""
        told = json.loads(done.stdout)["hookSpecificOutput"]
        assert told["hookEventName"] == event
        return told["additionalContext"]

    def settle(self):
        """Wait until no worker runs and nothing waits."""
        self.perdure("work")
        with open(self.memory / "work.lock", "a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
        return self.perdure("work")

    def session(self, name, cwd=None):
        return Session(self, name, str(cwd or self.work))


class Session:
    """A session of the host: it writes its transcript and fires its events."""

    def __init__(self, machine, name, cwd):
        self.machine, self.name, self.cwd, self.count = machine, name, cwd, 0
        folder = machine.home / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in cwd)
        folder.mkdir(parents=True, exist_ok=True)
        self.transcript = folder / f"{name}.jsonl"

    def fire(self, event, **more):
        common = {"session_id": self.name, "transcript_path": str(self.transcript), "cwd": self.cwd}
        return self.machine.hook(event, {**common, "hook_event_name": event, **more})

    def say(self, role, text, at="2026-03-01T10:00:00.000Z"):
        self.count += 1
        content = text if role == "user" else [{"type": "text", "text": text}]
        record = {
            "parentUuid": None,
            "isSidechain": False,
            "type": role,
            "message": {"role": role, "id": f"msg_{self.count}", "content": content},
            "uuid": f"{self.name}-{self.count}",
            "timestamp": at,
            "cwd": self.cwd,
            "sessionId": self.name,
            "version": "2.1.332",
        }
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def prompt(self, text, answer="Done."):
        given = self.fire("UserPromptSubmit", prompt=text)
        self.say("user", text)
        self.say("assistant", answer)
        return given


@pytest.fixture
def machine(home, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    return Machine(home, work)


@pytest.fixture
def ready(machine):
    return machine.set_up()
