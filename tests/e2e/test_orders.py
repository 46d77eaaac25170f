from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.unit.models.server import ModelServer, Reply, anthropic_says, ollama_says, openai_says

pytestmark = pytest.mark.req("models.host")

LONG = "We keep money in whole cents, since the price table once lost a cent in every discount. " * 8
ITEM = {
    "type": "semantic",
    "content": "Prices are odd numbers of cents.",
    "importance": 0.9,
    "confidence": 0.9,
    "sources": [1],
}
ANSWER = json.dumps([ITEM])
KEY = "k-Sup3rS3cretValue0"


@pytest.fixture
def told(ready):
    """A machine on which a session was held that is over."""
    session = ready.session("s1")
    session.say("user", LONG)
    session.say("assistant", "Noted. I keep to odd prices.")
    ready.perdure("import", "claude-code", "--all")
    return ready


def recalled(machine):
    return [hit["body"] for hit in machine.json("recall", "odd prices in cents")["hits"] if hit["kind"] == "fact"]


def test_the_host_s_agent_takes_an_order_and_brings_the_answer(told):
    assert told.json("work", "next") == {"order": None}
    told.perdure("work", "--extract")
    asked = told.json("work", "next")
    assert (asked["order"], asked["kind"], asked["cut"]) == (1, "extract", "")
    assert "[1] user, 2026-03-01 10:00: We keep money" in asked["text"]
    assert told.json("work", "next") == {"order": None}

    done = told.json("work", "done", "1", stdin=f"<think>hm</think>\n```json\n{ANSWER}\n```")

    assert (done["outcome"], done["order"], [each["outcome"] for each in done["changes"]]) == (
        "applied",
        1,
        ["written"],
    )
    assert ITEM["content"] in recalled(told)
    why = told.json("show", done["changes"][0]["memory"])
    assert (why["importance"], why["confidence"], why["source"]["channel"]) == (0.7, 0.8, "assistant_inference")
    assert "answered already by the host's agent" in told.perdure("work", "done", "1", "[]", code=5)
    told.perdure("undo")
    assert ITEM["content"] not in recalled(told)


def test_people_see_the_question_and_how_to_answer(told):
    assert told.perdure("work", "next") == "No work order waits.\n"
    said = told.perdure("work", "--extract")
    assert "Work orders: 0 asked, 0 answered" in said
    said = told.perdure("work", "next")
    assert said.startswith("You keep the long-term memory")
    assert "the standard input of: perdure work done 1\n" in said
    assert told.perdure("work", "done", "1", "[]") == "Work order 1 is done: nothing to keep.\n"


@pytest.mark.req("models.contract")
def test_an_answer_that_is_prose_is_asked_for_once_more_then_the_order_is_refused_kept_and_retried(told):
    told.perdure("work", "--extract")
    told.perdure("work", "next")

    first = told.perdure("work", "done", "1", "I found nothing.", code=2)
    second = told.perdure("work", "done", "1", '[{"type": "rumour"}]', code=4)

    assert first == (
        "perdure: The answer cannot be used: there is no JSON array in the answer."
        " Answer once more: perdure work done 1\n"
    )
    assert "Work order 1 is refused after a second answer that cannot be used: the answer[0]" in second
    assert "refused" in told.perdure("work", "orders")
    shown = told.json("work", "orders", "1")
    assert (shown["state"], shown["rejected"], shown["answer"]) == ("refused", 2, '[{"type": "rumour"}]')
    assert '[{"type": "rumour"}]' in told.perdure("work", "orders", "1")
    assert told.json("work", "status")["failed"][0]["reason"].startswith("the answer[0]")
    assert recalled(told) == []

    assert told.perdure("work", "retry", "1") == "Work order 1 waits again.\n"
    assert told.json("work", "next")["order"] == 1
    rejected = json.loads(told.run("work", "done", "1", "--json", stdin="no").stdout)
    assert rejected == {
        "outcome": "rejected",
        "order": 1,
        "reason": "there is no JSON array in the answer",
        "final": False,
    }
    assert told.json("work", "done", "1", stdin=ANSWER)["outcome"] == "applied"


@pytest.mark.parametrize("command", [("done", "7", "[]"), ("retry", "7"), ("orders", "7")])
def test_an_order_that_is_not_there_is_not_found(ready, command):
    assert ready.perdure("work", *command, code=3) == ("perdure: There is no work order 7. See: perdure work orders\n")


@pytest.mark.req("models.selection")
@pytest.mark.parametrize("kind", ["openai", "anthropic", "ollama", "command"])
def test_each_backend_is_configured_by_variables_and_answers(told, kind, tmp_path):
    program = tmp_path / "ask"
    program.write_text(
        f"#!{sys.executable} -I\nimport sys\nassert 'odd prices' in sys.stdin.read()\nprint('''{ANSWER}''')\n"
    )
    program.chmod(0o755)
    says: Any = {"openai": openai_says, "anthropic": anthropic_says, "ollama": ollama_says}.get(kind, openai_says)
    with ModelServer(Reply(says(ANSWER))) as server:
        environment = {
            "openai": {
                "PERDURE_MODEL_URL": f"{server.url}/v1",
                "PERDURE_MODEL_ROLES_DEFAULT": "m",
                "PERDURE_MODEL_KEY_VARIABLE": "ACME",
                "ACME": KEY,
            },
            "anthropic": {"PERDURE_MODEL_ANTHROPIC_URL": server.url, "PERDURE_ANTHROPIC_KEY": KEY},
            "ollama": {"PERDURE_MODEL_OLLAMA_URL": server.url, "PERDURE_MODEL_ROLES_SMALL": "m"},
            "command": {"PERDURE_MODEL_CMD": f"{program} --quiet"},
        }[kind]
        before = told.json("work", "status", **environment)["models"]["default"]
        assert server.requests == []
        report = told.json("work", "--extract", **environment)["orders"]

    assert (report["answered"], report["outcomes"], report["stopped"]) == (1, {"written": 1}, "")
    assert len(server.requests) == (kind != "command")
    assert ITEM["content"] in recalled(told)
    status = told.json("work", "status")
    assert [order["served"] for order in status["latest"]] == [before]
    assert [(row["role"], row["calls"]) for row in status["spent"]] == [("default", 1)]
    assert kind in before


@pytest.mark.req("models.keys")
def test_a_key_is_in_no_output_and_in_no_file(told):
    environment = {"PERDURE_ANTHROPIC_KEY": KEY, "PERDURE_MODEL_KEY": KEY}
    complaint = {"error": {"message": f"invalid x-api-key {KEY}"}}
    with ModelServer(Reply(complaint, 401)) as server:
        environment["PERDURE_MODEL_ANTHROPIC_URL"] = server.url
        done = told.run("work", "--extract", **environment)
        runs = [told.run(*command, **environment) for command in (("work", "status"), ("config", "show", "--origin"))]

    assert "Check the key" in done.stderr
    for run in (done, *runs):
        assert run.returncode == 0
        assert KEY not in run.stdout + run.stderr
    for folder, _folders, names in os.walk(told.memory):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert KEY.encode() not in file.read()


@pytest.mark.req("models.selection")
@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"PERDURE_MODEL_URL": "http://127.0.0.1:1"}, "Set model.roles.default"),
        ({"PERDURE_MODEL_ANTHROPIC_KEY_VARIABLE": "NOT_SET"}, "The variable NOT_SET"),
    ],
)
def test_a_backend_that_is_configured_by_half_says_what_is_missing(told, environment, says):
    assert says in told.perdure("work", "status", **environment)
    done = told.run("work", "--extract", **environment)
    assert (done.returncode, says in done.stderr) == (0, True)


@pytest.mark.req("models.selection")
@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("PERDURE_MODEL_URL", "localhost:8000", "Give an address like"),
        ("PERDURE_MODEL_URL", "http://me:secret@127.0.0.1", "holds a name or a password"),
        ("PERDURE_MODEL_OLLAMA_URL", "http://[", "Give an address like"),
        ("PERDURE_MODEL_BACKEND", "openia", "model.backend is 'openia'"),
        ("PERDURE_MODEL_CMD", "ask 'me", "model.cmd cannot be read"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused(ready, variable, value, says):
    assert says in ready.perdure("work", "status", code=2, **{variable: value})


@pytest.mark.req("models.budget", "models.status")
def test_the_day_s_budget_stops_and_status_says_what_was_spent(told):
    environment = {"PERDURE_MODEL_CMD": "cat", "PERDURE_MODEL_DAILY_TOKENS": "100"}

    said = told.run("work", "--extract", **environment)

    assert "The budget of 100 tokens a day does not hold the next question: 0 are spent" in said.stderr
    status = told.perdure("work", "status", **environment)
    assert "default    command: cat\n" in status
    assert "spent      0 of 100 tokens today\n" in status
    assert "orders     1 waiting, 0 leased, 0 done, 0 refused\n" in status


# What a process does that must not connect: it is watched from its first line on, and a connection ends it.
WATCHED = """
import os, sys
def watch(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"}:
        os.write(2, b"connected")
        os._exit(99)
sys.addaudithook(watch)
from perdure.cli import main
for command in sys.argv[1:]:
    try:
        main(command.split())
    except SystemExit as left:
        if left.code:
            raise
"""


def watched(machine, *commands, **environment):
    return subprocess.run(
        [sys.executable, "-c", WATCHED, *commands],
        env=machine.environment | environment,
        cwd=machine.work,
        capture_output=True,
        check=False,
    )


@pytest.fixture
def ended(ready):
    """A machine on which a session was held, ended, and is not taken in yet."""
    session = ready.session("s1")
    session.say("user", LONG)
    session.say("assistant", "Noted. I keep to odd prices.")
    return ready


@pytest.mark.req("models.silent")
@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "OLLAMA_HOST": "127.0.0.1:1"},
        {"PERDURE_MODEL_BACKGROUND": "true"},
        {"PERDURE_MODEL_URL": "http://127.0.0.1:1/v1", "PERDURE_MODEL_ROLES_DEFAULT": "m"},
        {"PERDURE_ANTHROPIC_KEY": KEY, "PERDURE_MODEL_BACKEND": "none", "PERDURE_MODEL_BACKGROUND": "true"},
    ],
    ids=["nothing", "keys of others", "background alone", "no background", "none"],
)
def test_no_command_connects_to_anything_unless_a_model_is_configured_and_asked(ended, environment):
    commands = ["import claude-code --all", "work", "remember deploys", "recall cents", "status", "doctor"]
    commands += ["work status", "work orders"]
    if "PERDURE_MODEL_URL" not in environment:
        commands += ["work --extract --json", "work ask --json"]

    done = watched(ended, *commands, **environment)

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.req("models.silent")
def test_the_worker_asks_by_itself_where_its_owner_wants_that(ended):
    environment = {
        "PERDURE_MODEL_URL": "http://127.0.0.1:1/v1",
        "PERDURE_MODEL_ROLES_DEFAULT": "m",
        "PERDURE_MODEL_BACKGROUND": "true",
    }

    done = watched(ended, "import claude-code --all", **environment)

    assert (done.returncode, done.stderr) == (99, b"connected")
    with ModelServer(Reply(openai_says(ANSWER))) as server:
        environment["PERDURE_MODEL_URL"] = f"{server.url}/v1"
        first = ended.json("work", PERDURE_MODEL_BACKGROUND="false")
        assert (first["orders"]["asked"], server.requests) == (0, [])
        # The order of the worker that was killed is held still; a session that came since is asked about.
        ended.session("s2").say("user", LONG)
        ended.perdure("import", "claude-code", "--all", **environment)
        assert len(server.requests) == 1
    assert ended.json("work", "status")["orders"]["leased"] == 1
