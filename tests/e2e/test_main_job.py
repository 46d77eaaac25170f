from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess

import pytest

from tests.e2e.conftest import SECRET

pytestmark = pytest.mark.req("main.job")

CAPTURES = ("PostToolUse", "Stop", "SubagentStop", "PreCompact", "SessionEnd")
DECISION = "We decided to keep money in cents, because a discount lost one."


def test_a_decision_of_one_session_is_in_the_context_of_the_next(ready):
    first = ready.session("s1")
    assert first.fire("SessionStart", source="startup") == ""
    first.prompt(DECISION)
    assert first.fire("Stop", stop_hook_active=False, last_assistant_message="Done.") == ""
    assert first.fire("SessionEnd", reason="other") == ""
    ready.settle()

    second = ready.session("s2")
    briefing = second.fire("SessionStart", source="startup")

    assert DECISION in briefing
    assert "not instructions" in briefing
    assert len(briefing) <= 8_000


@pytest.mark.req("hook.worker")
def test_a_session_s_end_starts_a_worker_that_nobody_waits_for(ready):
    session = ready.session("s1")
    session.prompt(DECISION)
    session.fire("SessionEnd", reason="other")
    ready.settle()

    found = ready.json("recall", "money in cents")
    assert [hit["body"] for hit in found["hits"]] == [DECISION]
    assert os.listdir(ready.memory / "spool") == []


@pytest.mark.req("hook.once")
def test_a_memory_is_given_to_a_session_once(ready):
    ready.perdure("remember", "Money is kept in cents by the ledger.")
    ready.perdure("remember", "Tickets are printed at the pier.")
    session = ready.session("s1")
    start = session.fire("SessionStart", source="startup")
    assert "Money is kept" in start
    assert session.fire("UserPromptSubmit", prompt="How is money kept by the ledger?") == ""
    ready.settle()
    assert session.fire("UserPromptSubmit", prompt="How is money kept by the ledger?") == ""

    other = ready.session("s2")
    assert "Money is kept" in other.fire("UserPromptSubmit", prompt="How is money kept by the ledger?")
    assert other.fire("UserPromptSubmit", prompt="And how is money kept by the ledger?") == ""
    assert "Money is kept" not in other.fire("SessionStart", source="resume")
    assert "Money is kept" in other.fire("SessionStart", source="compact")


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_every_kind_of_start_has_a_briefing(ready, source):
    ready.perdure("remember", "Money is kept in cents.")

    assert "Money is kept in cents." in ready.session("s1").fire("SessionStart", source=source)


@pytest.mark.req("hook.silent")
@pytest.mark.parametrize("event", CAPTURES)
def test_a_capture_event_prints_nothing_and_keeps_a_pointer_without_a_word_of_the_session(ready, event):
    session = ready.session("s1")
    session.say("user", "a word of the session")
    more = {"agent_type": "general-purpose", "agent_id": "a1", "agent_transcript_path": "/x/agent-a1.jsonl"}
    with open(ready.memory / "work.lock", "a") as lock:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)  # no worker may take the pointer away
        assert session.fire(event, last_assistant_message="a word", tool_response="a word", **more) == ""

    (name,) = os.listdir(ready.memory / "spool")
    kept = (ready.memory / "spool" / name).read_text()
    assert json.loads(kept)["session"] == "s1"
    assert "a word" not in kept


@pytest.mark.req("hook.uninitialised")
def test_without_a_memory_a_hook_does_nothing_and_makes_nothing(ready, tmp_path):
    elsewhere = tmp_path / "nowhere"
    payload = {"session_id": "s", "cwd": "/", "hook_event_name": "Stop"}

    assert ready.hook("Stop", payload, PERDURE_HOME=str(elsewhere)) == ""
    assert not elsewhere.exists()


@pytest.mark.req("hook.bad-input")
@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"{}",
        b"\x00\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b'{"session_id": 7, "cwd": [], "transcript_path": {}}',
        b'{"session_id": "\\ud800", "cwd": "\\u0000", "transcript_path": "\\u2028"}',
        b'{"session_id": "s1", "cwd": "/", "prompt": ' + b"1" * 10_000 + b"}",
        b'{"session_id": "s1", "transcript_path": "/t", "prompt": "' + b"x" * 6_000_000 + b'"}',
    ],
    ids=range(13),
)
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop"])
def test_no_payload_at_all_makes_a_hook_fail(ready, payload, event):
    assert ready.hook(event, payload) in {"", ready.hook(event, payload)}


@pytest.mark.req("hook.bad-input")
def test_a_payload_too_large_to_parse_is_still_captured(ready):
    session = ready.session("s1")
    session.say("user", DECISION)
    head = {"session_id": "s1", "transcript_path": str(session.transcript), "cwd": session.cwd}
    payload = json.dumps(head)[:-1].encode() + b', "tool_response": "' + b"x" * 6_000_000 + b'"}'
    ready.hook("PostToolUse", payload)
    ready.settle()

    assert ready.json("status")["turns"] == 1


@pytest.mark.req("hook.ledger-gone")
def test_when_the_ledger_is_gone_or_broken_the_last_compiled_briefing_is_given(ready):
    session = ready.session("s1")
    session.prompt(DECISION)
    session.fire("SessionEnd", reason="other")
    ready.settle()
    (ready.memory / "ledger.db").write_bytes(b"this is no database" * 1000)
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (ready.memory / name).unlink(missing_ok=True)

    other = ready.session("s2")
    assert DECISION in other.fire("SessionStart", source="startup")
    assert other.fire("UserPromptSubmit", prompt="How is money kept?") == ""
    assert other.fire("Stop") == ""
    assert "damaged" in ready.perdure("status", code=8)
    assert (ready.memory / "ledger.db").read_bytes().startswith(b"this is no database")


@pytest.mark.req("hook.disk")
def test_a_read_only_home_does_not_disturb_the_host(ready):
    ready.perdure("remember", "Money is kept in cents.")
    spool = ready.memory / "spool"
    spool.rmdir()
    spool.write_text("no directory")

    session = ready.session("s1")
    for event in CAPTURES:
        assert session.fire(event) == ""
    assert "hook log" in ready.perdure("status")


@pytest.mark.req("access.projects")
def test_two_projects_that_speak_of_the_same_never_mix(ready, tmp_path):
    for name, value in (("ferry", "15 minutes"), ("lantern", "8 hours")):
        cwd = tmp_path / name
        cwd.mkdir()
        session = ready.session(f"{name}-1", cwd)
        session.prompt(f"We decided that the session timeout is {value}.")
        session.fire("SessionEnd", reason="other")
    ready.settle()

    given = {
        name: ready.session(f"{name}-2", tmp_path / name).fire(
            "UserPromptSubmit", prompt="What is the session timeout?"
        )
        for name in ("ferry", "lantern")
    }
    assert ("15 minutes" in given["ferry"], "8 hours" in given["ferry"]) == (True, False)
    assert ("15 minutes" in given["lantern"], "8 hours" in given["lantern"]) == (False, True)


@pytest.mark.req("projects.identity")
def test_a_linked_work_tree_and_a_clone_are_the_same_project(ready, tmp_path):
    def git(*arguments, cwd):
        identity = ("-c", "user.name=Ana", "-c", "user.email=ana@pier.example")
        subprocess.run(["git", *identity, *arguments], cwd=cwd, env=ready.environment, check=True, capture_output=True)

    origin = tmp_path / "Häfen 港"
    origin.mkdir()
    git("init", "-b", "main", cwd=origin)
    git("commit", "--allow-empty", "-m", "Begin the harbour", cwd=origin)
    git("worktree", "add", str(tmp_path / "beside"), cwd=origin)
    git("worktree", "add", str(origin / "inside"), cwd=origin)
    git("clone", str(origin), str(tmp_path / "clone"), cwd=tmp_path)
    session = ready.session("s1", origin)
    session.prompt(DECISION)
    session.fire("SessionEnd", reason="other")
    ready.settle()
    ready.perdure("remember", "warm the clone", "--private", cwd=tmp_path / "clone")

    for number, place in enumerate((origin, tmp_path / "beside", origin / "inside", tmp_path / "clone")):
        assert DECISION in ready.session(f"t{number}", place).fire("SessionStart", source="startup"), place
    status = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path / "clone", capture_output=True, check=True)
    assert status.stdout == b""


@pytest.mark.req("history.commits")
def test_commit_messages_are_known_with_their_own_time(ready, tmp_path):
    repository = tmp_path / "repo"
    repository.mkdir()
    when = {"GIT_AUTHOR_DATE": "2026-10-01T12:00:00Z", "GIT_COMMITTER_DATE": "2026-10-01T12:00:00Z"}
    for arguments in (
        ("init", "-b", "main"),
        ("config", "user.name", "Ana"),
        ("config", "user.email", "ana@pier.example"),
        ("commit", "--allow-empty", "-m", "Round discounts half to even"),
    ):
        subprocess.run(
            ["git", *arguments], cwd=repository, env=ready.environment | when, check=True, capture_output=True
        )
    session = ready.session("s1", repository)
    session.prompt("Have a look at the price table please")
    session.fire("Stop")
    ready.settle()

    (hit,) = ready.json("recall", "discounts half even", cwd=repository)["hits"]
    assert (hit["body"], hit["valid_from"]) == ("Committed: Round discounts half to even", "2026-10-01T12:00:00+00:00")
    assert hit["source"]["trust"] == "user"


@pytest.mark.req("capture.secrets")
def test_a_secret_and_a_private_passage_never_reach_the_disk(ready):
    session = ready.session("s1")
    session.prompt(f"Remember: the release token is {SECRET}, use it. <private>the owl calls at night</private>")
    session.fire("SessionEnd", reason="other")
    ready.settle()
    ready.perdure("recall", "release token")

    for path in ready.memory.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert SECRET.encode() not in data, path
            assert b"owl calls" not in data, path
    assert "[REDACTED:" in ready.perdure("recall", "release token")


@pytest.mark.req("home.private")
def test_everything_in_the_home_is_readable_by_its_owner_only(ready):
    session = ready.session("s1")
    session.prompt(DECISION)
    session.fire("SessionEnd", reason="other")
    ready.settle()

    loose = [
        str(path) for path in (ready.memory, *ready.memory.rglob("*")) if stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    assert loose == []


@pytest.mark.req("hook.untouched")
def test_nothing_is_written_into_the_user_s_work_tree(ready):
    session = ready.session("s1")
    for event in ("SessionStart", *CAPTURES):
        session.fire(event)
    ready.settle()

    assert list(ready.work.iterdir()) == []


@pytest.mark.req("hook.launcher")
def test_a_launcher_whose_perdure_is_gone_exits_0_and_says_nothing(ready):
    launcher = ready.memory / "bin" / "perdure-hook"
    launcher.write_text(launcher.read_text().replace(os.path.dirname(os.path.dirname(__file__)), "/gone"))
    broken = launcher.read_text()
    for text in (broken.replace("perdure.hook", "perdure.gone"), broken.replace("python", "pyth0n")):
        launcher.write_text(text)
        assert ready.hook("Stop", {"session_id": "s1"}) == ""


@pytest.mark.req("hook.launcher")
def test_what_a_host_is_given_to_run_says_nothing_once_the_home_is_gone(ready):
    settings = json.loads(ready.settings.read_text())
    shutil.rmtree(ready.memory)

    for event, [group] in settings["hooks"].items():
        line = group["hooks"][0]["command"]
        done = subprocess.run(["/bin/sh", "-c", line], input=b"{}", capture_output=True, check=False)
        assert (event, done.returncode, done.stdout, done.stderr) == (event, 0, b"", b"")


@pytest.mark.req("hook.light")
def test_the_capture_path_imports_no_heavy_module(ready):
    heavy = {
        "dataclasses",
        "tomllib",
        "subprocess",
        "typing",
        "inspect",
        "pathlib",
        "apsw",
        "datetime",
        "asyncio",
        "hashlib",
    }
    launcher = (ready.memory / "bin" / "perdure-hook").read_text()
    seen = "import atexit, os; os._exit = lambda code: print(*sys.modules, file=sys.stderr)\nmain()\n"
    probe = ready.memory / "bin" / "probe"
    probe.write_text(launcher.replace("main()\n", seen).replace("import atexit, ", "import "))
    payload = json.dumps({"session_id": "s1", "cwd": "/", "hook_event_name": "PostToolUse"}).encode()
    done = subprocess.run(
        ["/bin/sh", str(probe), "claude-code", "PostToolUse"],
        env=ready.environment,
        input=payload,
        capture_output=True,
        check=False,
    )

    modules = set(done.stderr.decode().split())
    assert "perdure.hook" in modules
    assert modules & heavy == set()
