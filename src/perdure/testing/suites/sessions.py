"""The store's contract: sessions, their turns, what they were given and what could not be read."""

from __future__ import annotations

from perdure.domain.access import Reader
from perdure.domain.ledger import ProjectRow
from perdure.domain.record import replace
from perdure.domain.session import Defect, Role, Session, SessionRef, Turn
from perdure.testing.suites import ANA, BEN, StoreSuite, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from perdure.ports import Store

REF = SessionRef("claude-code", "ref-1", "/t/1.jsonl", "/work", parent="ref-0")
ONE = Session("s1", REF, "harbour", "ana", offset=0, size=100, started=50, ended=None)
SAID = Turn("u1", Role.USER, 60, "Which port?", 10, {"files": ["a.py"], "failed": False})


def session(number: int, **changes: Any) -> Session:  # noqa: ANN401 - fields of Session
    """One of several sessions."""
    ref = replace(REF, ref=f"ref-{number}")
    return replace(ONE, id=f"s{number}", ref=ref, **changes)


class SessionsSuite(StoreSuite):
    """A session is known by its host and its reference, and read on from where reading ended."""

    def test_a_session_comes_back_as_it_was_registered(self, store: Store) -> None:
        whole = replace(ONE, offset=7, ended=90)
        with store.unit(ANA, write=True) as unit:
            assert unit.sessions.register(whole) == whole
        with store.unit(ANA) as unit:
            assert unit.sessions.find("claude-code", "ref-1") == whole
            assert unit.sessions.find("claude-code", "ref-2") is None
            assert unit.sessions.find("codex", "ref-1") is None

    def test_a_session_registered_twice_is_the_first(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            assert unit.sessions.register(replace(ONE, id="s2", project="other", size=900)) == ONE
            assert unit.sessions.counts()["sessions"] == 1

    def test_the_same_reference_of_another_host_is_another_session(self, store: Store) -> None:
        other = replace(ONE, id="s2", ref=replace(REF, host="codex"))
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            assert unit.sessions.register(other) == other

    def test_an_id_names_one_session(self, store: Store) -> None:
        with refused(store) as unit:
            unit.sessions.register(ONE)
            unit.sessions.register(replace(ONE, ref=replace(REF, ref="ref-2")))

    def test_what_is_longer_than_was_read_is_pending_oldest_first(self, store: Store) -> None:
        waiting = [session(1, started=None), session(2, started=10), session(3, started=20)]
        with store.unit(ANA, write=True) as unit:
            for each in [waiting[2], waiting[1], session(4, offset=100), waiting[0]]:
                unit.sessions.register(each)
        with store.unit(ANA) as unit:
            assert list(unit.sessions.pending()) == waiting

    def test_a_transcript_only_grows_and_an_end_is_kept(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            for size, ended in ((300, None), (200, 80), (250, None)):
                unit.sessions.grow("s1", size, ended)
            unit.sessions.grow("nobody", 1, None)
            assert unit.sessions.find("claude-code", "ref-1") == replace(ONE, size=300, ended=80)

    def test_the_offset_moves_only_from_where_it_was_seen(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            assert unit.sessions.advance(ONE, 40)
            assert not unit.sessions.advance(ONE, 60)
            assert unit.sessions.advance(replace(ONE, offset=40), 70)
            assert not unit.sessions.advance(session(9), 10)
            assert unit.sessions.find("claude-code", "ref-1") == replace(ONE, offset=70)

    def test_reading_past_the_known_size_is_growth(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            assert unit.sessions.advance(ONE, 500)
            assert unit.sessions.find("claude-code", "ref-1") == replace(ONE, offset=500, size=500)
            assert list(unit.sessions.pending()) == []

    def test_the_first_reading_that_knows_it_tells_the_start(self, store: Store) -> None:
        unknown = replace(ONE, started=None)
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(unknown)
            unit.sessions.advance(unknown, 10)
            assert unit.sessions.find("claude-code", "ref-1") == replace(unknown, offset=10)
            unit.sessions.advance(replace(unknown, offset=10, started=33), 20)
            unit.sessions.advance(replace(unknown, offset=20, started=5), 30)
            assert unit.sessions.find("claude-code", "ref-1") == replace(unknown, offset=30, started=33)

    def test_a_settled_session_is_not_pending_unless_it_grew_meanwhile(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(replace(ONE, offset=95))
            unit.sessions.grow("s1", 120, None)
            unit.sessions.settle("s1", 100)
            assert list(unit.sessions.pending()) == [replace(ONE, offset=95, size=120)]
            unit.sessions.settle("s1", 120)
            unit.sessions.settle("nobody", 0)
            assert unit.sessions.find("claude-code", "ref-1") == replace(ONE, offset=95, size=95)

    def test_the_latest_sessions_are_ones_own_and_those_of_ones_projects(self, store: Store) -> None:
        sessions = [
            session(1, started=10, author="ana", project=""),
            session(2, started=30, author="ben", project="harbour"),
            session(3, started=20, author="ben", project=""),
            session(4, started=40, author="ana", project="harbour"),
            session(5, started=None, author="ana", project=""),
        ]
        with store.unit(ANA, write=True) as unit:
            for each in sessions:
                unit.sessions.register(each)
            unit.projects.create(ProjectRow("harbour", "Harbour", 0), [])
            unit.projects.admit("harbour", "ana", 0)
        one, two, three, four, five = sessions
        with store.unit(Reader("ana", frozenset({"harbour"}))) as unit:
            assert list(unit.sessions.latest(9)) == [four, two, one, five]
            assert list(unit.sessions.latest(2)) == [four, two]
        with store.unit(BEN) as unit:
            assert list(unit.sessions.latest(9)) == [two, three]


class TurnsSuite(StoreSuite):
    """Turns, marks and defects: each is kept once."""

    def test_turns_come_back_as_they_were_in_file_order(self, store: Store) -> None:
        later = Turn("u2", Role.ASSISTANT, 61, "Port 80.", 30)
        tool = Turn("u3", Role.TOOL, 62, "", 20, {"tool": "Bash", "command": "ls"})
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            assert unit.sessions.record(ONE, [later, SAID, tool]) == 3
        with store.unit(ANA) as unit:
            assert list(unit.sessions.turns("s1")) == [SAID, tool, later]
            assert list(unit.sessions.turns("s1", since=20)) == [tool, later]
            assert list(unit.sessions.turns("s1", since=31)) == []
            assert list(unit.sessions.turns("s2")) == []

    def test_turns_of_one_place_keep_the_order_of_their_recording(self, store: Store) -> None:
        turns = [replace(SAID, uuid=name) for name in ("b", "a", "c")]
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            unit.sessions.record(ONE, turns)
            assert list(unit.sessions.turns("s1")) == turns

    def test_a_turn_that_is_known_is_left_as_it_was(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            assert unit.sessions.record(ONE, [SAID, SAID]) == 1
            assert unit.sessions.record(ONE, [replace(SAID, text="other"), replace(SAID, uuid="u2")]) == 1
            assert list(unit.sessions.turns("s1")) == [SAID, replace(SAID, uuid="u2")]

    def test_the_same_turn_of_another_session_is_another(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            for each in (session(1), session(2)):
                unit.sessions.register(each)
                assert unit.sessions.record(each, [SAID]) == 1
            assert unit.sessions.counts() == {"sessions": 2, "turns": 2, "defects": 0}

    def test_turns_of_no_session_are_refused(self, store: Store) -> None:
        with refused(store) as unit:
            unit.sessions.record(ONE, [SAID])

    def test_the_last_prompt_before_a_byte_is_the_users(self, store: Store) -> None:
        turns = [
            replace(SAID, uuid=f"u{at}", role=role, offset=at)
            for at, role in ((10, Role.USER), (20, Role.ASSISTANT), (30, Role.USER), (40, Role.TOOL))
        ]
        with store.unit(ANA, write=True) as unit:
            unit.sessions.register(ONE)
            unit.sessions.record(ONE, turns)
        with store.unit(ANA) as unit:
            assert [unit.sessions.last_prompt("s1", before) for before in (5, 10, 11, 30, 31, 99)] == [
                *(0, 0, 10, 10, 30, 30)
            ]
            assert unit.sessions.last_prompt("s2", 99) == 0

    def test_what_a_session_was_given_is_marked_with_where_it_was_given_last(self, store: Store) -> None:
        with store.unit(ANA, write=True) as unit:
            unit.sessions.mark("ref-1", ["m1", "m2"], "start", 10)
            unit.sessions.mark("ref-1", ["m2", "m3"], "prompt", 20)
            unit.sessions.mark("ref-2", ["m4"], "start", 30)
            unit.sessions.mark("ref-3", [], "start", 30)
        with store.unit(BEN) as unit:
            assert unit.sessions.marked("ref-1") == {"m1": "start", "m2": "prompt", "m3": "prompt"}
            assert unit.sessions.marked("ref-2") == {"m4": "start"}
            assert unit.sessions.marked("ref-3") == {}

    def test_an_unreadable_place_is_named_once_the_latest_first(self, store: Store) -> None:
        first, second, third = (
            Defect("/t/b", 5, "broken"),
            Defect("/t/a", 9, "broken"),
            Defect("/t/a", 5, "cut"),
        )
        with store.unit(ANA, write=True) as unit:
            for defect, at in ((first, 10), (second, 20), (third, 20), (replace(first, reason="again"), 30)):
                unit.sessions.defect(defect, at)
        with store.unit(ANA) as unit:
            assert list(unit.sessions.defects(9)) == [third, second, first]
            assert list(unit.sessions.defects(1)) == [third]
            assert unit.sessions.counts() == {"sessions": 0, "turns": 0, "defects": 3}
