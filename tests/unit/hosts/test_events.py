from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType

import pytest

import perdure
from perdure.domain import event as names
from perdure.domain.event import HostEvent
from perdure.hosts.claude_code import events
from tests.unit.hosts.kit import CWD, FIXTURES

SESSION = "5b0c2a51-7d1e-4c39-9a44-0d7c1f2e8a10"
TRANSCRIPT = f"/home/ines/.claude/projects/-home-ines-work-larder/{SESSION}.jsonl"
AGENT = "general-purpose/0a1b2c3d4e5f60718"
AGENT_FILE = TRANSCRIPT.removesuffix(".jsonl") + "/subagents/agent-0a1b2c3d4e5f60718.jsonl"

PAYLOADS = [json.loads(line) for line in (FIXTURES / "events.jsonl").read_text().splitlines()]


def told(name, **more):
    return HostEvent("claude-code", name, SESSION, **{"transcript": TRANSCRIPT, "cwd": CWD} | more)


@pytest.mark.req("hosts.claude-events")
def test_each_event_of_the_client_is_read_in_our_words():
    read = [events.parse(payload["hook_event_name"], payload) for payload in PAYLOADS]

    assert read == [
        told(names.START, source="startup"),
        told(names.START, source="resume"),
        told(names.START, source="compact"),
        told(names.PROMPT, turn="c1d2", prompt="Which shelf do the jars go on?"),
        None,
        told(names.TOOL, turn="c1d2"),
        told(names.TOOL, turn="c1d2", agent=AGENT),
        told(names.STOP, turn="c1d2"),
        told(names.SUBAGENT_STOP, turn="c1d2", agent=AGENT, transcript=AGENT_FILE),
        None,
        told(names.COMPACT, turn="c1d2", source="manual"),
        None,
        told(names.END, turn="c1d2", source="prompt_input_exit"),
    ]


@pytest.mark.req("hosts.claude-events")
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork", "of-a-later-release"])
def test_a_session_start_of_every_source_is_one(source):
    assert events.parse("SessionStart", {"session_id": "s", "source": source}) == HostEvent(
        "claude-code", "start", "s", source=source
    )


@pytest.mark.req("hosts.claude-events")
def test_the_event_that_the_hook_was_called_with_wins_over_the_payload():
    payload = {"session_id": "s", "hook_event_name": "Stop", "prompt": "p"}

    assert events.parse("UserPromptSubmit", payload) == HostEvent("claude-code", "prompt", "s", prompt="p")
    assert events.parse("Stop", payload | {"hook_event_name": "UserPromptSubmit"}) == HostEvent(
        "claude-code", "stop", "s"
    )


@pytest.mark.req("hosts.claude-bad-payloads")
@pytest.mark.parametrize("session", [None, "", "  ", 7, ["s"], {"id": "s"}, "s" * 257])
def test_a_payload_that_names_no_session_is_passed_over(session):
    assert events.parse("Stop", {"session_id": session}) is None
    assert events.parse("Stop", {}) is None


@pytest.mark.req("hosts.claude-bad-payloads")
@pytest.mark.parametrize("wrong", [None, 7, 1.5, True, [], ["x"], {"x": "y"}])
def test_fields_of_a_wrong_type_count_as_missing(wrong):
    keys = ("transcript_path", "cwd", "source", "reason", "trigger", "prompt", "agent_id", "prompt_id")
    payload = MappingProxyType({"session_id": "s", **dict.fromkeys(keys, wrong), "new": wrong})

    for event in events.EVENTS:
        expected = HostEvent("claude-code", events.EVENTS[event], "s")
        assert events.parse(event, payload) == (None if event == "SubagentStop" else expected)


@pytest.mark.req("hosts.claude-bad-payloads")
def test_text_that_no_file_or_database_takes_is_made_good():
    payload = {
        "session_id": "s\ud83d",
        "prompt": "tea \ud83c and \udf75 and \ud83c\udf75 ü",
        "cwd": "/home/\0/x",
        "transcript_path": "/" + "x" * 4096,
    }

    assert events.parse("UserPromptSubmit", payload) == HostEvent(
        "claude-code", "prompt", "s�", prompt="tea � and � and 🍵 ü"
    )


@pytest.mark.req("hosts.claude-events")
def test_an_agent_type_without_an_id_is_no_subagent():
    payload = {"session_id": "s", "agent_type": "reviewer"}

    assert events.parse("SessionStart", payload) == HostEvent("claude-code", "start", "s")


@pytest.mark.req("hosts.claude-events")
def test_a_subagent_is_never_given_the_transcript_of_its_parent():
    payload = {"session_id": "s", "agent_type": "Explore", "transcript_path": "/t.jsonl"}

    assert events.parse("SubagentStop", payload) == HostEvent("claude-code", "subagent_stop", "s", agent="Explore")


@pytest.mark.req("hosts.claude-bad-payloads")
@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload["hook_event_name"])
def test_a_whole_payload_reads_the_same_from_its_head(payload):
    event = payload["hook_event_name"]

    assert events.parse_head(event, json.dumps(payload).encode()) == events.parse(event, payload)
    indented = b"\xef\xbb\xbf\r\n" + json.dumps(payload, indent=1).encode()
    assert events.parse_head(event, indented) == events.parse(event, payload)


@pytest.mark.req("hosts.claude-bad-payloads")
@pytest.mark.parametrize(
    "tail",
    [
        ', "prompt": "' + "long " * 40_000 + '"}',
        ', "prompt": "torn in the mid',
        ', "tool_input": {"session_id": "another", "deep": [',
        ', "tool_input": ' + "[" * 60_000,
        ', "huge": ' + "9" * 5_000 + "}",
        ", 'prompt': broken}",
        ', "prompt" "no colon"}',
        " oops",
        "",
    ],
    ids=["too-large", "torn-text", "torn-object", "nested", "huge-integer", "quotes", "colon", "comma", "end"],
)
def test_what_stands_before_a_torn_or_broken_place_is_read(tail):
    head = f'{{"session_id": "{SESSION}", "transcript_path": "{TRANSCRIPT}", "cwd": "{CWD}", "source": "clear"'

    assert events.parse_head("SessionStart", (head + tail).encode()) == told(names.START, source="clear")


@pytest.mark.req("hosts.claude-bad-payloads")
@pytest.mark.parametrize(
    "head",
    [b"", b"{", b"null", b"[]", b'["session_id", "s"]', b'"session_id"', b"\0\0\0", b"\xff\xfe{\0", b"{]",
     b'{"tool_input": {"session_id": "s"}}', b'{"pad": "' + b"x" * events.HEAD + b'", "session_id": "s"}'],
)  # fmt: skip
def test_a_head_without_a_session_of_its_own_names_none(head):
    assert events.parse_head("Stop", head) is None


@pytest.mark.req("hosts.claude-reply")
@pytest.mark.parametrize(("name", "host_name"), [("start", "SessionStart"), ("prompt", "UserPromptSubmit")])
def test_the_reply_is_one_line_that_the_host_takes_for_context(name, host_name):
    reply = events.render(HostEvent("claude-code", name, "s"), 'a "b"\n\u2028ü🍵')

    assert reply.isascii()
    assert "\n" not in reply
    assert json.loads(reply) == {
        "hookSpecificOutput": {"hookEventName": host_name, "additionalContext": 'a "b"\n\u2028ü🍵'}
    }


@pytest.mark.req("hosts.claude-reply")
@pytest.mark.parametrize("name", ["tool", "stop", "subagent_stop", "compact", "end", "other"])
def test_events_that_must_not_answer_print_nothing(name):
    assert events.render(HostEvent("claude-code", name, "s"), "text") == ""


@pytest.mark.req("hosts.claude-reply")
def test_nothing_to_say_is_no_reply():
    assert events.render(HostEvent("claude-code", "start", "s"), "") == ""


def context(text):
    reply = events.render(HostEvent("claude-code", "start", "s"), text)
    return json.loads(reply)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.req("hosts.claude-reply")
@pytest.mark.parametrize("character", ["x", "ü", "字", "🍵"])
def test_a_reply_keeps_to_the_hosts_cap_as_the_host_counts(character):
    whole = character * (10_000 // (2 if character == "🍵" else 1))
    assert context(whole) == whole

    lines = "\n".join([character * 99] * 200 + ["</memory-1>"])
    cut = context(lines)
    assert len(cut.encode("utf-16-le")) // 2 <= 10_000
    assert cut.split("\n")[-2:] == [events.CUT, "</memory-1>"]
    assert set(cut.split("\n")[:-2]) == {character * 99}
    assert len(cut.encode("utf-16-le")) // 2 > 9_700
    assert (
        context(character * 20_000)
        == whole[: -(len(events.CUT) + 2) // (2 if character == "🍵" else 1)] + f"\n{events.CUT}"
    )


@pytest.mark.req("hosts.light")
def test_reading_an_event_loads_little_more_than_json():
    source = Path(perdure.__file__).parents[1]
    script = (
        f"import sys, json; sys.path.insert(0, {str(source)!r}); before = set(sys.modules)\n"
        "import perdure.hosts.claude_code.events\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)

    assert run.stdout.split() == [
        "__future__",
        "perdure",
        "perdure.domain",
        "perdure.domain.event",
        "perdure.hosts",
        "perdure.hosts.claude_code",
        "perdure.hosts.claude_code.events",
    ]
