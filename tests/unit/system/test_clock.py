from __future__ import annotations

import uuid

import pytest
import time_machine

from perdure.system.clock import Deadline, SystemClock, stopwatch
from perdure.system.ids import SystemIds

pytestmark = pytest.mark.req("system.clock")


def test_the_clock_counts_microseconds_in_utc():
    with time_machine.travel("2026-03-01T00:00:00+09:00", tick=False):
        assert SystemClock().now() == 1_772_290_800_000_000


def test_a_deadline_runs_out():
    assert (Deadline(0).expired(), Deadline(0).left(), Deadline(60).expired()) == (True, 0.0, False)
    assert 0 < Deadline(60).left() <= 60


def test_a_stopwatch_never_runs_backwards():
    assert stopwatch() <= stopwatch()


def test_names_are_fresh_uuids_of_version_seven_and_nonces_have_128_bits():
    ids = SystemIds()

    assert uuid.UUID(ids.new()).version == 7
    assert len({ids.new() for _ in range(1000)}) == 1000
    assert len(bytes.fromhex(ids.nonce())) == 16
