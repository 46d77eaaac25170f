"""The fast entry point that agent hosts call: ``perdure-hook <host> <event>`` with the host's JSON on standard input.

It always exits 0, within its budget, and prints nothing but the host's reply. It leaves a pointer in the spool, answers
a session's start and its prompts from the ledger, and starts a worker when one is due. Everything here is imported
when it is needed: capturing an event must cost no more than a few starts of a bare interpreter.
"""

from __future__ import annotations

import json
import os
import select
import sys

from perdure.domain import event as events
from perdure.domain.spool import Pointer
from perdure.hosts.claude_code import events as claude_code
from perdure.system.clock import Deadline, SystemClock
from perdure.system.spool import DirectorySpool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from perdure.domain.event import HostEvent
    from perdure.domain.packing import Budget
    from perdure.services.context import Given
    from perdure.services.prompting import PromptRules

SETTINGS = "hook.json"
LEDGER = "ledger.db"
SPOOL = "spool"
LOCK = "work.lock"
LOG = "logs/hook.log"
BRIEFINGS = "briefings"
MAX_PAYLOAD = 4 << 20
READ_SECONDS = 2.0
HOSTS = {claude_code.NAME: claude_code}


class Hook:
    """One call of the hook: its home, and the settings that ``perdure`` compiled for it."""

    def __init__(self, home: str, settings: dict[str, Any]) -> None:
        """Take a home that ``perdure init`` has made."""
        self.home = home
        self.settings = settings
        self.spool = DirectorySpool(self.path(SPOOL))
        self.clock = SystemClock()

    def path(self, *parts: str) -> str:
        """A path below the home."""
        return os.path.join(self.home, *parts)

    def ignores(self, directory: str) -> bool:
        """Whether sessions in a directory are left alone."""
        patterns = self.settings.get("ignore") or ()
        if not patterns:
            return False
        from perdure.services.capture import is_ignored

        return is_ignored(directory, patterns)

    def handle(self, event: HostEvent) -> str:
        """Take an event in and return the host's reply, empty for none."""
        if not self.settings.get("capture", True) or self.ignores(event.cwd):
            return ""
        self.keep(event)
        reply = ""
        if event.name in {events.START, events.PROMPT} and not event.agent:
            reply = self.answer(event)
        if event.name in events.SETTLING or event.name == events.START:
            self.wake_worker()
        return reply

    def keep(self, event: HostEvent) -> None:
        """Leave a pointer in the spool. A tool's event adds nothing where one of its session still waits."""
        if event.name == events.TOOL and self.spool.holds(event.session):
            return
        pointer = Pointer(
            event.host,
            event.name,
            event.session,
            self.clock.now(),
            transcript=event.transcript,
            cwd=event.cwd,
            source=event.source,
            agent=event.agent,
            turn=event.turn,
            size=_size(event.transcript),
        )
        self.spool.put(pointer)

    def answer(self, event: HostEvent) -> str:
        """What the session is given now, marked as given before it is printed."""
        from perdure.safety.redaction import default_redactor
        from perdure.services.context import present
        from perdure.system.ids import SystemIds

        given, via = self.given(event)
        if not given.text:
            return ""
        redactor = default_redactor(self.settings.get("patterns") or {}, self.settings.get("allow") or ())
        text = present(via, given, redactor.clean, SystemIds().nonce())
        marks = Pointer(event.host, event.name, event.session, self.clock.now(), via=via, memories=list(given.memories))
        self.spool.put(marks)
        rendered: str = HOSTS[event.host].render(event, text)
        return rendered

    def given(self, event: HostEvent) -> tuple[Given, str]:
        """Ask the ledger within the deadline; a start that gets no answer has the last compiled briefing."""
        from perdure.domain.errors import PerdureError
        from perdure.services.context import Given

        via = "start" if event.name == events.START else "prompt"
        try:
            return self.asked(event, via), via
        except PerdureError as error:
            self.log(f"{event.name}: {error}")
        return (self.compiled(event) if via == "start" else Given()), via

    def asked(self, event: HostEvent, via: str) -> Given:
        """The briefing, or the recall for a prompt, from the ledger."""
        from perdure.domain.access import Reader
        from perdure.services import projects
        from perdure.services.context import Given, briefing
        from perdure.store.sqlite import open_reader
        from perdure.vault.places import locate

        if not os.path.exists(self.path(LEDGER)):
            return Given()
        deadline = Deadline(float(self.settings.get("deadline_ms", 150)) / 1000)
        store = open_reader(self.path(LEDGER), deadline.expired)
        author = str(self.settings["author"])
        with store.unit(Reader(author)) as unit:
            project = projects.find(unit.projects, locate(event.cwd, os.path.expanduser("~")))
            reader = Reader(author, unit.projects.of(author), project.slug if project else "")
        with store.unit(reader) as unit:
            marked = {**unit.sessions.marked(event.session), **self.spool.marks(event.session)}
            if via == "start":
                # A host keeps what came with prompts when it resumes a session, and drops all when it compacts one.
                kept = {name for name, where in marked.items() if where == "prompt" and event.source != "compact"}
                return briefing(unit, self.clock.now(), self.budget("start"), kept)
            from perdure.services.prompting import with_prompt

            return with_prompt(unit, event.prompt, self.clock.now(), marked, self.prompt_rules())

    def budget(self, name: str) -> Budget:
        """A budget as the settings have it."""
        from perdure.domain.packing import Budget

        tokens, characters = self.settings["budgets"][name]
        return Budget(int(tokens), int(characters))

    def prompt_rules(self) -> PromptRules:
        """What a session's first prompt and later ones may be given."""
        from perdure.services.prompting import PromptRules

        floor, strict = self.settings["floors"]
        return PromptRules(self.budget("first_prompt"), self.budget("later_prompt"), float(floor), float(strict))

    def compiled(self, event: HostEvent) -> Given:
        """The last briefing that the worker compiled for the event's directory."""
        from perdure.services.context import Given
        from perdure.vault.places import briefing_name, locate

        place = locate(event.cwd, os.path.expanduser("~"))
        for key in [str(key) for key in place.keys] if place else [""]:
            try:
                with open(self.path(BRIEFINGS, briefing_name(key)), encoding="utf-8") as file:
                    told = json.load(file)
                if told["key"] == key and told["author"] == self.settings["author"]:
                    return Given(str(told["text"]), tuple(map(str, told["memories"])))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return Given()

    def wake_worker(self) -> None:
        """Start a worker where something waits and none is running.

        The lease is taken here and handed down, so that of many hooks at once only one starts a worker: a worker needs
        longer to begin than a hook to end.
        """
        from perdure.system.lease import Lease

        lease = Lease(self.path(LOCK))
        if not self.spool.names() or not lease.take():
            return
        from perdure.system.detach import detach

        command = [*map(str, self.settings["worker"]), "--lease", str(lease.hand_down())]
        detach(command, {"PERDURE_HOME": self.home, "HOME": os.path.expanduser("~"), "PATH": os.defpath})

    def log(self, line: str) -> None:
        """Note a trouble where ``perdure status`` finds it; one that cannot be noted is let go."""
        from perdure.system.files import append_line

        try:
            append_line(self.path(LOG), f"{self.clock.now()} {' '.join(line.split())}")
        except OSError:
            return


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size if path else 0
    except (OSError, ValueError):
        return 0


def read_input(descriptor: int, seconds: float = READ_SECONDS) -> bytes:
    """Standard input to its end, but no more than ``MAX_PAYLOAD`` bytes and no longer than ``seconds``.

    What is longer is read and dropped, so that the host's write does not fail.
    """
    deadline, poll = Deadline(seconds), select.poll()
    poll.register(descriptor, select.POLLIN | select.POLLHUP)
    pieces: list[bytes] = []
    size = 0
    while not deadline.expired():
        if not poll.poll(deadline.left() * 1000):
            break
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            break
        if size < MAX_PAYLOAD:
            pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def parse(host: str, name: str, data: bytes) -> HostEvent | None:
    """The event that a payload tells; for one that is torn or too large, what its head tells."""
    adapter = HOSTS[host]
    told: HostEvent | None = None
    try:
        payload = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        told = adapter.parse_head(name, data)
    else:
        if isinstance(payload, dict):
            told = adapter.parse(name, payload)
    return told


def find_home() -> str:
    """The home: ``PERDURE_HOME``, the one variable that the hook reads, or ``~/.perdure``."""
    return os.environ.get("PERDURE_HOME") or os.path.expanduser("~/.perdure")  # noqa: TID251


def run(arguments: Sequence[str], stdin: int, stdout: int) -> None:
    """Handle one event. Whatever goes wrong is logged and never reaches the host."""
    home = find_home()
    os.umask(0o077)
    try:
        with open(os.path.join(home, SETTINGS), encoding="utf-8") as file:
            hook = Hook(home, json.load(file))
    except (OSError, ValueError):
        return  # there is no memory here: nothing to do, and nobody to tell
    try:
        host, name, *_rest = arguments
        event = parse(host, name, read_input(stdin))
        reply = hook.handle(event) if event is not None else ""
        if reply:
            os.write(stdout, reply.encode("utf-8", "replace"))
    except Exception as error:  # noqa: BLE001 - the hook's border: a memory must never stop the work it remembers
        hook.log(f"{' '.join(arguments)}: {type(error).__name__}: {error}")


def main() -> None:
    """Handle one event and leave with exit code 0, at once."""
    try:
        run(sys.argv[1:], 0, 1)
    finally:
        os._exit(0)
