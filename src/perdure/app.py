"""The composition root: from settings to adapters to services. Nothing else constructs an adapter, but the hook."""

from __future__ import annotations

import json
import os
import shlex
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from perdure import config
from perdure.domain.access import Reader
from perdure.domain.errors import NotFound, Refused, UsageError
from perdure.domain.packing import Budget
from perdure.hook import BRIEFINGS, LEDGER, LOCK, LOG, SETTINGS, SPOOL
from perdure.hosts.claude_code import ClaudeCode
from perdure.models import prompting, select
from perdure.models.key import Key
from perdure.safety.redaction import default_redactor
from perdure.services import orders, projects
from perdure.services.capture import Capture
from perdure.services.history import Window
from perdure.services.work import Done, Work, run
from perdure.services.write import NO_AUTHOR, Door
from perdure.store.sqlite import SqliteStore, open_store
from perdure.system import files, process
from perdure.system.clock import Deadline, SystemClock
from perdure.system.ids import SystemIds
from perdure.system.launcher import launcher
from perdure.system.lease import Lease
from perdure.system.spool import DirectorySpool
from perdure.vault.git import Git
from perdure.vault.places import Checkouts, briefing_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from perdure.config import Configuration, Settings
    from perdure.domain.place import Place
    from perdure.ports import Host, Model
    from perdure.safety.redaction import Redactor
    from perdure.services.context import Given

INSTRUCTION_FILES = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md", "GEMINI.md")
CONFIG = config.CONFIG
LAUNCHER = "bin/perdure-hook"


@dataclass(frozen=True)
class App:
    """A home with everything in it, made from its settings. Parts are built when they are first used."""

    configuration: Configuration
    environ: Mapping[str, str]

    @property
    def home(self) -> str:
        """The home directory."""
        return self.configuration.home

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.configuration.settings

    @property
    def author(self) -> str:
        """Who writes. Raises ``NotFound`` without a memory, ``Refused`` where nobody said."""
        if not self.settings.author and not os.path.exists(self.path(SETTINGS)):
            self.require()
        if not self.settings.author:
            raise Refused(NO_AUTHOR)
        return self.settings.author

    def path(self, *parts: str) -> str:
        """A path below the home."""
        return os.path.join(self.home, *parts)

    @cached_property
    def clock(self) -> SystemClock:
        """The clock."""
        return SystemClock()

    @cached_property
    def ids(self) -> SystemIds:
        """The source of names."""
        return SystemIds()

    @cached_property
    def redactor(self) -> Redactor:
        """The redaction engine with the user's own rules."""
        return default_redactor(self.settings.safety.patterns, self.settings.safety.allow)

    def require(self) -> None:
        """Raise ``NotFound`` where ``perdure init`` has not been run."""
        if not os.path.exists(self.path(SETTINGS)):
            raise NotFound(f"There is no memory at {self.home}. Run: perdure init")

    @cached_property
    def store(self) -> SqliteStore:
        """The ledger. Raises ``NotFound`` where ``perdure init`` has not been run."""
        self.require()
        return open_store(self.path(LEDGER))

    @cached_property
    def spool(self) -> DirectorySpool:
        """The hooks' spool."""
        return DirectorySpool(self.path(SPOOL))

    @cached_property
    def checkouts(self) -> Checkouts:
        """The user's repositories."""
        return Checkouts(Git(process.run, self.environ), os.path.expanduser("~"))

    @cached_property
    def hosts(self) -> Mapping[str, Host]:
        """The agent hosts by name."""
        host = ClaudeCode()
        return {host.name: host}

    @cached_property
    def door(self) -> Door:
        """The one door."""
        return Door(self.store, self.clock, self.ids, self.redactor)

    @cached_property
    def capture(self) -> Capture:
        """Capture for this home's author."""
        return Capture(
            self.door,
            self.author,
            self.hosts,
            self.checkouts.locate,
            self.instructions,
            tuple(self.settings.capture.ignore),
        )

    @cached_property
    def work(self) -> Work:
        """The worker's round."""
        chosen = self.settings.capture
        window = Window(chosen.history_months, chosen.history_commits) if chosen.history else None
        budget = Budget(self.settings.briefing.tokens, self.settings.briefing.characters)
        desk = self.desk if self.settings.model.background and self.model_is_configured else None
        return Work(self.capture, self.spool, self.checkouts, window, self.keep_briefing, budget, desk)

    @cached_property
    def wanted(self) -> select.Wanted:
        """What is configured about models, the keys from their variables."""
        chosen = self.settings.model

        def key(own: str, named: str) -> Key:
            return Key(self.environ.get(own) or self.environ.get(named, "") if named else self.environ.get(own, ""))

        try:
            command = tuple(shlex.split(chosen.cmd))
        except ValueError as error:
            raise UsageError(f"model.cmd cannot be read: {error}.") from None
        return select.Wanted(
            backend=chosen.backend,
            url=chosen.url,
            key=key(config.MODEL_KEY, chosen.key_variable),
            anthropic_url=chosen.anthropic_url,
            anthropic_key=key(config.ANTHROPIC_KEY, chosen.anthropic_key_variable),
            ollama_url=chosen.ollama_url,
            command=command,
            models={"default": chosen.roles.default, "small": chosen.roles.small},
            tokens=chosen.question_tokens,
            timeout=chosen.timeout_s,
            variable=chosen.key_variable,
            anthropic_variable=chosen.anthropic_key_variable,
        )

    @property
    def model_is_configured(self) -> bool:
        """Whether any backend of a model is."""
        return select.backend_of(self.wanted) != select.NONE

    def model(self, role: str) -> Model | None:
        """The model of a role, None where none is configured. Raises ``ModelUnavailable`` for one that is by half."""
        return select.model_for(self.wanted, role, select.Means(self.environ, process.run, Deadline))

    @cached_property
    def desk(self) -> orders.Desk:
        """Where work orders are asked and answered."""
        chosen = self.settings.model
        return orders.Desk(
            self.door,
            self.author,
            self.model,
            prompting.render,
            chosen.question_tokens,
            chosen.daily_tokens,
            chosen.timeout_s,
        )

    def instructions(self, directory: str) -> str:
        """The text of a directory's instruction files, so that what only restates them is not kept."""
        texts = (files.read_text(os.path.join(directory, name)) for name in INSTRUCTION_FILES)
        return "\n".join(text for text in texts if text)

    def keep_briefing(self, keys: list[str], given: Given) -> None:
        """Store the briefing that a hook falls back to."""
        for key in keys:
            told = {"author": self.author, "key": key, "text": given.text, "memories": list(given.memories)}
            files.replace_text(self.path(BRIEFINGS, briefing_name(key)), json.dumps(told, ensure_ascii=False))

    def place(self, directory: str) -> Place | None:
        """The project that a directory belongs to, its marker checked."""
        place = self.checkouts.locate(directory)
        if place is not None:
            config.check_marker(place.root)
        return place

    def reader(self, directory: str, *, project: str | None = None, join: bool = False) -> Reader:
        """The author asking in a directory's project, or in the project named.

        With ``join`` the directory's project is recorded if it isn't known yet. Raises ``NotFound`` for a project that
        is named and isn't known.
        """
        asking = Reader(self.author)
        place = self.place(directory) if project is None else None
        with self.store.unit(asking, write=join) as unit:
            if project is not None:
                named = project.casefold()
                known = [row.slug for row in unit.projects.all() if named in {row.slug.casefold(), row.name.casefold()}]
                if not known and named:
                    raise NotFound(f"There is no project '{project}'. See: perdure status")
                slug = known[0] if known else ""
            elif join:
                slug = projects.ensure(unit.projects, place, self.author, self.clock.now())
            else:
                found = projects.find(unit.projects, place)
                slug = found.slug if found else ""
            return Reader(self.author, unit.projects.of(self.author), slug)

    def run_worker(self, step: Callable[[int], None] | None = None, handed: int = -1) -> Done | None:
        """Do all that waits; None where another worker is at it.

        What arrives while the lease is given back is seen by the look after it. ``step`` is told the bytes read;
        ``handed`` is the descriptor of a lease that a hook took for us.
        """
        self.require()
        done: Done | None = None
        lease = Lease(self.path(LOCK))
        held = handed >= 0 and lease.adopt(handed)
        while held or lease.take():
            held = False
            try:
                self.compile_hook_settings()
                latest = run(self.work, step)
            finally:
                lease.release()
            done = latest if done is None else _joined(done, latest)
            if not self.spool.names():
                break
        return done

    def worker_command(self) -> list[str]:
        """How a hook starts a worker."""
        return [sys.executable, "-I", "-m", "perdure", "work", "--detached"]

    def compile_hook_settings(self) -> None:
        """Bring ``hook.json`` and the hook's launcher in step with the settings and this installation."""
        told = json.dumps(config.for_hook(self.configuration, self.worker_command()), indent=1, sort_keys=True)
        for path, text, mode in (
            (self.path(SETTINGS), told, files.PRIVATE_FILE),
            (self.path(LAUNCHER), launcher(), files.PROGRAM),
        ):
            if files.read_text(path) != text:
                files.replace_text(path, text, mode)

    def create(self) -> list[str]:
        """Make the home with all that belongs in it, and name what was made. What is there stays as it is."""
        made = [] if os.path.isdir(self.home) else [self.home]
        os.makedirs(self.home, files.PRIVATE_DIRECTORY, exist_ok=True)
        os.chmod(self.home, files.PRIVATE_DIRECTORY)
        if not os.path.exists(self.path(CONFIG)):
            files.replace_text(self.path(CONFIG), config.template(self.author))
            made.append(self.path(CONFIG))
        if not os.path.exists(self.path(LEDGER)):
            made.append(self.path(LEDGER))
        open_store(self.path(LEDGER)).close()
        os.makedirs(self.path(SPOOL), files.PRIVATE_DIRECTORY, exist_ok=True)
        self.compile_hook_settings()
        return made

    def hook_log(self) -> list[str]:
        """The latest lines of the hooks' log, newest last."""
        return (files.read_text(self.path(LOG)) or "").splitlines()[-20:]


def _joined(one: Done, other: Done) -> Done:
    one.captured.add(other.captured)
    one.commits += other.commits
    one.troubles += other.troubles
    one.asked.add(other.asked)
    return one


def open_app(environ: Mapping[str, str] | None = None, flags: Mapping[str, Any] | None = None) -> App:
    """The app for an environment, the process's own unless told."""
    found = config.environment() if environ is None else environ
    return App(config.load(found, flags), found)
