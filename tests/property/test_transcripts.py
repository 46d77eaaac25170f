from __future__ import annotations

import json
import os
from contextlib import contextmanager

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perdure.hosts import jsonl
from perdure.hosts.claude_code import transcript
from perdure.hosts.claude_code.hosttext import spoken
from perdure.hosts.claude_code.records import turns

ALL = 1 << 30
LONGEST = 300

pytestmark = pytest.mark.req("hosts.transcript-offsets", "hosts.bad-transcripts")


@pytest.fixture(autouse=True, scope="module")
def small_bounds():
    """Bounds so small that every file of a few lines meets them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "MAX_LINE", LONGEST)
        patch.setattr(jsonl, "CHUNK", 64)
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("transcripts") / "t.jsonl"


@contextmanager
def holding(place, data):
    place.write_bytes(data)
    os.utime(place, (7, 7))
    yield str(place)


def record(number, words, when):
    message = {"role": "user", "content": words}
    timed = {} if when is None else {"timestamp": f"2026-05-04T09:{when:02d}:00Z"}
    fields = {"parentUuid": None, "type": "user", "message": message, "uuid": f"u-{number}", "cwd": "/a"}
    return json.dumps(fields | timed).encode()


RECORDS = st.builds(record, st.integers(0, 10**9), st.text(max_size=120), st.none() | st.integers(0, 59))
ODDITIES = st.sampled_from(
    [b"", b"\0", b"\0\0\0", b"\r", b" ", b"\xef\xbb\xbf", b"{", b"}", b'"', b"[1]", b'{"type": "mode"}', b"x" * 400,
     b'{"type":', b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xa8", b'{"cwd": "/b"}', b"{" * 200, b"9" * 350, b'{"parentUuid"']
)  # fmt: skip
ENDS = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"\0", b""])
FILES = st.lists(st.tuples(ODDITIES | RECORDS | st.binary(max_size=80), ENDS), max_size=8).map(
    lambda parts: b"".join(text + end for text, end in parts)
)


def pieces(path, limits):
    """Read to the end with one limit after the other, the last one again and again."""
    found = [transcript.read(path, 0, limits[0])]
    while found[-1].more:
        limit = limits[min(len(found), len(limits) - 1)]
        found.append(transcript.read(path, found[-1].end, limit))
    return found


def total(found):
    """What several readings gave together; of a record that was met twice, once."""
    counted: dict[str, int] = {}
    for piece in found:
        for kind, number in piece.skipped.items():
            counted[kind] = counted.get(kind, 0) + number
    return {
        "turns": {(turn.uuid, turn.offset): turn for piece in found for turn in piece.turns},
        "defects": {(defect.offset, defect.reason) for piece in found for defect in piece.defects},
        "cwd": [piece.cwd for piece in found if piece.cwd][-1:],
        "end": found[-1].end,
    }, counted


@given(data=FILES | st.binary(), offset=st.integers(-5, 3000), limit=st.integers(-1, 500))
def test_whatever_a_file_holds_it_is_read_and_the_offset_is_a_line_start(place, data, offset, limit):
    with holding(place, data) as path:
        piece = transcript.read(path, offset, limit)

    assert 0 <= piece.offset <= piece.end <= len(data)
    assert piece.offset in {max(0, offset), 0}
    if piece.end > piece.offset:
        assert piece.end == len(data) or data[piece.end - 1] in b"\n\0"
    assert piece.more <= (piece.end < len(data))


@given(data=FILES, limits=st.lists(st.integers(1, 300), min_size=1, max_size=5))
def test_any_bounds_give_the_same_as_one_reading(place, data, limits):
    with holding(place, data) as path:
        whole = transcript.read(path, 0, ALL)
        parts = pieces(path, limits)

    assert [turn for part in parts for turn in part.turns] == list(whole.turns)
    assert [defect for part in parts for defect in part.defects] == list(whole.defects)
    assert total(parts) == total([whole])


@given(data=FILES, cuts=st.lists(st.integers(0, 2000), max_size=3), limit=st.integers(1, 500))
@example(data=record(1, "a", 1) + b"x\n", cuts=[len(record(1, "a", 1))], limit=1)
@example(data=b"x" * 400 + b"y\n" + record(1, "a", 1), cuts=[400], limit=1)
@example(data=record(1, "a", 1) + record(2, "b", 2) + b"\n", cuts=[len(record(1, "a", 1))], limit=1)
def test_a_file_that_grows_gives_the_same_as_one_that_has_grown(place, data, cuts, limit):
    found = []
    end = 0
    for cut in [*sorted(cuts), len(data)]:
        with holding(place, data[:cut]) as path:
            more = True
            while more:
                piece = transcript.read(path, end, limit)
                found.append(piece)
                end, more = piece.end, piece.more
    with holding(place, data) as path:
        whole = transcript.read(path, 0, ALL)

    grown, expected = total(found)[0], total([whole])[0]
    assert expected["turns"].items() <= grown["turns"].items()
    # A record that was read whole is lost to one who comes later, once too much garbage is glued to it.
    if all(defect.reason != jsonl.LONG for defect in whole.defects):
        assert grown["turns"] == expected["turns"]
    assert grown["defects"] == expected["defects"]
    assert grown["end"] == expected["end"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
BLOCKS = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "thinking"]) | VALUES},
    optional=dict.fromkeys(("text", "id", "tool_use_id", "name", "content", "is_error"), VALUES)
    | {"input": st.dictionaries(st.sampled_from(["command", "file_path", "paths", "query"]), VALUES)},
)
ANY_RECORDS = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant"]) | VALUES},
    optional=dict.fromkeys(("uuid", "timestamp", "isMeta", "isSidechain", "origin", "cwd"), VALUES)
    | {"message": VALUES | st.fixed_dictionaries({"content": VALUES | st.lists(BLOCKS | VALUES)})},
)


@given(record=ANY_RECORDS)
def test_a_record_of_any_shape_gives_turns_or_a_reason_and_text_that_can_be_kept(record):
    made, reason = turns(record, 40, 5)

    assert bool(made) != bool(reason)
    assert len({turn.uuid for turn in made}) == len(made)
    for turn in made:
        turn.text.encode()
        json.dumps([turn.uuid, dict(turn.attrs)], ensure_ascii=False).encode()
        assert set(turn.attrs) <= {"id", "tool", "command", "files", "failed"}


TAGS = st.sampled_from(
    ["<system-reminder>", "</system-reminder>", "<ide_selection>", "</ide_selection>", "\n", "user words", "<", ">"]
)  # fmt: skip


@given(parts=st.lists(TAGS, max_size=30))
def test_taking_host_text_out_leaves_nothing_to_take_out(parts):
    words, reason = spoken("".join(parts), block=False)

    assert bool(words) != bool(reason)
    if words:
        assert spoken(words, block=False) == (words, "")


@given(before=st.text("ab \n", max_size=9), inside=st.lists(TAGS, max_size=9), after=st.text("ab ", max_size=9))
def test_nothing_between_a_pair_of_host_tags_is_the_users(before, inside, after):
    depth = 0
    for part in inside:
        depth += (part == "<system-reminder>") - (part == "</system-reminder>")
        if depth < 0:
            return
    pair = "<system-reminder>MARK" + "".join(inside) + "</system-reminder>" * (depth + 1)

    words, _reason = spoken(before + pair + after, block=False)

    assert "MARK" not in words
    assert "user words" not in words
