"""The one tree of errors. The class decides the exit code.

Outcomes that a caller must expect (a duplicate, a conflict on write) are values, see
``perdure.domain.change``; what is raised here means that the request could not be answered.
"""

from __future__ import annotations


class PerdureError(Exception):
    """Something Perdure can explain: the message says what is wrong, where, and what to do."""

    exit_code = 1


class UsageError(PerdureError):
    """The request itself is malformed: an unknown option, an unreadable date, an invalid setting."""

    exit_code = 2


class NotFound(PerdureError):
    """Nothing the reader may see answers to that name."""

    exit_code = 3


class Refused(PerdureError):
    """Policy, identity or a secret forbids it."""

    exit_code = 4


class Conflict(PerdureError):
    """Something changed meanwhile; look again and repeat."""

    exit_code = 5


class Busy(PerdureError):
    """Another process holds what is needed; the same request may be tried again."""

    exit_code = 6


class Unavailable(PerdureError):
    """A database, model or program that is needed cannot be reached."""

    exit_code = 7


class ModelUnavailable(Unavailable):
    """No model answers: none is configured as it must be, or its server or program does not do its part."""


class ModelRefused(Refused):
    """The model, or its server, will not answer this question; asked again it would say the same."""


class ModelInvalid(Unavailable):
    """The model answered, and not what it was asked for. ``answer`` is what came, as far as it was text."""

    def __init__(self, message: str, answer: str = "") -> None:
        """Say what is wrong with the answer, so that the model can be told."""
        super().__init__(message)
        self.answer = answer


class Corrupt(PerdureError):
    """Stored data is damaged. It is set aside and named, never treated as empty."""

    exit_code = 8
