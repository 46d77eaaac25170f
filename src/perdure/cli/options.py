"""Options and arguments that several commands share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from perdure.cli import stdin
from perdure.domain.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Command = Callable[..., Any]

json_option = click.option("--json", "json_output", is_flag=True, help="Print JSON for programs.")
project_option = click.option("--project", metavar="NAME", help="The project, if not the current directory's.")
as_of_option = click.option("--as-of", metavar="TIME", help="What held at that time, such as 2026-03-01.")
known_at_option = click.option("--known-at", metavar="TIME", help="Only what was recorded by that time.")
target_argument = click.argument("target", metavar="MEMORY")


def here() -> str:
    """The current directory; a directory that is gone is an error with a sentence."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise UsageError("The current directory is gone. Change to one that exists.") from None


def text_of(words: Sequence[str]) -> str:
    """The text given as arguments, or standard input for ``-``. Bytes that are no UTF-8 are replaced."""
    if words == ("-",):
        return stdin.read().decode("utf-8", "replace")
    return plain(" ".join(words))


def plain(text: str) -> str:
    """A text from the command line; bytes that are no UTF-8 are replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
