"""Make the documentation that is made from the code: ``python -m tools.docs``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from perdure import config
from perdure.cli import COMMANDS, perdure

ROOT = Path(__file__).parent.parent
WIDTH = 100


def commands() -> str:
    """Every command with its help, as a page."""
    parts = [
        "# Commands\n",
        "Each command explains itself with `--help`. `--json` prints JSON for programs; the human form may change.",
        "The exit code names the class of an error: 2 usage, 3 not found, 4 refused, 5 conflict, 6 busy (try again),",
        "7 unavailable, 8 corrupt. With `--json` an error is JSON too:",
        '`{"outcome": "error", "error": "NotFound", "reason": "...", "code": 3}`.\n',
        "`remember`, `supersede`, `mark`, `recall`, `show`, `history` and `why` take their options as one object on",
        "standard input where their only argument is `-` and `--json` is given. Its keys are the options' long names",
        "(`valid-from` or `valid_from`) and the names of the arguments in lower case:\n",
        "```sh",
        """echo '{"text": "Deploys happen on Mondays", "tag": ["deploy"]}' | perdure remember --json -""",
        "```\n",
    ]
    shown = {**perdure.context_settings, "max_content_width": WIDTH}
    context = click.Context(perdure, info_name="perdure", **shown)
    for name in COMMANDS:
        command = perdure.get_command(context, name)
        if command is not None:
            parts += _command(command, name, context)
    return "\n".join(parts)


def _command(command: click.Command, name: str, parent: click.Context) -> list[str]:
    context = click.Context(command, info_name=name, parent=parent, max_content_width=WIDTH, terminal_width=WIDTH)
    told = [f"## {context.command_path}\n", "```text", command.get_help(context), "```\n"]
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            if found is not None:
                told += _command(found, sub, context)
    return told


def settings() -> str:
    """Every setting with its default and its variable, as a page."""
    lines = [
        "# Settings\n",
        "`perdure init` writes `config.toml` into the home (`PERDURE_HOME`, `~/.perdure` unless set) with every",
        "setting commented out at its default, and never rewrites it. Later layers win: `config.toml`, then",
        "`PERDURE_*` variables, then a command's flags. `perdure config show --origin` tells which one it was.\n",
        "| setting | default | variable | what it does |",
        "|---|---|---|---|",
    ]
    for key, field in config.declared():
        default = config.as_toml(field.get_default())
        lines.append(f"| `{key}` | `{default}` | `{config.variable(key)}` | {field.description} |")
    marker = ", ".join(f"`{key}`" for key in config.MARKER_KEYS)
    lines += [
        "\nLists and tables in a variable are JSON.\n",
        f"A project may have a `.perdure.toml` at its top. It may set {marker},",
        "and nothing else: a project can name itself and narrow what is captured, and never widen it.\n",
    ]
    return "\n".join(lines)


PAGES = {"docs/COMMANDS.md": commands, "docs/SETTINGS.md": settings}


def main() -> int:
    """Write all pages."""
    for name, make in PAGES.items():
        (ROOT / name).write_text(make(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
