"""Instants: whole microseconds since 1970-01-01 UTC inside, ISO 8601 with an offset at the edges.

An integer orders, compares and stores the same way in every engine and every time zone.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from perdure.domain.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def from_datetime(moment: datetime) -> int:
    """Microseconds since the epoch of an aware datetime."""
    return (moment - _EPOCH) // _MICROSECOND


def to_datetime(instant: int) -> datetime:
    """The aware UTC datetime of an instant; instants outside years 1 to 9999 are clamped."""
    try:
        return _EPOCH + timedelta(microseconds=instant)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC) if instant > 0 else datetime.min.replace(tzinfo=UTC)


def as_utc(moment: datetime) -> datetime:
    """Take a time without an offset as UTC."""
    return moment.replace(tzinfo=UTC)


def parse(text: str, localise: Callable[[datetime], datetime] = as_utc) -> int:
    """Read an ISO 8601 date or date-time.

    A bare date is midnight; a time without an offset gets one from ``localise``, which takes it as UTC unless told.
    Raises ``UsageError`` with the text and an example of what is accepted.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        message = f"'{text}' is not a date. Write it like 2026-03-01 or 2026-03-01T14:30:00+00:00."
        raise UsageError(message) from None
    if moment.tzinfo is None:
        moment = localise(moment)
    try:
        return from_datetime(moment)
    except OverflowError:
        message = f"'{text}' lies outside the years 1 to 9999."
        raise UsageError(message) from None


def iso(instant: int) -> str:
    """ISO 8601 with offset, in UTC, microseconds only where there are any."""
    return to_datetime(instant).isoformat()


def day(instant: int) -> str:
    """The UTC calendar day, ``YYYY-MM-DD``."""
    return to_datetime(instant).date().isoformat()


def minute(instant: int) -> str:
    """The UTC minute, ``YYYY-MM-DD HH:MM``: what a person is shown."""
    return to_datetime(instant).strftime("%Y-%m-%d %H:%M")
