from __future__ import annotations

import json
import os
import sys
import tracemalloc

import pytest

from perdure.domain.errors import NotFound, Unavailable
from perdure.domain.session import Defect, SessionRef, Transcript
from perdure.hosts import jsonl
from perdure.hosts.claude_code import transcript
from perdure.hosts.claude_code.transcript import read, transcripts
from tests.unit.hosts.kit import CWD, MINUTE, NINE, line, text, user, write

ALL = 1 << 30
BAD = "hosts.bad-transcripts"
MEBIBYTE = 1 << 20


def words(piece):
    return [turn.text for turn in piece.turns]


def faults(piece):
    return [(defect.offset, defect.reason) for defect in piece.defects]


def pieces(path, limit):
    found = [read(path, 0, limit)]
    while found[-1].more:
        found.append(read(path, found[-1].end, limit))
    return found


def prompt(number, **more):
    return user(f"Prompt {number}.", f"u-{number}", **more)


ONE, TWO, THREE = (line(prompt(number)) for number in (1, 2, 3))
ONLY = [f"Prompt {number}." for number in (1, 2, 3)]


@pytest.mark.req("hosts.transcript-offsets")
def test_reading_goes_on_where_the_last_reading_ended(tmp_path):
    path = write(tmp_path / "t.jsonl", ONE, TWO)

    first = read(path, 0, ALL)
    assert (words(first), first.end, first.more) == (ONLY[:2], len(ONE + TWO), False)
    assert read(path, first.end, ALL) == Transcript((), first.end, first.end)

    write(tmp_path / "t.jsonl", ONE, TWO, THREE)
    second = read(path, first.end, ALL)
    assert (words(second), second.offset, second.end) == (ONLY[2:], first.end, len(ONE + TWO + THREE))


@pytest.mark.req("hosts.transcript-offsets")
def test_a_reading_stops_at_its_bound_and_says_so(tmp_path):
    path = write(tmp_path / "t.jsonl", ONE, TWO, THREE)

    found = pieces(path, 1)

    assert [words(piece) for piece in found] == [[prompt] for prompt in ONLY]
    assert [piece.more for piece in found] == [True, True, False]
    assert words(read(path, 0, len(ONE) + 1)) == ONLY[:2]


@pytest.mark.req("hosts.transcript-offsets")
def test_a_torn_last_line_stays_for_later_and_a_whole_one_does_not(tmp_path):
    for cut in range(1, len(TWO) - 1):
        piece = read(write(tmp_path / "t.jsonl", ONE, TWO[:cut]), 0, ALL)
        assert (words(piece), piece.end, piece.defects, piece.more) == (ONLY[:1], len(ONE), (), False)

    whole = read(write(tmp_path / "t.jsonl", ONE, TWO[:-1]), 0, ALL)
    assert (words(whole), whole.end) == (ONLY[:2], len(ONE + TWO) - 1)

    path = write(tmp_path / "t.jsonl", ONE, TWO, THREE)
    assert words(read(path, whole.end, ALL)) == ONLY[2:]
    path = write(tmp_path / "t.jsonl", ONE, TWO[:-1], b"\r\n", THREE)
    assert words(read(path, whole.end, ALL)) == ONLY[2:]


@pytest.mark.req("hosts.transcript-offsets")
def test_an_offset_inside_a_line_reads_that_line_whole(tmp_path):
    path = write(tmp_path / "t.jsonl", ONE, TWO, THREE)

    for offset in range(len(ONE) + 1, len(ONE + TWO) - 1):
        piece = read(path, offset, ALL)
        assert (words(piece), piece.defects) == (ONLY[1:], ())


@pytest.mark.req("hosts.transcript-offsets")
def test_a_file_that_became_shorter_is_read_from_its_beginning_and_named(tmp_path):
    path = write(tmp_path / "t.jsonl", ONE)

    piece = read(path, 10_000, ALL)

    assert (words(piece), piece.offset, piece.end) == (ONLY[:1], 0, len(ONE))
    assert faults(piece) == [(len(ONE), transcript.SHORTER)]


@pytest.mark.req("hosts.transcript-times")
def test_times_are_utc_and_a_record_without_one_has_that_of_the_one_before(tmp_path):
    records = [
        prompt(1, timestamp="2026-05-04T11:00:00.5+02:00"),
        {"type": "attachment", "timestamp": "2026-05-04T09:01:00Z"},
        prompt(2, timestamp=None),
        prompt(3, timestamp="yesterday"),
        prompt(4, timestamp=1_777_885_200),
        prompt(5, timestamp="9999-12-31T23:59:59-23:59"),
        prompt(6, timestamp="2026-05-04"),
    ]
    path = write(tmp_path / "t.jsonl", *records)

    ats = [turn.at for turn in read(path, 0, ALL).turns]

    before = NINE + MINUTE
    midnight = NINE - 9 * 60 * MINUTE
    late = ats[4]
    assert ats == [NINE + 500_000, before, before, before, late, midnight]
    assert late > 253_402_300_799_000_000


@pytest.mark.req("hosts.transcript-times")
def test_the_record_before_counts_even_where_another_reading_had_it(tmp_path):
    path = write(tmp_path / "t.jsonl", prompt(1), b"torn\n", {"type": "mode"}, prompt(2, timestamp=None))
    start = len(ONE)

    piece = read(path, start, ALL)

    assert [turn.at for turn in piece.turns] == [NINE]


@pytest.mark.req("hosts.transcript-times")
def test_without_any_time_the_files_own_is_taken(tmp_path):
    path = write(tmp_path / "t.jsonl", prompt(1, timestamp=None))
    os.utime(path, ns=(0, 1_234_567_890_123))

    assert [turn.at for turn in read(path, 0, ALL).turns] == [1_234_567_890]


@pytest.mark.req("hosts.claude-records")
def test_the_last_working_directory_counts_whichever_record_names_it(tmp_path):
    path = write(
        tmp_path / "t.jsonl",
        prompt(1, cwd="/a"),
        {"type": "attachment", "cwd": "/b\ud83d"},
        prompt(2, cwd=None),
        prompt(3, cwd=""),
        prompt(4, cwd="/" + "x" * 5000),
    )

    assert read(path, 0, ALL).cwd == "/b�"


@pytest.mark.req(BAD)
def test_the_kinds_of_records_that_are_counted_are_bounded(tmp_path):
    path = write(tmp_path / "t.jsonl", *({"type": f"kind-{number}"} for number in range(500)))

    skipped = read(path, 0, ALL).skipped

    assert len(skipped) == 101
    assert (skipped["kind-0"], skipped["other"]) == (1, 400)


@pytest.mark.req(BAD)
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"not json", jsonl.NOT_JSON),
        (ONE[:40], jsonl.NOT_JSON),
        (b'{"type": "user",}', jsonl.NOT_JSON),
        (b"{'type': 'user'}", jsonl.NOT_JSON),
        (b"<<<<<<< HEAD", jsonl.NOT_JSON),
        (b"[1, 2]", jsonl.NOT_OBJECT),
        (b'"text"', jsonl.NOT_OBJECT),
        (b"null", jsonl.NOT_OBJECT),
        (b"\xff\xfe\xfd", jsonl.NOT_JSON),
        (b"\0\0\0", jsonl.NULS),
        (b'{"type": "us\0er"}', jsonl.NULS),
        (b"\0" + ONE[:40], jsonl.NULS),
        (b"\xe2\x80\xa8", jsonl.NOT_JSON),
        (b"[" * 100_000, jsonl.DEEP),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, jsonl.DEEP),
        (b'{"a": [' + b"0," * jsonl.MAX_VALUES + b"0]}", jsonl.CROWDED),
    ],
    ids=lambda value: value[:24] if isinstance(value, bytes) else "",
)
def test_a_bad_line_is_named_once_and_the_good_ones_are_kept(tmp_path, bad, reason):
    path = write(tmp_path / "t.jsonl", ONE, bad + b"\n", TWO, THREE)

    piece = read(path, 0, ALL)

    assert words(piece) == ONLY
    assert piece.defects == (Defect(path, len(ONE), reason),)
    assert piece.end == os.path.getsize(path)
    assert faults(read(path, piece.end, ALL)) == []


@pytest.mark.req(BAD)
@pytest.mark.parametrize(
    "good",
    [
        b"\xef\xbb\xbf" + ONE,
        ONE[:-1] + b"\r\n",
        b"\n\n  \t\r\n" + ONE,
        b" \t" + ONE,
        ONE.replace(b"{", b"{ \r", 1),
        json.dumps(prompt(1) | {"x": "a\u2028b\u0085c\x0b"}, ensure_ascii=False).encode() + b"\n",
        json.dumps(prompt(1) | {"x": "\ud800"}).encode() + b"\n",
        json.dumps(prompt(1) | {"x": "tab"}).replace("tab", "\t").encode() + b"\n",
        line(prompt(1))[:-2] + b', "n": ' + b"9" * 100_000 + b', "f": 1e999, "m": -1e-999, "nan": NaN}\n',
        line(prompt(1) | {"x": None})[:-2].replace(b"null}", b"") + b', "uuid": "u-1"}\n',
        line(prompt(1))[:-2] + b', "deep": ' + b"[" * 200 + b"]" * 200 + b"}\n",
    ],
    ids=["bom", "crlf", "blank", "space", "cr", "u2028", "surrogate", "control", "numbers", "twice", "deep"],
)
def test_an_odd_line_that_can_be_read_is_read(tmp_path, good):
    piece = read(write(tmp_path / "t.jsonl", good, TWO, THREE), 0, ALL)

    assert (words(piece), piece.defects) == (ONLY, ())


@pytest.mark.req(BAD)
def test_u2028_inside_a_text_is_part_of_it(tmp_path):
    record = json.dumps(user("a\u2028b\u2029c"), ensure_ascii=False).encode() + b"\n"

    assert words(read(write(tmp_path / "t.jsonl", record), 0, ALL)) == ["a\u2028b\u2029c"]


@pytest.mark.req(BAD)
@pytest.mark.parametrize("bad", [b"\xff", b"\xed\xa0\x80", b"\xc3", b"\xf5\x80\x80\x80"])
def test_bytes_that_are_no_utf8_are_replaced_and_named(tmp_path, bad):
    path = write(tmp_path / "t.jsonl", ONE.replace(b"Prompt 1.", b"a" + bad + b"z"), TWO)

    piece = read(path, 0, ALL)

    assert [words(piece)[0].strip("�az"), *words(piece)[1:]] == ["", "Prompt 2."]
    assert "�" in words(piece)[0]
    assert faults(piece) == [(0, jsonl.NOT_UTF8)]


@pytest.mark.req(BAD)
@pytest.mark.parametrize("glue", [b"", b"\0", b"\0" * 5000, b" ", b"\0\0 "])
@pytest.mark.parametrize("cut", [10, 80, len(ONE) - 3])
def test_a_good_record_glued_to_a_torn_one_is_found(tmp_path, glue, cut):
    path = write(tmp_path / "t.jsonl", ONE[:cut], glue, TWO, THREE)

    piece = read(path, 0, ALL)

    assert words(piece) == ONLY[1:]
    assert piece.turns[0].offset == cut + len(glue.rstrip(b" ") if b"\0" in glue else glue)
    assert [offset for offset, _reason in faults(piece)] == [0]


@pytest.mark.req(BAD)
def test_good_records_around_runs_of_nuls_are_all_found(tmp_path):
    one, two, three = (record.strip() for record in (ONE, TWO, THREE))
    path = write(tmp_path / "t.jsonl", one, b"\0\0", two, b"\0", three, b"\0\0\0\n")

    assert words(read(path, 0, ALL)) == ONLY
    assert faults(read(path, 0, ALL)) == [(0, jsonl.NULS)]

    found = pieces(path, 1)
    assert [word for piece in found for word in words(piece)] == ONLY
    assert [fault for piece in found for fault in faults(piece)] == [(0, jsonl.NULS)]


@pytest.mark.req(BAD)
def test_two_whole_records_on_one_line_are_both_found(tmp_path):
    path = write(tmp_path / "t.jsonl", ONE.strip(), TWO, THREE)

    assert words(read(path, 0, ALL)) == ONLY


@pytest.mark.req(BAD)
def test_a_file_in_another_encoding_is_named_line_by_line_and_gives_nothing(tmp_path):
    path = write(tmp_path / "t.jsonl", (ONE + TWO).decode().encode("utf-16"))

    piece = read(path, 0, ALL)

    assert (words(piece), {reason for _offset, reason in faults(piece)}) == ([], {jsonl.NULS})
    assert len(piece.defects) == 3
    assert piece.end == os.path.getsize(path)


def peak(path, offset=0, limit=MEBIBYTE):
    tracemalloc.start()
    try:
        piece = read(path, offset, limit)
        return piece, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.req(BAD, "hosts.bounded-memory")
@pytest.mark.parametrize("terminated", [True, False])
def test_a_line_of_100_megabytes_is_passed_over_in_bounded_memory(tmp_path, terminated):
    path = tmp_path / "t.jsonl"
    with path.open("wb") as file:
        file.write(ONE + b'{"parentUuid": null, "x": "')
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n' + TWO if terminated else b"")

    first, used = peak(str(path))
    assert used < 64 * MEBIBYTE
    assert (words(first), faults(first)) == (ONLY[:1], [(len(ONE), jsonl.LONG)])

    with path.open("ab") as file:
        file.write(b"" if terminated else b'more"}\n' + TWO)
    second, used = peak(str(path), first.end)
    assert used < 64 * MEBIBYTE
    assert (words(second), faults(second)) == (ONLY[1:2], [])
    assert second.end == path.stat().st_size


@pytest.mark.req(BAD, "hosts.bounded-memory")
@pytest.mark.parametrize("tail", [b"\n" + TWO, TWO, b""])
def test_a_sparse_file_of_10_gigabytes_is_read_around_its_hole(tmp_path, tail):
    path = tmp_path / "t.jsonl"
    with path.open("wb") as file:
        file.write(ONE)
        file.seek(10 << 30)
        file.write(tail)
        file.truncate()

    tracemalloc.start()
    found = pieces(str(path), MEBIBYTE)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert used < 16 * MEBIBYTE
    assert len(found) <= 4
    assert [word for piece in found for word in words(piece)] == ONLY[: 2 if tail else 1]
    assert [fault for piece in found for fault in faults(piece)] == [(len(ONE), jsonl.NULS)]
    assert found[-1].end == path.stat().st_size


@pytest.mark.req(BAD, "hosts.bounded-memory")
def test_zeros_are_passed_over_where_the_system_knows_no_holes(tmp_path, monkeypatch):
    path = write(tmp_path / "t.jsonl", ONE, b"\0" * (3 * MEBIBYTE), TWO, THREE)

    def refuse(*_args):
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "lseek", refuse)
    assert words(read(path, 0, ALL)) == ONLY
    monkeypatch.delattr(os, "SEEK_DATA", raising=False)
    assert words(read(path, 0, ALL)) == ONLY


@pytest.mark.req(BAD, "hosts.bounded-memory")
def test_a_line_of_very_many_small_values_is_read_in_bounded_memory(tmp_path):
    bombs = [b'{"a":[' + unit * (jsonl.MAX_LINE // len(unit) - 4) + b"0]}\n" for unit in (b"{},", b'{"b":1},')]
    path = write(tmp_path / "t.jsonl", *bombs, ONE)
    del bombs

    piece, used = peak(path, limit=ALL)

    assert used < 100 * MEBIBYTE
    assert (words(piece), len(piece.defects)) == (ONLY[:1], 2)


@pytest.mark.req(BAD, "hosts.bounded-memory")
def test_a_line_of_8_mebibytes_is_still_read(tmp_path):
    frame = len(line(user("")))
    longest = line(user("x" * (jsonl.MAX_LINE - frame + 1)))
    path = write(tmp_path / "t.jsonl", longest, longest[:-1].replace(b"xx", b"xxx", 1), b"\n", TWO)

    piece = read(path, 0, ALL)

    assert [len(word) for word in words(piece)] == [jsonl.MAX_LINE - frame + 1, len("Prompt 2.")]
    assert faults(piece) == [(len(longest), jsonl.LONG)]


@pytest.mark.req(BAD)
def test_a_transcript_that_is_not_there_is_not_taken_for_an_empty_one(tmp_path):
    for path in (str(tmp_path / "none.jsonl"), "", str(tmp_path / "none" / "x.jsonl"), "/\0"):
        with pytest.raises(NotFound):
            read(path, 0, ALL)
    (tmp_path / "file").write_text("")
    with pytest.raises(NotFound):
        read(str(tmp_path / "file" / "x"), 0, ALL)


@pytest.mark.req(BAD)
def test_what_is_no_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")

    with pytest.raises(Unavailable, match="is not a file"):
        read(str(tmp_path / "pipe.jsonl"), 0, ALL)
    with pytest.raises(Unavailable, match="is not a file"):
        read(str(tmp_path), 0, ALL)
    with pytest.raises(Unavailable, match="cannot be opened: File name too long"):
        read("/" + "x" * 5000, 0, ALL)


@pytest.mark.req(BAD)
def test_a_disk_that_fails_in_between_leaves_what_was_read_and_is_named(tmp_path, monkeypatch):
    path = write(tmp_path / "t.jsonl", ONE, line(user("x" * 100_000)), TWO)
    real = os.pread

    def fail(descriptor, count, offset):
        if offset >= 1 << 16:
            raise OSError(5, "Input/output error")
        return real(descriptor, count, offset)

    monkeypatch.setattr(os, "pread", fail)
    piece = read(path, 0, 1000)

    assert (words(piece), piece.end, piece.more) == (ONLY[:1], len(ONE), False)
    assert faults(piece) == [(len(ONE), "The file cannot be read on from here: Input/output error.")]


@pytest.mark.req(BAD)
def test_a_file_cut_off_while_it_is_read_gives_what_was_there(tmp_path, monkeypatch):
    path = write(tmp_path / "t.jsonl", ONE, TWO, THREE)
    real = os.fstat

    def before_the_cut(descriptor):
        status = real(descriptor)
        os.truncate(path, len(ONE) + 20)
        return status

    monkeypatch.setattr(os, "fstat", before_the_cut)
    piece = read(path, 0, ALL)

    assert (words(piece), piece.end, piece.defects) == (ONLY[:1], len(ONE), ())


def keep(root, place, *parts, mtime):
    path = root / "projects" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, *parts)
    os.utime(path, (mtime, mtime))
    return str(path)


@pytest.mark.req("hosts.claude-sessions")
def test_sessions_are_listed_oldest_first_with_their_subagents(tmp_path):
    head = {"type": "mode", "sessionId": "s-3"}
    new = keep(tmp_path, "-a/s-1.jsonl", {"type": "mode"}, prompt(1), mtime=30)
    old = keep(tmp_path, "-b/s-2.jsonl", prompt(1, cwd="/b"), mtime=10)
    same = keep(tmp_path, "-b/s-0.jsonl", b"torn", mtime=10)
    agent = keep(tmp_path, "-a/s-1/subagents/agent-x.jsonl", prompt(1, isSidechain=True), mtime=20)
    former = keep(tmp_path, "-a/agent-y.jsonl", head, mtime=40)
    orphan = keep(tmp_path, "-a/agent-z.jsonl", b"", mtime=50)
    keep(tmp_path, "-a/s-1/tool-results/x.txt", mtime=1)
    keep(tmp_path, "-a/s-1/subagents/other.jsonl", mtime=1)
    keep(tmp_path, "-a/notes.json", mtime=1)
    keep(tmp_path, "loose.jsonl", mtime=1)
    (tmp_path / "projects" / "-a" / "folder.jsonl").mkdir()

    assert list(transcripts(str(tmp_path))) == [
        SessionRef("claude-code", "s-0", same, "", ""),
        SessionRef("claude-code", "s-2", old, "/b", ""),
        SessionRef("claude-code", "s-1/agent-x", agent, CWD, "s-1"),
        SessionRef("claude-code", "s-1", new, CWD, ""),
        SessionRef("claude-code", "s-3/agent-y", former, "", "s-3"),
        SessionRef("claude-code", "agent-z", orphan, "", ""),
    ]


@pytest.mark.req("hosts.claude-sessions")
def test_a_machine_without_sessions_has_none(tmp_path):
    assert list(transcripts(str(tmp_path))) == []
    (tmp_path / "projects").write_text("a file")
    assert list(transcripts(str(tmp_path))) == []


@pytest.mark.req("hosts.claude-sessions")
def test_links_are_followed_inside_the_root_alone_and_no_file_comes_twice(tmp_path):
    root = tmp_path / "root"
    inside = keep(root, "-a/s-1.jsonl", prompt(1), mtime=10)
    outside = keep(tmp_path / "away", "-x/s-9.jsonl", prompt(1), mtime=10)
    (root / "projects" / "-a" / "s-2.jsonl").symlink_to(outside)
    (root / "projects" / "-a" / "s-3.jsonl").symlink_to(inside)
    (root / "projects" / "-a" / "s-4.jsonl").symlink_to("nowhere")
    (root / "projects" / "-x").symlink_to(tmp_path / "away" / "projects" / "-x")
    (root / "projects" / "-y").symlink_to(root / "projects" / "-a")
    (tmp_path / "link").symlink_to(root)

    assert [ref.transcript for ref in transcripts(str(root))] == [inside]
    assert [ref.ref for ref in transcripts(str(tmp_path / "link"))] == ["s-1"]


@pytest.mark.req("hosts.claude-sessions")
def test_a_directory_that_cannot_be_listed_is_named_after_the_others(tmp_path, monkeypatch):
    keep(tmp_path, "-a/s-1.jsonl", prompt(1), mtime=10)
    keep(tmp_path, "-b/s-2.jsonl", prompt(1), mtime=10)
    real = os.scandir

    def scan(path):
        if str(path).endswith("-a"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scan)
    listed = transcripts(str(tmp_path))

    assert next(listed).ref == "s-2"
    with pytest.raises(Unavailable, match=r"/-a \(Permission denied\)"):
        next(listed)


@pytest.mark.req("hosts.claude-sessions")
def test_a_session_that_is_removed_while_it_is_listed_is_passed_over(tmp_path, monkeypatch):
    gone = keep(tmp_path, "-a/s-1.jsonl", prompt(1), mtime=10)
    keep(tmp_path, "-b/s-2.jsonl", prompt(1), mtime=10)
    real = os.scandir

    def scan(path):
        if str(path).endswith("-b") and os.path.exists(gone):
            os.unlink(gone)
        return real(path)

    class Listing(transcript._Listing):
        def files(self, path, prefix):
            found = list(super().files(path, prefix))
            if path.endswith("-a"):
                os.unlink(gone)
            return found

    monkeypatch.setattr(transcript, "_Listing", Listing)
    assert [ref.ref for ref in transcripts(str(tmp_path))] == ["s-2"]


@pytest.mark.req("hosts.claude-sessions", "hosts.bounded-memory")
def test_the_directory_of_a_session_is_looked_for_in_the_head_alone(tmp_path):
    keep(tmp_path, "-a/s-1.jsonl", b'{"x": "' + b"x" * transcript.HEAD + b'"}\n', prompt(1), mtime=10)
    keep(tmp_path, "-a/s-2.jsonl", {"cwd": 7}, {"cwd": "/" * 5000}, b"bad\n", prompt(1), mtime=20)

    assert [ref.cwd for ref in transcripts(str(tmp_path))] == ["", CWD]


@pytest.mark.req("hosts.claude-sessions")
def test_a_session_that_cannot_be_opened_is_listed_all_the_same(tmp_path, monkeypatch):
    path = keep(tmp_path, "-a/s-1.jsonl", prompt(1), mtime=10)
    real = os.open

    def refuse(name, *args, **more):
        if name == path:
            raise PermissionError(13, "Permission denied")
        return real(name, *args, **more)

    monkeypatch.setattr(os, "open", refuse)

    assert list(transcripts(str(tmp_path))) == [SessionRef("claude-code", "s-1", path)]
    monkeypatch.setattr(os, "pread", lambda *_args: refuse(path))
    monkeypatch.setattr(os, "open", real)
    assert list(transcripts(str(tmp_path))) == [SessionRef("claude-code", "s-1", path)]
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(Unavailable, match="cannot be opened: Permission denied"):
        read(path, 0, ALL)


@pytest.mark.req(BAD)
def test_nothing_is_left_open(tmp_path):
    path = write(tmp_path / "t.jsonl", ONE, user([text("x")]))
    if sys.platform != "linux":
        pytest.skip("counts open files through /proc")
    before = len(os.listdir("/proc/self/fd"))
    for offset in range(0, 400, 7):
        read(path, offset, 50)
        with pytest.raises(Unavailable):
            read(str(tmp_path), offset, 50)

    assert len(os.listdir("/proc/self/fd")) == before
