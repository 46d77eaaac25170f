from __future__ import annotations

import random

import pytest

from benchmarks._lib import Options
from benchmarks.gates import _order, kill, power
from benchmarks.gates._disk import Op, crashes

pytestmark = pytest.mark.req("durable.acknowledged")

TINY = Options("tiny")


def values(figures):
    return {figure.name: figure.value for figure in figures}


@pytest.mark.req("durable.kill")
def test_what_a_killed_writer_acknowledged_is_there_once():
    found = values(kill.writers_killed(random.Random(1), 2, "after", "K1"))
    assert found["K1: acknowledged"] >= 2
    assert [found[f"K1: {flaw}"] for flaw in ("lost", "doubled", "damaged")] == [0, 0, 0]


@pytest.mark.req("durable.kill")
def test_the_gate_sees_a_writer_that_acknowledges_before_the_commit():
    (figure,) = kill.writers_killed(random.Random(1), 8, "before", "control")
    assert figure.value >= 1
    assert figure.met


@pytest.mark.req("durable.kill")
def test_killed_hooks_and_workers_lose_and_double_nothing():
    found = values(kill.path_killed(random.Random(1), 4))
    flaws = ("lost", "doubled", "waiting afterwards", "damaged")
    assert found["K2 whole path: acknowledged"] > 0
    assert [found[f"K2 whole path: {flaw}"] for flaw in flaws] == [0, 0, 0, 0]


@pytest.mark.req("durable.power")
def test_a_power_loss_takes_nothing_that_was_acknowledged():
    assert power.fail("FULL", 20, 12, 1) == (0, 0, 0)


@pytest.mark.req("durable.power")
@pytest.mark.parametrize("level", ["NORMAL", "OFF"])
def test_the_gate_sees_that_a_weaker_setting_loses(level):
    lost, hit, _damaged = power.fail(level, 20, 12, 1)
    assert lost >= hit > 0


@pytest.mark.req("durable.power")
def test_a_crash_keeps_what_was_synced_and_tears_the_rest_at_sectors():
    log = [
        Op("write", "a", 0, b"s" * 1024),
        Op("sync", "a"),
        Op("ack", "first"),
        Op("write", "a", 100, b"n" * 924),
        Op("ack", "second"),
    ]
    found = list(crashes(log, [3] + [5] * 40, random.Random(2)))

    assert (found[0].files, found[0].acknowledged) == ({"a": b"s" * 1024}, ("first",))
    head, old, new = b"s" * 100, b"s", b"n"
    assert {crash.files["a"] for crash in found[1:]} == {
        head + one * 412 + other * 512 for one in (old, new) for other in (old, new)
    }
    assert found[-1].acknowledged == ("first", "second")


@pytest.mark.req("durable.power")
def test_a_new_file_whose_name_is_not_synced_may_be_gone_and_a_deleted_one_may_be_back():
    log = [Op("write", "a", 0, b"x"), Op("sync", "a"), Op("write", "b", 0, b"y"), Op("delete", "a")]
    left = {tuple(sorted(crash.files)) for crash in crashes(log, [4] * 60, random.Random(3))}
    assert left == {(), ("a",), ("b",), ("a", "b")}

    synced = [*log, Op("write", "c-wal", 0, b"z"), Op("sync", "c-wal")]
    after = {tuple(sorted(crash.files)) for crash in crashes(synced, [6] * 60, random.Random(3))}
    assert after == {("b", "c-wal")}


@pytest.mark.req("durable.order")
def test_a_spool_file_is_safe_when_it_and_then_its_directory_were_synced():
    synced = "12 fsync(3</s/a.tmp>) = 0\n"
    renamed = '12 rename("/s/a.tmp", "/s/a.json") = 0\n'
    directory = "12 fsync(4</s>) = 0\n"
    assert _order.unsynced([synced, renamed, directory]) == (1, 0)
    assert _order.unsynced([renamed, directory]) == (1, 1)
    assert _order.unsynced([synced, renamed]) == (1, 1)
    assert _order.unsynced([directory, synced, renamed]) == (1, 1)
    assert _order.unsynced([synced.replace("= 0", "= -1 EIO"), renamed, directory]) == (1, 1)


@pytest.mark.req("durable.order")
def test_every_hook_syncs_before_it_exits(monkeypatch):
    figures = _order.measure(TINY)
    if figures[0].name == _order.SKIPPED:
        assert figures[0].met, "strace is missing, and PERDURE_TEST_ALL makes that an error"
        pytest.skip(_order.SKIPPED)
    assert [(figure.value, figure.met) for figure in figures] == [(5, True), (0, True), (1, True)]


@pytest.mark.req("durable.order")
@pytest.mark.parametrize(("everything", "met"), [("", True), ("1", False)])
def test_without_strace_the_gate_says_so_and_fails_only_where_all_must_run(monkeypatch, everything, met):
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setenv("PERDURE_TEST_ALL", everything)
    assert [(figure.name, figure.met) for figure in _order.measure(TINY)] == [(_order.SKIPPED, met)]
