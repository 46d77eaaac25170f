"""What a memory is: an identity, and a chain of revisions that are never changed.

``Memory`` is the identity (who, where, what shape). ``Statement`` is what one revision says and how
it stands. ``Revision`` is a statement with its place in the chain. ``Entry`` is what a read returns.
"""

from __future__ import annotations

from enum import StrEnum

from perdure.domain.record import NOTHING, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.domain.json import Json


class Kind(StrEnum):
    """What shape a memory has. ``KINDS`` is the only place where kinds differ."""

    FACT = "fact"
    EPISODE = "episode"
    FORESIGHT = "foresight"
    CASE = "case"
    NOTE = "note"
    PAGE = "page"
    SESSION = "session"
    SKILL = "skill"
    DOCUMENT = "document"
    TOPIC = "topic"


class Type(StrEnum):
    """What sort of knowledge a memory is."""

    PREFERENCE = "preference"
    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROSPECTIVE = "prospective"
    PROCEDURAL = "procedural"
    SUMMARY = "summary"


class Layer(StrEnum):
    """Which ageing rule holds."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Scope(StrEnum):
    """Who may read: the author alone, or the members of the memory's project."""

    PRIVATE = "private"
    PROJECT = "project"


class State(StrEnum):
    """How a statement stands now. Only ``ACTIVE`` statements are given to anyone unasked."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    EXPIRED = "expired"


class Channel(StrEnum):
    """How a statement came in. The channel decides how far it is trusted."""

    USER_MESSAGE = "user_message"
    HAND = "hand"
    ASSISTANT_INFERENCE = "assistant_inference"
    CONSOLIDATION = "consolidation"
    IMPORT = "import"
    TOOL_RESULT = "tool_result"
    DOCUMENT = "document"


class Trust(StrEnum):
    """Whose word it is; a derived memory has the least trust of its lineage."""

    USER = "user"
    MODEL = "model"
    TOOL = "tool"
    EXTERNAL = "external"


TRUST_RANK = {Trust.USER: 3, Trust.MODEL: 2, Trust.TOOL: 1, Trust.EXTERNAL: 0}

TRUST_OF_CHANNEL = {
    Channel.USER_MESSAGE: Trust.USER,
    Channel.HAND: Trust.USER,
    Channel.ASSISTANT_INFERENCE: Trust.MODEL,
    Channel.CONSOLIDATION: Trust.MODEL,
    Channel.IMPORT: Trust.MODEL,
    Channel.TOOL_RESULT: Trust.TOOL,
    Channel.DOCUMENT: Trust.EXTERNAL,
}


def least_trust(*trusts: Trust) -> Trust:
    """The minimum over a lineage; an empty lineage is not trusted."""
    return min(trusts, key=TRUST_RANK.__getitem__, default=Trust.EXTERNAL)


def may_be_injected(trust: Trust) -> bool:
    """Text that came from tools, files or the web is found when asked for, and never given unasked."""
    return TRUST_RANK[trust] >= TRUST_RANK[Trust.MODEL]


@record
class KindRule:
    """The defaults of one kind."""

    type: Type
    layer: Layer
    scope: Scope
    codec: str
    ages: bool
    repeats: bool
    """Whether two memories of this kind may say the same thing (two days can be alike; two facts are one)."""
    corrects: bool = False
    """Whether a new memory of this kind may repeat or correct an older one."""


KINDS: Mapping[Kind, KindRule] = {
    Kind.FACT: KindRule(
        Type.SEMANTIC, Layer.SEMANTIC, Scope.PROJECT, "monthly", ages=False, repeats=False, corrects=True
    ),
    Kind.EPISODE: KindRule(Type.EPISODIC, Layer.EPISODIC, Scope.PROJECT, "daily", ages=False, repeats=True),
    Kind.FORESIGHT: KindRule(Type.PROSPECTIVE, Layer.EPISODIC, Scope.PROJECT, "daily", ages=False, repeats=False),
    Kind.CASE: KindRule(Type.PROCEDURAL, Layer.PROCEDURAL, Scope.PROJECT, "daily", ages=False, repeats=True),
    Kind.NOTE: KindRule(Type.EPISODIC, Layer.EPISODIC, Scope.PRIVATE, "journal", ages=False, repeats=True),
    Kind.PAGE: KindRule(Type.SUMMARY, Layer.SEMANTIC, Scope.PROJECT, "page", ages=True, repeats=False),
    Kind.SESSION: KindRule(Type.SUMMARY, Layer.WORKING, Scope.PROJECT, "page", ages=True, repeats=True),
    Kind.SKILL: KindRule(Type.PROCEDURAL, Layer.PROCEDURAL, Scope.PROJECT, "skill", ages=True, repeats=False),
    Kind.DOCUMENT: KindRule(Type.SUMMARY, Layer.SEMANTIC, Scope.PROJECT, "knowledge", ages=False, repeats=False),
    Kind.TOPIC: KindRule(Type.SEMANTIC, Layer.SEMANTIC, Scope.PROJECT, "knowledge", ages=False, repeats=True),
}


@record
class Memory:
    """An identity. ``project`` is empty for a memory that belongs to no project."""

    id: str
    kind: Kind
    author: str
    scope: Scope
    project: str
    created: int


@record
class Statement:
    """What one revision says and how it stands.

    ``valid_from`` and ``valid_to`` are event time in microseconds, the end exclusive and open when None;
    ``importance`` and ``confidence`` lie in 0..1; ``expires`` is when the statement ends by itself.
    """

    body: str
    type: Type
    valid_from: int
    title: str = ""
    valid_to: int | None = None
    importance: float = 0.5
    confidence: float = 0.8
    state: State = State.ACTIVE
    pinned: bool = False
    expires: int | None = None
    tags: tuple[str, ...] = ()
    attrs: Mapping[str, Json] = NOTHING

    def holds_at(self, instant: int) -> bool:
        """Whether event time ``instant`` lies in the validity window."""
        return self.valid_from <= instant and (self.valid_to is None or instant < self.valid_to)


def disjoint(one: Statement, other: Statement) -> bool:
    """Whether two statements hold at no common time, so that each may stand beside the other."""
    return not _reaches(one, other) or not _reaches(other, one)


def _reaches(one: Statement, other: Statement) -> bool:
    return one.valid_to is None or one.valid_to > other.valid_from


@record
class Provenance:
    """Where a revision came from. ``excerpt`` is redacted; ``trust`` is the minimum over the lineage."""

    channel: Channel
    trust: Trust
    session: str = ""
    excerpt: str = ""


def provenance(channel: Channel, session: str = "", excerpt: str = "") -> Provenance:
    """Provenance with the trust that the channel itself earns."""
    return Provenance(channel, TRUST_OF_CHANNEL[channel], session, excerpt)


class Cause(StrEnum):
    """Why a revision was written."""

    ADDED = "added"
    SUPERSEDED = "superseded"
    CLOSED = "closed"
    EDITED = "edited"
    GREW = "grew"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    FEEDBACK = "feedback"
    FORGOTTEN = "forgotten"
    UNDONE = "undone"


@record
class Revision:
    """One immutable version.

    ``seq`` orders all revisions of a store and alone decides what is latest; ``wording`` is the ``seq`` of
    the revision that first said these words, so that pins and closings do not index a text again;
    ``change`` numbers the change that wrote it, so that one change can be undone whole.
    """

    seq: int
    id: str
    memory: str
    parent: str
    statement: Statement
    recorded_at: int
    recorded_by: str
    cause: Cause
    digest: str
    wording: int
    change: int
    provenance: Provenance


@record
class Link:
    """A directed relation between two memories."""

    src: str
    dst: str
    kind: str


SUPERSEDES = "supersedes"
MERGED_INTO = "merged_into"


@record
class Entry:
    """A memory with the revision that a read found for it."""

    memory: Memory
    revision: Revision


@record
class Moment:
    """The two times of a read, in microseconds.

    ``as_of`` keeps statements that hold at that event time, superseded ones included if they held then; None keeps
    all. ``known_at`` takes each memory as it was recorded then; None takes all that is recorded.
    """

    as_of: int | None = None
    known_at: int | None = None


LATEST = Moment()


def stands_at(statement: Statement, at: Moment) -> bool:
    """Whether a read at ``at`` returns the statement. What was retracted never held."""
    return at.as_of is None or (statement.state is not State.RETRACTED and statement.holds_at(at.as_of))


HANDLE_LENGTH = 8


def handle(memory_id: str) -> str:
    """The short name of a memory that people see and type: the start of its id's random last group."""
    return memory_id.rpartition("-")[2][:HANDLE_LENGTH]
