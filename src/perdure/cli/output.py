"""How the command line speaks: JSON for programs, aligned lines for people, colour on a terminal only."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from perdure.domain import tokens
from perdure.domain.change import Conflicted, Denied, Parked, Unchanged, Written
from perdure.domain.errors import Conflict, Refused, UsageError
from perdure.domain.instants import iso, parse, to_datetime
from perdure.domain.memory import State, handle
from perdure.domain.record import as_dict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime
    from typing import Any

    from perdure.app import App
    from perdure.domain.change import Outcome
    from perdure.domain.memory import Entry, Revision

LINE_TOKENS = 60


def as_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print one JSON value."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def say(line: str = "", *, dim: bool = False) -> None:
    """Print a line for a person."""
    click.secho(line, dim=dim)


def note(line: str) -> None:
    """Tell a person something that is not the answer."""
    print(line, file=sys.stderr)


def local(moment: datetime) -> datetime:
    """Take a time without an offset as the user's own. Raises ``UsageError`` where that leaves the years 1 to 9999."""
    try:
        return moment.astimezone()
    except (OverflowError, ValueError):
        raise UsageError(f"'{moment.isoformat()}' lies outside the years 1 to 9999 in UTC.") from None


def when(text: str | None) -> int | None:
    """The instant of a date that a user gave, in the user's time zone where it names none."""
    return None if text is None else parse(text, local)


def day(instant: int) -> str:
    """The day in the user's time zone."""
    return _shown(instant)[:10]


def minute(instant: int) -> str:
    """The minute in the user's time zone."""
    return _shown(instant)


def _shown(instant: int) -> str:
    """The minute in the user's time zone, in UTC where that would leave the years 1 to 9999."""
    moment = to_datetime(instant)
    with suppress(OverflowError, ValueError):
        moment = moment.astimezone()
    return moment.isoformat(" ", "minutes")[:16]


def clean(app: App, text: str) -> str:
    """A stored text as it may leave: secrets that an older version let in are taken out here too."""
    from perdure.safety.defang import defang

    return app.redactor.clean(defang(text))


def short(app: App, entry: Entry, limit: int = LINE_TOKENS) -> str:
    """A memory's words on one line."""
    statement = entry.revision.statement
    words = statement.body if statement.body.startswith(statement.title) else f"{statement.title}: {statement.body}"
    return tokens.cut(" ".join(clean(app, words).split()), limit)


def standing(statement_state: State) -> str:
    """A label for what does not stand any more."""
    return "" if statement_state is State.ACTIVE else f" [{statement_state}]"


def revision_json(app: App, revision: Revision) -> dict[str, Any]:
    """A revision for programs; every text is cleaned once more."""
    statement = revision.statement
    return {
        "revision": revision.id,
        "title": clean(app, statement.title),
        "body": clean(app, statement.body),
        "type": statement.type.value,
        "state": statement.state.value,
        "valid_from": iso(statement.valid_from),
        "valid_to": None if statement.valid_to is None else iso(statement.valid_to),
        "importance": statement.importance,
        "confidence": statement.confidence,
        "pinned": statement.pinned,
        "tags": list(statement.tags),
        "attrs": app.redactor.redact_value(dict(statement.attrs)),
        "recorded_at": iso(revision.recorded_at),
        "recorded_by": revision.recorded_by,
        "cause": revision.cause.value,
        "change": revision.change,
        "source": {
            "channel": revision.provenance.channel.value,
            "trust": revision.provenance.trust.value,
            "session": revision.provenance.session,
            "excerpt": clean(app, revision.provenance.excerpt),
        },
    }


def entry_json(app: App, entry: Entry) -> dict[str, Any]:
    """A memory for programs."""
    memory = entry.memory
    named = {"id": memory.id, "handle": handle(memory.id), "kind": memory.kind.value, "author": memory.author}
    placed = {"scope": memory.scope.value, "project": memory.project, "created": iso(memory.created)}
    return {**named, **placed, **revision_json(app, entry.revision)}


def outcome(
    result: Outcome,
    done: Callable[[Written], str],
    more: Callable[[], Iterable[str]] = tuple,
    *,
    json_output: bool,
) -> None:
    """Print what came of a change, and what ``more`` there is to say of it to a person.

    What was not made leaves with the exit code of its class.
    """
    if json_output:
        as_json({"outcome": type(result).__name__.lower(), **as_dict(result)})
        if isinstance(result, Conflicted | Denied):
            sys.exit((Conflict if isinstance(result, Conflicted) else Refused).exit_code)
    elif isinstance(result, Written):
        say(done(result))
        for line in more():
            say(line)
        if result.redacted:
            say(f"Taken out of the text: {', '.join(result.redacted)}.", dim=True)
    elif isinstance(result, Unchanged | Parked):
        for line in [*more()] or [result.reason]:
            say(line)
    elif isinstance(result, Conflicted):
        raise Conflict(result.reason)
    else:
        raise Refused(result.reason)
