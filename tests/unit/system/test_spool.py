from __future__ import annotations

import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.spool import Pointer
from perdure.system.spool import DirectorySpool

pytestmark = pytest.mark.req("hook.spool")


@pytest.fixture
def spool(tmp_path):
    return DirectorySpool(str(tmp_path / "spool"))


def pointer(session="s1", at=5, **more):
    return Pointer("claude-code", "stop", session, at, **more)


def test_what_is_kept_comes_back_in_order_of_arrival(spool):
    later, sooner = pointer(at=9, transcript="/t", size=3), pointer(at=2, cwd="/w", turn="p1")
    spool.put(later)
    spool.put(sooner)

    assert [found for _name, found in spool.pending()] == [sooner, later]


def test_events_of_the_same_instant_are_both_kept(spool):
    for _ in range(3):
        spool.put(pointer())

    assert [found for _name, found in spool.pending()] == [pointer()] * 3


def test_what_was_removed_is_gone_and_removing_it_twice_is_no_error(spool):
    spool.put(pointer())
    names = spool.names()

    spool.remove(names)
    spool.remove(names)

    assert spool.names() == []


def test_an_empty_or_missing_spool_holds_nothing(spool):
    assert (spool.names(), list(spool.pending()), spool.marks("s1"), spool.damaged()) == ([], [], {}, [])


def test_only_the_owner_can_read_it(spool):
    spool.put(pointer())

    modes = {
        stat.S_IMODE(os.stat(path).st_mode)
        for path in (spool.directory, os.path.join(spool.directory, spool.names()[0]))
    }
    assert modes == {0o700, 0o600}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"v":1}',
        b"\xff\xff",
        b'{"host":1,"event":2,"session":3,"at":"x"}',
        b"[" * 10_000,
    ],
)
def test_a_broken_event_is_set_aside_and_the_good_ones_are_kept(spool, data):
    spool.put(pointer())
    with open(os.path.join(spool.directory, "0-broken.json"), "wb") as file:
        file.write(data)

    assert [found for _name, found in spool.pending()] == [pointer()]
    assert [os.path.basename(path) for path in spool.damaged()] == ["0-broken.json"]


def test_marks_tell_what_one_session_was_just_given(spool):
    spool.put(pointer(via="start", memories=["a", "b"]))
    spool.put(pointer(at=6, via="prompt", memories=["c"]))
    spool.put(pointer("s2", via="start", memories=["d"]))
    spool.put(pointer(at=7))

    assert spool.marks("s1") == {"a": "start", "b": "start", "c": "prompt"}


def test_a_waiting_capture_of_a_session_is_seen(spool):
    spool.put(pointer("s2"))
    spool.put(pointer(via="start", memories=["a"]))

    assert (spool.holds("s1"), spool.holds("s2")) == (False, True)


def test_a_disk_that_takes_nothing_is_an_error_and_leaves_nothing_behind(spool, monkeypatch):
    spool.put(pointer())

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        spool.put(pointer(at=6))

    assert [name for name in os.listdir(spool.directory) if name.endswith(".tmp")] == []
    assert len(spool.names()) == 1


@given(st.text(), st.text(), st.lists(st.text()))
def test_any_text_survives_the_spool(tmp_path_factory, session, path, memories):
    spool = DirectorySpool(str(tmp_path_factory.mktemp("spool")))
    kept = Pointer("h", "e", session, 1, transcript=path, memories=memories, via="start")

    spool.put(kept)

    assert [found for _name, found in spool.pending()] == [kept]
