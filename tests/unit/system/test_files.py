from __future__ import annotations

import os
import stat

import pytest

from perdure.system.files import append_line, read_text, replace_text
from perdure.system.lease import Lease

pytestmark = pytest.mark.req("system.files")


def test_a_file_is_replaced_whole_and_readable_by_its_owner_only(tmp_path):
    path = str(tmp_path / "deep" / "settings")
    replace_text(path, "one")
    replace_text(path, "two\r\n")

    assert read_text(path) == "two\r\n"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert os.listdir(tmp_path / "deep") == ["settings"]


def test_a_failed_replacement_leaves_the_old_file(tmp_path, monkeypatch):
    path = str(tmp_path / "settings")
    replace_text(path, "old")
    monkeypatch.setattr(os, "fsync", lambda _handle: (_ for _ in ()).throw(OSError(5, "Input/output error")))

    with pytest.raises(OSError, match="Input/output error"):
        replace_text(path, "new")

    assert (read_text(path), os.listdir(tmp_path)) == ("old", ["settings"])


def test_a_missing_file_is_none_and_bad_bytes_are_replaced(tmp_path):
    (tmp_path / "bad").write_bytes(b"a\xffb")

    assert (read_text(str(tmp_path / "none")), read_text(str(tmp_path / "bad"))) == (None, "a\ufffdb")


def test_a_log_keeps_one_generation_when_it_grows_over_its_cap(tmp_path):
    path = str(tmp_path / "logs" / "hook.log")
    for line in ("first", "second", "third"):
        append_line(path, line, cap=8)

    assert (read_text(path), read_text(f"{path}.1")) == ("third\n", "first\nsecond\n")


def test_a_lease_is_held_by_one_and_free_again_when_given_back(tmp_path):
    path = str(tmp_path / "lock")
    one, other = Lease(path), Lease(path)

    assert (one.take(), other.take()) == (True, False)
    one.release()
    one.release()
    assert other.take()
    other.release()


def test_a_lease_that_is_handed_down_is_held_until_the_heir_gives_it_back(tmp_path):
    path = str(tmp_path / "lock")
    giver, heir, third = Lease(path), Lease(path), Lease(path)
    assert giver.take()
    handle = os.dup(giver.hand_down())  # as a child has it
    giver.release()

    assert (third.take(), heir.adopt(handle), third.take()) == (False, True, False)
    heir.release()
    assert third.take()
    third.release()


def test_a_descriptor_that_is_no_lease_is_not_adopted(tmp_path):
    path = str(tmp_path / "lock")
    assert Lease(path).take()
    with open(tmp_path / "other", "w") as other:
        assert (Lease(path).adopt(other.fileno()), Lease(path).adopt(9999)) == (False, False)
