"""Hook events of Claude Code: what it writes to a hook's stdin, and what it takes from its stdout.

On the capture path: nothing is imported here but ``json``. Field names are those of the client's hook
payloads; unknown events and fields are passed over, since clients add some with every release.
"""

from __future__ import annotations

import json

from perdure.domain.event import COMPACT, END, PROMPT, START, STOP, SUBAGENT_STOP, TOOL, HostEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.domain.json import Json

NAME = "claude-code"

EVENTS = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "PostToolUse": TOOL,
    "Stop": STOP,
    "SubagentStop": SUBAGENT_STOP,
    "PreCompact": COMPACT,
    "SessionEnd": END,
}

ANSWERED = {START: "SessionStart", PROMPT: "UserPromptSubmit"}
"""The only events that may answer: text from the others is dropped, or makes the agent go on."""

MAX_CONTEXT = 10_000
"""Characters, counted as UTF-16 units as the host does; it moves a longer text to a file."""

HEAD = 1 << 16
"""How many bytes of a payload are looked at where it cannot be read whole."""

MAX_NAME = 256
MAX_PATH = 4096
MAX_LAST_LINE = 256
CUT = "[cut here: the host takes no more]"


def parse(event: str, payload: Mapping[str, Json]) -> HostEvent | None:
    """Read a payload of the event that the hook was called with, whatever the payload calls itself.

    None for events that we do not listen to, for a payload that names no session, and for the
    internal forks that the host reports as subagents without a type. Fields of a wrong type count as
    missing.
    """
    name = EVENTS.get(event)
    session = _name(payload, "session_id")
    if name is None or not session:
        return None
    agent = "/".join(part for part in (_name(payload, "agent_type"), _name(payload, "agent_id")) if part)
    transcript = _path(payload, "transcript_path")
    if name == SUBAGENT_STOP:
        if not _name(payload, "agent_type"):
            return None
        transcript = _path(payload, "agent_transcript_path")
    elif not _name(payload, "agent_id"):
        # A session can be started as an agent of some type; only an id tells that a subagent speaks.
        agent = ""
    return HostEvent(
        NAME,
        name,
        session,
        transcript=transcript,
        cwd=_path(payload, "cwd"),
        prompt=_text(payload, "prompt") if name == PROMPT else "",
        source=_name(payload, "source") or _name(payload, "reason") or _name(payload, "trigger"),
        agent=agent,
        turn=_name(payload, "prompt_id"),
    )


def parse_head(event: str, head: bytes) -> HostEvent | None:
    """Read what stands whole in the first 64 KiB of a payload that is too large, torn or broken."""
    return parse(event, _members(head[:HEAD].decode("utf-8", "replace")))


def render(event: HostEvent, text: str) -> str:
    """The reply that puts ``text`` before the model: one line of ASCII, empty where the event takes none."""
    name = ANSWERED.get(event.name)
    if name is None or not text:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": _fit(text)}})


def _members(text: str) -> dict[str, Json]:
    """The members of a JSON object up to the first that is torn or broken."""
    members: dict[str, Json] = {}
    decode = json.JSONDecoder(strict=False).raw_decode
    position = _past(text, 0, "\ufeff \t\r\n")
    if not text.startswith("{", position):
        return members
    position = _past(text, position + 1)
    try:
        while text.startswith('"', position):
            key, position = decode(text, position)
            position = _past(text, position)
            if not text.startswith(":", position):
                break
            members[key], position = decode(text, _past(text, position + 1))
            position = _past(text, position)
            if not text.startswith(",", position):
                break
            position = _past(text, position + 1)
    except (ValueError, RecursionError):
        # Torn, malformed, nested too deeply, or an integer of thousands of digits.
        return members
    return members


def _past(text: str, position: int, blank: str = " \t\r\n") -> int:
    while position < len(text) and text[position] in blank:
        position += 1
    return position


def _text(payload: Mapping[str, Json], key: str) -> str:
    """A member that is text, with lone surrogates replaced, since no file or database takes them."""
    value = payload.get(key)
    if not isinstance(value, str):
        return ""
    if value.isascii():
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _name(payload: Mapping[str, Json], key: str) -> str:
    """A short text; a long one is no name."""
    text = _text(payload, key).strip()
    return text if len(text) <= MAX_NAME else ""


def _path(payload: Mapping[str, Json], key: str) -> str:
    """A path that a system could have; anything else is none."""
    text = _text(payload, key)
    return text if len(text) <= MAX_PATH and "\0" not in text else ""


def _units(text: str) -> int:
    """UTF-16 units of a text."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


def _fit(text: str) -> str:
    """Cut a text to the host's cap between two lines, and keep its last line, which may close a fence."""
    if _units(text) <= MAX_CONTEXT:
        return text
    head, _newline, last = text.rpartition("\n")
    if len(last) > MAX_LAST_LINE:
        head, last = text, ""
    room = MAX_CONTEXT - _units(last) - len(CUT) - 2
    head = head.encode("utf-16-le", "surrogatepass")[: 2 * room].decode("utf-16-le", "ignore")
    return "\n".join([head.rpartition("\n")[0] or head, CUT, last]).rstrip("\n")
