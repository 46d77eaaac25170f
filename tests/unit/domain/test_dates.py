from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.dates import resolve
from perdure.domain.instants import parse

pytestmark = pytest.mark.req("capture.relative-times")

WEDNESDAY = parse("2026-03-04T09:00:00+00:00")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday it broke.", {"yesterday": "2026-03-03"}),
        ("Since last Friday.", {"last friday": "2026-02-27"}),
        ("Last Wednesday we met.", {"last wednesday": "2026-02-25"}),
        ("It failed two weeks ago", {"two weeks ago": "2026-02-18"}),
        ("3 days ago", {"3 days ago": "2026-03-01"}),
        ("the day before yesterday", {"day before yesterday": "2026-03-02"}),
        ("gestern und heute", {"gestern": "2026-03-03", "heute": "2026-03-04"}),
        ("昨天用户说", {"昨天": "2026-03-03"}),
        ("last week", {"last week": "2026-02-23"}),
        ("no date at all", {}),
    ],
)
def test_a_relative_day_is_counted_from_when_it_was_said(text, expected):
    assert resolve(text, WEDNESDAY) == expected


@given(st.text(), st.integers(min_value=-(10**18), max_value=10**18))
def test_any_text_at_any_time_can_be_resolved(text, instant):
    resolve(text, instant)
    resolve(f"yesterday 999 weeks ago tomorrow {text}", instant)
