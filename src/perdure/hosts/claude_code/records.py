"""From records of a Claude Code transcript to turns.

The format is the client's own and may change with every release. So nothing here trusts a field to be
there or to be of its type; only the two record types that hold what was said are read, and the others are
counted.
"""

from __future__ import annotations

from perdure.domain.session import Role, Turn
from perdure.hosts.claude_code.hosttext import EMPTY, spoken, without_host_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perdure.domain.json import Json

    Record = Mapping[str, Json]
    Draft = tuple[Role, str, dict[str, Json]]

MAX_COMMAND = 500
MAX_SUMMARY = 200
MAX_RESULT = 2_000
MAX_FILES = 50
MAX_FIELD = 1_024

_FILE_KEYS = ("file_path", "notebook_path", "path", "filePath", "files", "paths")
_SUMMARY_KEYS = ("description", "query", "pattern", "url", "skill", "subject", "prompt")


def turns(record: Record, offset: int, at: int) -> tuple[tuple[Turn, ...], str]:
    """The turns of the record at byte ``offset``, said ``at``; where it has none, what sort it was.

    A record's words are one turn with the record's own uuid; each call of a tool and each result is one more.
    """
    kind = _kind(record)
    if kind not in {"user", "assistant"}:
        return (), kind[:64] or "untyped"
    unwanted = _unwanted(record)
    if unwanted:
        return (), unwanted
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    drafts, reason = _user(content) if kind == "user" else _assistant(content)
    uuid = _short(record.get("uuid")) or f"@{offset}"
    worded = any(role is not Role.TOOL for role, _text, _attrs in drafts)
    made = []
    for number, (role, text, attrs) in enumerate(drafts):
        own = role is not Role.TOOL or (number == 0 and not worded)
        made.append(Turn(uuid if own else f"{uuid}#{number}", role, at, text, offset, attrs))
    return tuple(made), reason


def clean(text: str) -> str:
    """A text without lone surrogates, which no file or database takes."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _unwanted(record: Record) -> str:
    """Why a record of a wanted type is none of the user's conversation with the agent; empty where it is."""
    if record.get("isSidechain"):
        return "sidechain"
    if record.get("isMeta"):
        return "meta"
    if record.get("isCompactSummary") or record.get("isVisibleInTranscriptOnly"):
        return "compact_summary"
    origin = record.get("origin")
    if isinstance(origin, dict) and origin.get("kind", "human") != "human":
        return "not_human"
    message = record.get("message")
    if record.get("isApiErrorMessage") or (isinstance(message, dict) and message.get("model") == "<synthetic>"):
        return "synthetic"
    return ""


def _blocks(content: Json) -> list[Record]:
    """The content as blocks, whether it is one text or a list."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    blocks = ({"type": "text", "text": block} if isinstance(block, str) else block for block in content)
    return [block for block in blocks if isinstance(block, dict)]


def _kind(record: Record) -> str:
    """The type of a record or block; what is no text is none."""
    kind = record.get("type")
    return clean(kind) if isinstance(kind, str) else ""


def _text(block: Record) -> str:
    text = block.get("text")
    return clean(text) if block.get("type") == "text" and isinstance(text, str) else ""


def _user(content: Json) -> tuple[list[Draft], str]:
    """The user's words, and what tools gave back."""
    drafts: list[Draft] = []
    said: list[str] = []
    place = 0
    reason = EMPTY
    for block in _blocks(content):
        kind = _kind(block)
        if kind == "tool_result":
            drafts.append(_result(block))
        elif kind == "text":
            words, reason = spoken(_text(block), block=isinstance(content, list))
            if words:
                place = place if said else len(drafts)
                said.append(words)
    if said:
        drafts.insert(place, (Role.USER, "\n\n".join(said), {}))
    return drafts, "" if drafts else reason


def _assistant(content: Json) -> tuple[list[Draft], str]:
    """The assistant's words, and the tools it called; not its thinking."""
    drafts: list[Draft] = []
    said: list[str] = []
    place = 0
    reason = EMPTY
    for block in _blocks(content):
        kind = _kind(block)
        if kind == "text":
            words = _text(block).strip()
            if words:
                place = place if said else len(drafts)
                said.append(words)
        elif kind in {"tool_use", "server_tool_use"}:
            drafts.append(_call(block))
        elif kind in {"thinking", "redacted_thinking"}:
            reason = "thinking"
    if said:
        drafts.insert(place, (Role.ASSISTANT, "\n\n".join(said), {}))
    return drafts, "" if drafts else reason


def _call(block: Record) -> Draft:
    """A tool's call: its name, and the one thing of its input that tells what was done."""
    tool = _short(block.get("name")) or "tool"
    given = block.get("input")
    given = given if isinstance(given, dict) else {}
    attrs: dict[str, Json] = {"id": _short(block.get("id")), "tool": tool}
    command = given.get("command")
    summary = ""
    if isinstance(command, str) and command.strip():
        summary = attrs["command"] = clean(command[:MAX_COMMAND])
    files = _files(given)
    if files:
        attrs["files"] = files
        summary = summary or ", ".join(files)
    if not summary:
        texts = (given.get(key) for key in _SUMMARY_KEYS)
        summary = next((clean(text[:MAX_COMMAND]) for text in texts if isinstance(text, str) and text.strip()), "")
    line = " ".join(summary.split())[:MAX_SUMMARY]
    return Role.TOOL, f"{tool}: {line}" if line else tool, attrs


def _files(given: Record) -> list[str]:
    """The paths that a call names, each once."""
    found: dict[str, None] = {}
    for key in _FILE_KEYS:
        value = given.get(key)
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, str) and path.strip() and len(path) <= MAX_FIELD:
                found[clean(path)] = None
    return list(found)[:MAX_FILES]


def _result(block: Record) -> Draft:
    """The head of what a tool gave back, without the reminders that the host hangs on it."""
    content = block.get("content")
    text = "\n".join(filter(None, map(_text, _blocks(content))))
    attrs: dict[str, Json] = {"id": _short(block.get("tool_use_id")), "failed": block.get("is_error") is True}
    return Role.TOOL, without_host_text(text)[:MAX_RESULT], attrs


def _short(value: Json | Sequence[Json]) -> str:
    """A short text such as an id; a value of another type is none."""
    return clean(value[:MAX_FIELD]).strip() if isinstance(value, str) else ""
