"""What the services need from outside the ledger: time, names, repositories, hosts, models."""

from __future__ import annotations

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from perdure.domain.commit import Commit
    from perdure.domain.event import HostEvent
    from perdure.domain.json import Json
    from perdure.domain.orders import Answer, Question
    from perdure.domain.session import SessionRef, Transcript
    from perdure.domain.spool import Pointer


class Clock(Protocol):
    """The only source of the time."""

    def now(self) -> int:
        """Microseconds since the epoch, UTC."""
        ...


class Ids(Protocol):
    """The only source of new names."""

    def new(self) -> str:
        """A fresh UUIDv7 in its text form."""
        ...

    def nonce(self) -> str:
        """128 random bits as 32 hexadecimal digits."""
        ...


class Spool(Protocol):
    """Where hooks leave what happened, one small durable file an event."""

    def put(self, pointer: Pointer) -> None:
        """Keep a pointer durably before returning."""
        ...

    def pending(self) -> Iterable[tuple[str, Pointer]]:
        """Names and pointers in order of arrival; an unreadable file is set aside and named."""
        ...

    def remove(self, names: Iterable[str]) -> None:
        """Drop what has been recorded."""
        ...


class Repo(Protocol):
    """The git repositories that sessions work in: read, never written."""

    def head(self, root: str) -> str:
        """The commit that is checked out; empty where there is none."""
        ...

    def history(self, root: str, *, after: str, since: int, limit: int) -> Sequence[Commit]:
        """Commits that HEAD reaches and ``after`` does not, oldest first, none committed before ``since``."""
        ...

    def email(self, root: str) -> str:
        """The address that the user commits with there; empty where git has none."""
        ...


class Host(Protocol):
    """One agent host: its events, its replies and its transcripts."""

    name: str

    def parse(self, event: str, payload: Mapping[str, Json]) -> HostEvent | None:
        """Read a hook payload; None where the event says nothing to us."""
        ...

    def render(self, event: HostEvent, text: str) -> str:
        """The host's reply that puts ``text`` before its model."""
        ...

    def transcripts(self, root: str) -> Iterable[SessionRef]:
        """Sessions that the host keeps below ``root``."""
        ...

    def read(self, path: str, offset: int, limit: int) -> Transcript:
        """Whole records from byte ``offset`` on, about ``limit`` bytes at most."""
        ...


class Model(Protocol):
    """A language model, or whatever answers in its place."""

    @property
    def name(self) -> str:
        """The backend and the model, for people; never a key."""
        ...

    def complete(self, question: Question) -> Answer:
        """Ask once. Raises ``ModelUnavailable``, ``ModelRefused`` or ``ModelInvalid``."""
        ...


class Deadline(Protocol):
    """How long something may still take."""

    def expired(self) -> bool:
        """Whether the time is used up."""
        ...

    def left(self) -> float:
        """Seconds left, never below zero."""
        ...
