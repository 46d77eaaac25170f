"""A damaged file is named as such: never taken for an empty one, and left as it is."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.access import Reader
from perdure.domain.errors import Corrupt, PerdureError
from perdure.domain.ledger import AuditRow, ChangeRow, Criteria, ProjectRow
from perdure.domain.session import Defect, Role, Session, SessionRef, Turn
from perdure.store.sqlite import check, open_reader, open_store
from perdure.testing.fakes import START, Scribe, statement

pytestmark = pytest.mark.req("store.damage")

ANA = Reader("ana")
PAGE = 4096
ALL = 10_000
SESSION = Session("s1", SessionRef("claude-code", "ref-1", "/t"), "harbour", "ana", size=9, started=1)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The bytes of a store with something in most tables, and all that is read from it."""
    path = tmp_path_factory.mktemp("sound") / "ledger.db"
    store, scribe = open_store(str(path)), Scribe()
    with store.unit(ANA, write=True) as unit:
        for number in range(60):
            entry = scribe.add(unit, statement(f"number {number} of many, {'amber birch cedar ' * 8}", pinned=True))
            scribe.revise(unit, entry, statement(f"edited {number}", attrs={"n": number}, tags=("t",)), START + number)
            unit.jobs.put("embed", entry.memory.id, "x" * 50, 0)
            unit.access.read([entry.memory.id], "ana", START)
            unit.changes.remember(f"key-{number}", ChangeRow(number, entry.memory.id, entry.revision.id))
        unit.sessions.register(SESSION)
        unit.sessions.record(SESSION, [Turn(f"u{n}", Role.USER, n, f"turn {n} " * 9, n) for n in range(60)])
        unit.sessions.defect(Defect("/t", 1, "broken"), 1)
        unit.projects.create(ProjectRow("harbour", "Harbour", 0), ["path:/w"])
        unit.changes.begin(AuditRow(1, "ana", "add", "m", "hand"))
    answers = read_all(store)
    store.close()
    return path.read_bytes(), answers


def read_all(store):
    with store.unit(ANA) as unit:
        heads = unit.memories.heads(Criteria(limit=ALL))
        matches = unit.search.lexical(["amber", "edited"], superseded=True, limit=ALL)
        return {
            "heads": list(heads),
            "pinned": list(unit.memories.heads(Criteria(limit=ALL, pinned=True))),
            "history": [list(unit.memories.history(entry.memory.id)) for entry in heads],
            "found": sorted(match.seq for match in matches),
            "frequencies": unit.search.frequencies(["amber", "edited"]),
            "count": unit.memories.count(),
            "reads": [unit.access.reads(entry.memory.id) for entry in heads],
            "turns": list(unit.sessions.turns("s1")),
            "session": unit.sessions.find("claude-code", "ref-1"),
            "defects": list(unit.sessions.defects(9)),
            "jobs": unit.jobs.waiting(),
            "made": unit.changes.made([f"key-{number}" for number in range(60)]),
            "projects": list(unit.projects.all()),
        }


def answers_of(path, opened):
    """What a store answers, or the error that it answers with; the file must stay as it is."""
    before = path.read_bytes()
    try:
        store = opened(str(path))
        try:
            return read_all(store)
        finally:
            store.close()
    except PerdureError as error:
        return error
    finally:
        assert path.read_bytes() == before


def read_only(path):
    return open_reader(path, lambda: False)


def flipped(data, offset, mask=0xFF):
    return data[:offset] + bytes([data[offset] ^ mask]) + data[offset + 1 :]


@pytest.mark.parametrize("opened", [open_store, read_only])
@pytest.mark.parametrize("offset", range(16))
def test_a_file_without_its_first_words_is_damaged(sound, tmp_path, opened, offset):
    path = tmp_path / "ledger.db"
    path.write_bytes(flipped(sound[0], offset))

    answered = answers_of(path, opened)

    assert isinstance(answered, Corrupt)
    assert f"{path} is damaged" in str(answered)
    assert "perdure doctor" in str(answered)


@pytest.mark.parametrize("opened", [open_store, read_only])
def test_a_page_of_another_type_is_damage_or_was_not_needed(sound, tmp_path, opened):
    data, answers = sound
    path = tmp_path / "ledger.db"
    damaged = 0
    for page in range(len(data) // PAGE):
        path.write_bytes(flipped(data, page * PAGE + (100 if page == 0 else 0)))
        answered = answers_of(path, opened)
        damaged += isinstance(answered, Corrupt)
        assert isinstance(answered, Corrupt) or answered == answers, f"page {page}"

    assert damaged > len(data) // PAGE // 3


@pytest.mark.parametrize("opened", [open_store, read_only])
@pytest.mark.parametrize("pages", [1, 2, 10, 30])
def test_a_file_that_was_cut_is_damaged(sound, tmp_path, opened, pages):
    path = tmp_path / "ledger.db"
    path.write_bytes(sound[0][: pages * PAGE - 7])

    assert isinstance(answers_of(path, opened), Corrupt)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("flipped") / "ledger.db"


@given(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_any_flipped_bit_is_read_or_explained(sound, place, share, bit):
    data, _answers = sound
    place.write_bytes(flipped(data, int(share * len(data)), 1 << bit))

    assert isinstance(answers_of(place, read_only), PerdureError | dict)


@pytest.mark.parametrize(
    ("table", "damage"),
    [
        ("memory", "kind = 'fakt'"),
        ("memory", "scope = CAST(x'ff' AS TEXT)"),
        ("revision", "tags = '[\"t\"'"),
        ("revision", "attrs = '{'"),
        ("revision", "body = CAST(x'c328' AS TEXT)"),
        ("source", "trust = 'whose'"),
        ("turn", "role = CAST(x'ff' AS TEXT)"),
        ("turn", "attrs = 'x'"),
        ("session", "transcript = CAST(x'ff' AS TEXT)"),
    ],
)
def test_a_value_that_no_store_wrote_is_damage(sound, tmp_path, table, damage):
    path = tmp_path / "ledger.db"
    path.write_bytes(sound[0])
    raw = apsw.Connection(str(path))
    raw.execute("PRAGMA ignore_check_constraints = ON")
    raw.execute("DROP TRIGGER revision_is_never_updated")
    raw.execute(f"UPDATE {table} SET {damage}")  # noqa: S608 - both stand above
    raw.close()

    answered = answers_of(path, read_only)

    assert isinstance(answered, Corrupt)


def test_a_check_names_what_is_wrong(sound, tmp_path):
    path = tmp_path / "ledger.db"
    path.write_bytes(sound[0])
    raw = apsw.Connection(str(path))
    root = raw.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'head_kind'").fetchall()[0][0]
    raw.close()
    assert isinstance(root, int)
    path.write_bytes(flipped(sound[0], (root - 1) * PAGE + 4))

    store = open_store(str(path))
    found = list(check(store))
    store.close()

    assert found != []
