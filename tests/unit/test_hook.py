from __future__ import annotations

import json
import os
from contextlib import contextmanager

import pytest

from perdure import hook
from perdure.app import open_app
from perdure.domain.access import Reader
from perdure.domain.change import Add
from perdure.domain.memory import Channel, provenance
from perdure.services.write import commit
from perdure.system.lease import Lease
from perdure.system.spool import DirectorySpool
from perdure.testing.fakes import draft

pytestmark = pytest.mark.req("hook.events")

HAND = provenance(Channel.HAND)


@pytest.fixture
def app(home, monkeypatch):
    monkeypatch.setenv("PERDURE_HOME", str(home / "memory"))
    made = open_app({"HOME": str(home), "PERDURE_HOME": str(home / "memory")}, {"author": "ana"})
    made.create()
    usual = os.umask(0o077)
    yield made
    if "store" in vars(made):
        made.store.close()
    os.umask(usual)


@pytest.fixture
def spool(app):
    return DirectorySpool(app.path("spool"))


@pytest.fixture(autouse=True)
def started(monkeypatch):
    """The workers that a hook would have started."""
    from perdure.system import detach

    found = []
    monkeypatch.setattr(detach, "detach", lambda argv, environment: found.append((argv, environment)))
    return found


@contextmanager
def pipe(data=b""):
    ends = os.pipe()
    os.write(ends[1], data)
    os.close(ends[1])
    try:
        yield ends[0]
    finally:
        os.close(ends[0])


def fire(event, payload=None, host="claude-code", **more):
    told = {"session_id": "s1", "cwd": "/home/dev/ferry", "transcript_path": "/t", **more}
    data = json.dumps(told).encode() if payload is None else payload
    out, back = os.pipe()
    with pipe(data) as stdin:
        hook.run([host, event], stdin, back)
    os.close(back)
    with open(out, "rb") as file:
        said = file.read()
    return json.loads(said)["hookSpecificOutput"]["additionalContext"] if said else ""


def remember(app, body):
    return commit(app.door, Reader("ana"), Add(draft(body), HAND)).memory


def test_an_event_becomes_a_pointer(spool, tmp_path):
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("x" * 77)
    fire("Stop", transcript_path=str(transcript), prompt_id="p1")

    ((_name, kept),) = spool.pending()
    assert {name: value for name, value in kept.fields().items() if value and name != "at"} == {
        "host": "claude-code",
        "event": "stop",
        "session": "s1",
        "cwd": "/home/dev/ferry",
        "transcript": str(transcript),
        "turn": "p1",
        "size": 77,
    }


def test_tool_events_of_a_session_that_waits_already_add_nothing(spool):
    for _ in range(3):
        fire("PostToolUse", tool_name="Bash")
    fire("PostToolUse", tool_name="Bash", session_id="s2")

    assert len(spool.names()) == 2


@pytest.mark.parametrize(
    ("event", "wakes"),
    [
        ("Stop", 1),
        ("SessionEnd", 1),
        ("PreCompact", 1),
        ("SessionStart", 1),
        ("UserPromptSubmit", 0),
        ("PostToolUse", 0),
    ],
)
def test_a_worker_is_started_when_a_piece_of_work_is_complete(app, started, event, wakes):
    fire(event, prompt="What is next?")

    assert len(started) == wakes
    for argv, environment in started:
        assert argv[:-2] == app.worker_command()
        assert argv[-2] == "--lease"
        assert environment["PERDURE_HOME"] == app.home


def test_of_many_stops_only_the_first_starts_a_worker(app, started):
    for number in range(5):
        fire("Stop", session_id=f"s{number}")

    assert len(started) == 1  # the lease was taken with the first, and its worker has not given it back


def test_no_second_worker_is_started(app, started):
    lease = Lease(app.path("work.lock"))
    assert lease.take()
    fire("Stop")
    lease.release()

    assert started == []


def test_a_start_gives_a_briefing_and_marks_it_before_it_is_printed(app, spool):
    made = remember(app, "Money is kept in cents.")

    given = fire("SessionStart", source="startup")

    assert "Money is kept in cents." in given
    assert spool.marks("s1") == {made: "start"}


def test_a_prompt_gives_what_answers_it_and_nothing_else(app):
    remember(app, "Money is kept in cents.")

    assert fire("UserPromptSubmit", prompt="Which colour has the pier?") == ""
    assert "Money is kept in cents." in fire("UserPromptSubmit", prompt="How is money kept?")
    assert fire("UserPromptSubmit", prompt="How is money kept?") == ""


def test_a_subagent_is_given_nothing(app):
    remember(app, "Money is kept in cents.")

    assert fire("UserPromptSubmit", prompt="How is money kept?", agent_id="a1", agent_type="explorer") == ""


def test_without_a_ledger_the_compiled_briefing_of_this_very_project_is_given(app):
    remember(app, "Money is kept in cents.")
    place = app.checkouts.locate("/home/dev/ferry")
    app.keep_briefing([str(key) for key in place.keys], hook_given("Compiled."))
    os.rename(app.path("ledger.db"), app.path("aside.db"))
    with open(app.path("ledger.db"), "wb") as file:
        file.write(b"no database" * 500)

    assert "Compiled." in fire("SessionStart")
    assert fire("SessionStart", cwd="/home/dev/other") == ""
    assert any("damaged" in line for line in app.hook_log())


def hook_given(text):
    from perdure.services.context import Given

    return Given(text, ("m",))


def test_a_compiled_briefing_that_is_broken_or_another_s_is_not_given(app):
    from perdure.vault.places import briefing_name

    os.makedirs(app.path("briefings"))
    key = str(app.checkouts.locate("/home/dev/ferry").keys[0])
    with open(app.path("ledger.db"), "wb") as file:
        file.write(b"no database" * 500)
    told = {"author": "ana", "key": key, "text": "Not yours.", "memories": []}
    others = [json.dumps(told | change) for change in ({"key": "path:/other"}, {"author": "ben"})]
    for text in ("{", "[]", *others):
        with open(app.path("briefings", briefing_name(key)), "w") as file:
            file.write(text)
        assert fire("SessionStart") == ""


def test_a_home_without_a_ledger_says_nothing(app):
    os.unlink(app.path("ledger.db"))

    assert fire("SessionStart") == ""


def test_capture_can_be_switched_off_and_directories_ignored(app, spool, home):
    path = app.path("hook.json")
    with open(path) as file:
        settings = json.load(file)
    for change in ({"capture": False}, {"ignore": ["/home/*/ferry"]}):
        with open(path, "w") as file:
            json.dump(settings | change, file)
        fire("Stop")
    assert spool.names() == []


@pytest.mark.parametrize("arguments", [[], ["claude-code"], ["no-host", "Stop"], ["claude-code", "NoEvent"]])
def test_a_call_that_makes_no_sense_is_logged_at_most(app, spool, arguments):
    with pipe(b'{"session_id": "s"}') as stdin:
        hook.run(arguments, stdin, 1)

    assert spool.names() == []


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"author": 7}'])
def test_broken_settings_of_the_hook_never_reach_the_host(app, text):
    with open(app.path("hook.json"), "w") as file:
        file.write(text)

    assert fire("SessionStart") == fire("Stop") == ""


def test_a_log_that_cannot_be_written_is_let_go(app):
    with open(app.path("logs"), "w") as file:
        file.write("a file where a directory should be")

    with pipe(b"{}") as stdin:
        hook.run([], stdin, 1)


def test_standard_input_that_never_ends_is_left_alone():
    ends = os.pipe()
    os.write(ends[1], b"begun")

    assert hook.read_input(ends[0], seconds=0.05) == b"begun"
    os.close(ends[0])
    os.close(ends[1])


def test_more_than_a_hook_reads_is_dropped(tmp_path):
    path = tmp_path / "large"
    path.write_bytes(b"x" * (hook.MAX_PAYLOAD + 300_000))
    handle = os.open(path, os.O_RDONLY)

    assert hook.MAX_PAYLOAD <= len(hook.read_input(handle)) < hook.MAX_PAYLOAD + 100_000
    os.close(handle)


def test_the_hook_leaves_with_0_whatever_happens(monkeypatch):
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    monkeypatch.setattr(hook, "run", lambda *_arguments: None)

    hook.main()

    assert codes == [0]


def test_the_home_is_the_variable_s_or_the_user_s(monkeypatch, home):
    monkeypatch.delenv("PERDURE_HOME", raising=False)
    assert hook.find_home() == str(home / ".perdure")
    monkeypatch.setenv("PERDURE_HOME", "/elsewhere")
    assert hook.find_home() == "/elsewhere"
