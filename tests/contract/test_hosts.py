from __future__ import annotations

import json
from pathlib import Path

import pytest

from perdure.domain import event as names
from perdure.domain.event import HostEvent
from perdure.domain.session import SessionRef, Transcript
from perdure.hosts.claude_code import ClaudeCode, events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.ports import Host

FIXTURES = Path(__file__).parents[1] / "fixtures"

pytestmark = pytest.mark.req("hosts.port")

CLAUDE: Host = ClaudeCode()
HOSTS = [pytest.param(CLAUDE, FIXTURES / "claude", id="claude-code")]

KNOWN = {
    names.START,
    names.PROMPT,
    names.TOOL,
    names.STOP,
    names.SUBAGENT_STOP,
    names.COMPACT,
    names.END,
}


@pytest.mark.parametrize(("host", "fixtures"), HOSTS)
def test_events_carry_the_hosts_name_and_a_name_that_all_hosts_share(host, fixtures):
    payloads = [json.loads(line) for line in (fixtures / "events.jsonl").read_text().splitlines()]
    read = [host.parse(payload["hook_event_name"], payload) for payload in payloads]

    told = [event for event in read if event is not None]
    assert {event.host for event in told} == {host.name}
    assert {event.name for event in told} == KNOWN
    assert host.parse("NoSuchEvent", payloads[0]) is None
    assert host.parse("Stop", {}) is None


@pytest.mark.parametrize(("host", "fixtures"), HOSTS)
def test_only_a_start_and_a_prompt_are_answered(host, fixtures):
    for name in KNOWN:
        reply = host.render(HostEvent(host.name, name, "s"), "Jars go on top.")
        assert ("Jars go on top." in reply) == (name in {names.START, names.PROMPT})
        assert bool(reply) == (name in {names.START, names.PROMPT})


@pytest.mark.parametrize(("host", "fixtures"), HOSTS)
def test_a_reading_ends_where_the_next_begins_and_gives_turns_in_file_order(host, fixtures):
    path = str(fixtures / "session.jsonl")
    whole = host.read(path, 0, 1 << 30)

    assert whole.turns
    assert whole.end == (fixtures / "session.jsonl").stat().st_size
    assert [turn.offset for turn in whole.turns] == sorted(turn.offset for turn in whole.turns)
    assert host.read(path, whole.end, 1 << 30) == Transcript((), whole.end, whole.end)

    turns, offset, more = [], 0, True
    while more:
        piece = host.read(path, offset, 100)
        turns += piece.turns
        offset, more = piece.end, piece.more
    assert tuple(turns) == whole.turns


def test_sessions_are_found_below_the_hosts_root(tmp_path):
    place = tmp_path / "projects" / "-home-ines-work-larder" / "s-1.jsonl"
    place.parent.mkdir(parents=True)
    place.write_bytes((FIXTURES / "claude" / "session.jsonl").read_bytes())

    (found,) = CLAUDE.transcripts(str(tmp_path))

    assert found == SessionRef("claude-code", "s-1", str(place), "/home/ines/work/larder")
    assert list(CLAUDE.transcripts(str(tmp_path / "none"))) == []


def test_the_host_is_known_by_one_name():
    assert CLAUDE.name == events.NAME
