"""From what was said in a session to what is kept of it, without a model."""

from __future__ import annotations

from perdure.domain import dates, episodes, statements
from perdure.domain.change import Add, Draft, Edit, Written
from perdure.domain.instants import parse
from perdure.domain.memory import (
    LATEST,
    Cause,
    Channel,
    Kind,
    Provenance,
    Scope,
    State,
    Trust,
    Type,
    least_trust,
    provenance,
)
from perdure.domain.record import record
from perdure.domain.session import Role
from perdure.domain.wording import digest_of, normal
from perdure.services import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.domain.episodes import Episode
    from perdure.domain.json import Json
    from perdure.domain.session import Session, Turn
    from perdure.ports import Unit
    from perdure.services.write import Door

DAY_END = "T23:59:59+00:00"
MIN_RESTATED = 12


@record
class Known:
    """What was said before and must not be taken for new.

    ``given`` are digests of memories given to the session; ``instructions`` is the normalised text of the project's
    instruction files.
    """

    given: frozenset[str] = frozenset()
    instructions: str = ""

    def repeats(self, text: str) -> bool:
        """Whether a statement only restates a memory that was injected, or a line of the instructions."""
        words = normal(text)
        return digest_of("", text) in self.given or (len(words) >= MIN_RESTATED and words in self.instructions)


def known(unit: Unit, session: Session, instructions: str) -> Known:
    """What this session was given, from its injection marks, and what its instruction files say."""
    given = set()
    for memory in unit.sessions.marked(session.ref.ref):
        entry = unit.memories.get(memory, LATEST)
        if entry is not None:
            given.add(digest_of("", entry.revision.statement.body))
    return Known(frozenset(given), normal(instructions))


def extract(door: Door, unit: Unit, session: Session, turns: Sequence[Turn], before: Known) -> int:
    """Record the episodes and the user's lasting statements of ``turns``; returns how many memories are new.

    ``turns`` begin at a prompt. Doing it again writes nothing twice: each memory has its session and turn as its key.
    """
    new = 0
    for episode in episodes.cut(turns):
        new += _record_episode(door, unit, session, episode)
    for turn in turns:
        if turn.role is Role.USER:
            new += _record_statements(door, unit, session, turn, before)
    return new


def _record_episode(door: Door, unit: Unit, session: Session, episode: Episode) -> int:
    key = f"episode/{_turn_key(session, episode.prompt)}"
    attrs: dict[str, Json] = {"turn": episode.prompt.uuid}
    if relative := dates.resolve(episode.prompt.text, episode.prompt.at):
        attrs["dates"] = relative
    draft = Draft(
        Kind.EPISODE,
        episode.body,
        project=session.project,
        importance=0.4,
        valid_from=episode.prompt.at,
        attrs=attrs,
    )
    # Its words are the user's and the assistant's: it is trusted as the less trusted of them.
    told = (Trust.USER, Trust.MODEL) if episode.answer else (Trust.USER,)
    origin = Provenance(Channel.ASSISTANT_INFERENCE, least_trust(*told), session.id)
    made = unit.changes.made([key]).get(key)
    if made is None:
        return int(isinstance(write.commit_in(door, unit, Add(draft, origin, key)), Written))
    entry = unit.memories.get(made.memory, LATEST)
    if entry is None or entry.revision.cause not in {Cause.ADDED, Cause.GREW}:
        return 0  # a person has touched it since: theirs is the last word
    if entry.revision.provenance.session != session.id:
        return 0  # a fork repeats what another session said
    if entry.revision.statement.state is State.ACTIVE and entry.revision.statement.body != draft.body:
        grown = Edit(made.memory, entry.revision.id, origin, body=draft.body, attrs=attrs, cause=Cause.GREW)
        write.commit_in(door, unit, grown)
    return 0


def _turn_key(session: Session, turn: Turn) -> str:
    """What a turn is known by in every copy of its session; one that has no name of its own, by its session too."""
    return f"{session.id}/{turn.uuid}" if turn.uuid.startswith("@") else f"{session.ref.host}/{turn.uuid}"


def _record_statements(door: Door, unit: Unit, session: Session, turn: Turn, before: Known) -> int:
    new = 0
    for number, found in enumerate(statements.find(turn.text)):
        if before.repeats(found.text):
            continue
        attrs: dict[str, Json] = {"turn": turn.uuid}
        if relative := dates.resolve(found.text, turn.at):
            attrs["dates"] = relative
        until = parse(found.until + DAY_END) if _is_day(found.until) else None
        preference = found.type is Type.PREFERENCE
        draft = Draft(
            found.kind,
            found.text,
            type=found.type,
            scope=Scope.PRIVATE if preference else None,
            project="" if preference and found.everywhere else session.project,
            importance=0.7,
            valid_from=turn.at,
            valid_to=until if until is None or until > turn.at else None,
            attrs=attrs,
        )
        origin = provenance(Channel.USER_MESSAGE, session.id, found.text)
        outcome = write.commit_in(door, unit, Add(draft, origin, f"said/{_turn_key(session, turn)}/{number}"))
        new += isinstance(outcome, Written)
    return new


def _is_day(text: str) -> bool:
    from perdure.domain.errors import UsageError

    try:
        return bool(text) and parse(text) is not None
    except UsageError:
        return False
