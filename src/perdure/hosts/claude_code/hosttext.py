"""What the host puts among the user's words, and how it is told from them.

Reminders, instruction files and what the editor shows are text that the host adds to a prompt inside tags
of its own. They are taken out, so that nothing of them is ever filed as something that the user said.
"""

from __future__ import annotations

import re

COMMAND = "command"
HOST_TEXT = "host_text"
INTERRUPTED = "interrupted"
EMPTY = "empty"

_REMINDER = "system-reminder"
_TAG = re.compile(
    r"<(/?)(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|environment_context|session_context"
    r"|user-prompt-submit-hook)(?:\s[^<>]{0,200})?>"
)
_ENVIRONMENT = re.compile(r"^<env>\n(?=[^<]*working directory)[^<]*</env>$", re.IGNORECASE | re.MULTILINE)
_WRAPPER = re.compile(
    r"<(?:command-(?:name|message|args|contents)|local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)"
    r"|task-notification)\b"
)
_INTERRUPTION = re.compile(r"\[Request interrupted by user[^\]\n]{0,80}\]")


def spoken(text: str, *, block: bool) -> tuple[str, str]:
    """The user's own words in a text, and where there are none what it was instead.

    ``block`` says that the host stored the text as one block of several: such a block is either the
    user's or the host's, so that one which begins and ends as a reminder is one, whatever closing
    tags its content pretends.
    """
    stripped = text.strip()
    if block and stripped.startswith(f"<{_REMINDER}>") and stripped.endswith(f"</{_REMINDER}>"):
        return "", HOST_TEXT
    words = without_host_text(stripped)
    if not words:
        return "", HOST_TEXT if stripped else EMPTY
    # What a command printed may hold any tag, so a text that begins as a wrapper is one to its end.
    if _WRAPPER.match(words):
        return "", COMMAND
    if _INTERRUPTION.fullmatch(words):
        return "", INTERRUPTED
    return words, ""


def without_host_text(text: str) -> str:
    """A text without any pair of host tags and all that stands between them, nested ones too."""
    if "<" not in text:
        return text.strip()
    spans: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened.append((tag[2], tag.start()))
            continue
        names = [name for name, _start in opened[-8:]]
        if tag[2] not in names:
            continue
        # Tags opened inside and never closed end with the one around them.
        while opened[-1][0] != tag[2]:
            opened.pop()
        begin = opened.pop()[1]
        while spans and spans[-1][0] > begin:
            spans.pop()
        spans.append((begin, tag.end()))
    return _ENVIRONMENT.sub("", _outside(text, _with_unclosed(text, opened, spans))).strip()


def _with_unclosed(text: str, opened: list[tuple[str, int]], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Let a tag that opens a line and is never closed reach to the end of the next pair."""
    starts = iter([start for _name, start in opened if start == 0 or text[start - 1] == "\n"])
    waiting = next(starts, None)
    widened = []
    for begin, end in spans:
        earliest = begin
        while waiting is not None and waiting < begin:
            earliest = min(earliest, waiting)
            waiting = next(starts, None)
        widened.append((earliest, end))
    return widened


def _outside(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without the spans, which are in order."""
    kept, position = [], 0
    for begin, end in spans:
        kept.append(text[position:begin])
        position = max(position, end)
    return "".join([*kept, text[position:]])
