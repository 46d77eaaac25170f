from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.errors import UsageError
from perdure.domain.instants import DAY, day, from_datetime, iso, minute, parse, to_datetime

pytestmark = pytest.mark.req("ledger.instants")

NOON = from_datetime(datetime(2026, 3, 1, 12, 0, tzinfo=UTC))


def test_a_bare_date_is_midnight():
    assert iso(parse("2026-03-01")) == "2026-03-01T00:00:00+00:00"


def test_an_offset_is_honoured():
    assert parse("2026-03-01T13:00:00+01:00") == NOON


def test_a_time_without_offset_is_the_user_s_own():
    tokyo = timezone(timedelta(hours=9))

    assert parse("2026-03-01T21:00", lambda moment: moment.replace(tzinfo=tokyo)) == NOON


@pytest.mark.parametrize("text", ["yesterday", "", "2026-13-01", "2026-02-30", "1", "0001-01-01T00:00:00+23:00x"])
def test_what_is_no_date_is_refused_with_an_example(text):
    with pytest.raises(UsageError, match="Write it like 2026-03-01"):
        parse(text)


@given(st.datetimes(timezones=st.just(UTC)))
def test_an_instant_survives_the_round_trip(moment):
    assert to_datetime(from_datetime(moment)) == moment
    assert parse(iso(from_datetime(moment))) == from_datetime(moment)


@given(st.integers())
def test_any_integer_can_be_shown(instant):
    assert day(instant)[4:5] == "-" or day(instant)[0] in "0123456789"


def test_days_and_minutes_are_shown_in_utc():
    assert (day(NOON + DAY), minute(NOON)) == ("2026-03-02", "2026-03-01 12:00")
