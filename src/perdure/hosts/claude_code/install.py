"""Our hooks in Claude Code's settings: what a settings file would read with them, and without them.

Pure functions from text to text. An entry is ours where its command calls a program named
``perdure-hook`` for this host; everything else in the file, and every change its owner made to our
entries but the command, stays as it is.
"""

from __future__ import annotations

import os
import shlex

from perdure.domain.errors import Refused, UsageError
from perdure.hosts import jsontext
from perdure.hosts.claude_code.events import EVENTS, NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perdure.domain.json import Json

    Place = tuple[str, int, int]

PROGRAM = "perdure-hook"
MATCHERS = {"SessionStart": "startup|resume|clear|compact|fork"}
"""An event without a matcher fires always; at the start every source that we know is named."""

ANSWER_TIMEOUT = 10
CAPTURE_TIMEOUT = 5
TIMEOUTS = {"SessionStart": ANSWER_TIMEOUT, "UserPromptSubmit": ANSWER_TIMEOUT}
"""Seconds. A hook is far quicker; this is what a machine in trouble may cost its user."""


def plan_install(settings_text: str | None, launcher: str, *, where: str = "The settings file") -> str:
    """The settings with one hook of ours for each event; the same text where they are there already.

    ``launcher`` is the absolute path of a program named ``perdure-hook``. An entry that calls an
    older path is changed in place. Raises ``Refused`` where the text is no JSON object or its hooks
    are of another shape than the host's.
    """
    if not os.path.isabs(launcher) or os.path.basename(launcher) != PROGRAM or not launcher.isprintable():
        raise UsageError(f"{launcher!r} is not the absolute path of a program named {PROGRAM}.")
    text = settings_text or ""
    if _is_blank(text):
        text = f"{text.strip()}{{}}\n"
    text = _without(text, [place for place in _ours(_hooks(text, where)) if place[0] not in EVENTS], where)
    if "hooks" not in jsontext.parse(text, where):
        text = jsontext.insert(text, (), {}, "hooks")
    for event in EVENTS:
        text = _with(text, event, launcher, where)
    return text


def plan_uninstall(settings_text: str, before: str | None = None, *, where: str = "The settings file") -> str:
    """The settings without our hooks, nor the lists that they leave empty unless ``before`` had them."""
    if _is_blank(settings_text):
        return settings_text
    former = "{}" if before is None or _is_blank(before) else before
    kept = _hooks(former, where)
    text = _without(settings_text, list(_ours(_hooks(settings_text, where))), where, frozenset(kept))
    emptied = text != settings_text and not _hooks(text, where)
    if emptied and "hooks" not in jsontext.parse(former, where):
        text = jsontext.remove(text, ("hooks",))
    return text


def installed(settings_text: str | None, launcher: str, *, where: str = "The settings file") -> dict[str, bool]:
    """For each event whether the settings call this very launcher for it."""
    found = dict.fromkeys(EVENTS, False)
    if settings_text is None or _is_blank(settings_text):
        return found
    hooks = _hooks(settings_text, where)
    for event, group, handler in _ours(hooks):
        if event in found and _handlers(hooks, event, group)[handler] == command(launcher, event):
            found[event] = True
    return found


def is_disabled(settings_text: str | None, *, where: str = "The settings file") -> bool:
    """Whether the settings switch all hooks off, ours among them."""
    if settings_text is None or _is_blank(settings_text):
        return False
    return jsontext.parse(settings_text, where).get("disableAllHooks") is True


def command(launcher: str, event: str) -> str:
    """What the host's shell is given to run: nothing, and quietly, where the launcher is gone with its home."""
    quoted = "'" + launcher.replace("'", "'\"'\"'") + "'"
    return f"[ ! -x {quoted} ] || {quoted} {NAME} {event}"


def is_ours(text: str) -> bool:
    """Whether a command calls our hook for this host, wherever it lies."""
    try:
        words = shlex.split(text)
    except ValueError:
        return False
    calls = zip(["||", *words], words, words[1:], strict=False)
    return any(
        before == "||" and os.path.basename(program) == PROGRAM and host == NAME for before, program, host in calls
    )


def _is_blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _entry(event: str, launcher: str) -> dict[str, Json]:
    """The entry of an event in the shape that the host documents."""
    handler: dict[str, Json] = {
        "type": "command",
        "command": command(launcher, event),
        "timeout": TIMEOUTS.get(event, CAPTURE_TIMEOUT),
    }
    entry: dict[str, Json] = {"matcher": MATCHERS[event]} if event in MATCHERS else {}
    entry["hooks"] = [handler]
    return entry


def _hooks(text: str, where: str) -> dict[str, list[Json]]:
    """The host's hooks by event, in the shape it documents. Raises ``Refused`` on another."""
    hooks = jsontext.parse(text, where).get("hooks", {})
    if not isinstance(hooks, dict):
        raise Refused(f'{where} has "hooks" that are not an object. It was left as it is.')
    found: dict[str, list[Json]] = {}
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise Refused(f'{where} has "hooks" for {event} that are not a list. It was left as it is.')
        found[event] = groups
    return found


def _handlers(hooks: dict[str, list[Json]], event: str, group: int) -> list[str]:
    """The commands of a group in order; an empty text for what is no command."""
    entry = hooks[event][group]
    handlers = entry.get("hooks") if isinstance(entry, dict) else None
    found = []
    for handler in handlers if isinstance(handlers, list) else []:
        text = handler.get("command") if isinstance(handler, dict) else None
        found.append(text if isinstance(text, str) else "")
    return found


def _ours(hooks: dict[str, list[Json]]) -> Iterator[Place]:
    """Event, group and handler of every entry of ours, in order."""
    for event, groups in hooks.items():
        for group in range(len(groups)):
            for handler, text in enumerate(_handlers(hooks, event, group)):
                if is_ours(text):
                    yield event, group, handler


def _with(text: str, event: str, launcher: str, where: str) -> str:
    """The settings with exactly one entry of ours for an event."""
    hooks = _hooks(text, where)
    if event not in hooks:
        return jsontext.insert(text, ("hooks",), [_entry(event, launcher)], event)
    found = [place for place in _ours(hooks) if place[0] == event]
    if not found:
        return jsontext.insert(text, ("hooks", event), _entry(event, launcher))
    text = _without(text, found[1:], where)
    _event, group, handler = found[0]
    wanted = command(launcher, event)
    if _handlers(hooks, event, group)[handler] == wanted:
        return text
    return jsontext.replace(text, ("hooks", event, group, "hooks", handler, "command"), wanted)


def _without(text: str, places: Sequence[Place], where: str, kept: frozenset[str] = frozenset()) -> str:
    """The settings without these entries, and without the groups and lists that nothing else is left in."""
    for event, group, handler in reversed(places):
        hooks = _hooks(text, where)
        if len(_handlers(hooks, event, group)) > 1:
            text = jsontext.remove(text, ("hooks", event, group, "hooks", handler))
        elif len(hooks[event]) > 1 or event in kept:
            text = jsontext.remove(text, ("hooks", event, group))
        else:
            text = jsontext.remove(text, ("hooks", event))
    return text
