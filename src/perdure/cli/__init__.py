"""The command line: one file per group of commands, loaded when one of them is called."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from typing import TYPE_CHECKING

import click

from perdure import __version__
from perdure.domain.errors import PerdureError, Unavailable, UsageError
from perdure.safety.defang import defang

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import NoReturn

COMMANDS = {
    "init": "setup",
    "doctor": "setup",
    "status": "setup",
    "config": "setup",
    "hosts": "hosts",
    "remember": "writing",
    "supersede": "writing",
    "mark": "writing",
    "pin": "writing",
    "feedback": "writing",
    "forget": "writing",
    "undo": "writing",
    "recall": "reading",
    "show": "reading",
    "history": "reading",
    "why": "why",
    "review": "review",
    "project": "project",
    "consolidate": "upkeep",
    "reflect": "upkeep",
    "import": "work",
    "work": "work",
}


class LazyGroup(click.Group):
    """A group whose commands live in other modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The commands in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or the name that was meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else " See: perdure --help"
            raise UsageError(f"No such command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load the module that holds a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"perdure.cli.{COMMANDS[cmd_name]}")
        command = getattr(module, f"{cmd_name}_command")
        return command if isinstance(command, click.Command) else None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="perdure")
def perdure() -> None:
    """One lasting memory for every coding agent you use.

    Begin with: perdure init, then perdure hosts install claude-code.
    """


def explain_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Tell a person in one sentence what a traceback would tell a developer, and keep that for the developer."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="perdure-", suffix=".txt", delete=False, encoding="utf-8") as file:
        file.write("".join(traceback.format_exception(kind, error, trace)))
    print(f"perdure: this is a mistake of ours ({kind.__name__}: {error}). Details: {file.name}", file=sys.stderr)


def wants_json(arguments: Sequence[str] | None) -> bool:
    """Whether a program called, which reads errors too from standard output."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    return "--json" in given[: given.index("--") if "--" in given else None]


def leave_with_json(name: str, reason: str, code: int) -> NoReturn:
    """Tell a program what went wrong, and leave with the exit code of its class."""
    import json

    print(json.dumps({"outcome": "error", "error": name, "reason": defang(reason), "code": code}, ensure_ascii=False))
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with the exit code of its error class."""
    sys.excepthook = explain_crash
    os.umask(0o077)  # all that is made belongs to its owner alone
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # whatever the locale
    try:
        code = perdure.main(args=arguments, prog_name="perdure", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.Abort:
        print("Stopped.", file=sys.stderr)
        sys.exit(130)
    except click.ClickException as error:
        if wants_json(arguments):
            leave_with_json(UsageError.__name__, error.format_message(), error.exit_code)
        error.show()
        sys.exit(error.exit_code)
    except PerdureError as error:
        if wants_json(arguments):
            leave_with_json(type(error).__name__, str(error), error.exit_code)
        print(f"perdure: {defang(str(error))}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        if wants_json(arguments):
            leave_with_json(Unavailable.__name__, f"{where}{error.strerror or error}.", Unavailable.exit_code)
        print(f"perdure: {where}{error.strerror or error}.", file=sys.stderr)
        sys.exit(Unavailable.exit_code)
