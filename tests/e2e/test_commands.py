from __future__ import annotations

import json
import os
import stat
import subprocess

import pytest

pytestmark = pytest.mark.req("cli.commands")


def handle_of(text):
    return text.split()[2].rstrip(".")


@pytest.mark.req("cli.init")
def test_init_makes_a_private_home_and_says_what_it_did_and_how_to_undo_it(machine):
    said = machine.perdure("init", "--author", "ana")

    assert sorted(os.listdir(machine.memory)) == ["bin", "config.toml", "hook.json", "ledger.db", "spool"]
    assert stat.S_IMODE(machine.memory.stat().st_mode) == 0o700
    assert 'author = "ana"' in (machine.memory / "config.toml").read_text()
    for part in (
        f"made {machine.memory}/ledger.db",
        "Next: perdure hosts install claude-code",
        f"rm -r {machine.memory}",
    ):
        assert part in said


@pytest.mark.req("cli.init")
def test_init_again_changes_nothing_and_never_rewrites_the_settings(machine):
    machine.perdure("init", "--author", "ana")
    config = machine.memory / "config.toml"
    config.write_text(config.read_text() + "# mine\n")

    assert "already" in machine.perdure("init")
    assert config.read_text().endswith("# mine\n")


@pytest.mark.req("cli.init")
def test_init_takes_the_author_from_git_or_asks_for_one(machine):
    assert "perdure init --author NAME" in machine.perdure("init", code=2)
    assert not machine.memory.exists()
    (machine.home / ".gitconfig").write_text("[user]\n\tname = Ána Silva\n")

    assert machine.json("init")["author"] == "ana-silva"


@pytest.mark.req("cli.init")
@pytest.mark.parametrize("name", ["a b", "", "x" * 65, "../x", "ana\n"])
def test_an_author_that_is_no_name_is_refused(machine, name):
    assert machine.perdure("init", "--author", name, code=2)
    assert not machine.memory.exists()


@pytest.mark.req("cli.errors")
@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("recall", "x"),
        ("remember", "x"),
        ("show", "abcd"),
        ("work",),
        ("undo",),
        ("import", "claude-code", "/"),
    ],
)
def test_every_command_without_a_memory_says_how_to_make_one(machine, command):
    said = machine.perdure(*command, code=3, PERDURE_AUTHOR="ana")

    assert said == f"perdure: There is no memory at {machine.memory}. Run: perdure init\n"
    assert not machine.memory.exists()


def test_what_is_undone_is_no_longer_said_to_be_replaced(ready):
    first = handle_of(ready.perdure("remember", "Deploys happen on Mondays"))
    second = ready.json("supersede", first, "Deploys happen on Thursdays")["memory"]
    assert "superseded by" in ready.perdure("show", first)
    ready.perdure("undo")

    assert "supersede" not in ready.perdure("show", first) + ready.perdure("show", second)
    assert "replaces" not in ready.perdure("recall", "deploys", "--superseded")


@pytest.mark.req("cli.import")
def test_an_import_takes_in_the_project_s_commits_too(ready, tmp_path):
    repository = tmp_path / "repo"
    repository.mkdir()
    for arguments in (("init",), ("commit", "--allow-empty", "-m", "Round discounts half to even")):
        identity = ("-c", "user.name=Ana", "-c", "user.email=ana@pier.example")
        subprocess.run(
            ["git", *identity, *arguments], cwd=repository, env=ready.environment, check=True, capture_output=True
        )
    ready.session("s1", repository).say("user", "Have a look at the price table please")

    assert ready.json("import", "claude-code", "--all")["commits"] == 1


def test_a_memory_is_remembered_found_shown_replaced_and_brought_back(ready):
    first = handle_of(ready.perdure("remember", "Deploys happen on Mondays", "--tag", "deploy"))
    assert f"Remembered as {first} in work." in ready.perdure("status") or first

    second = ready.json("supersede", first, "Deploys happen on Thursdays")
    shown = ready.json("show", second["memory"])
    assert (shown["body"], shown["state"]) == ("Deploys happen on Thursdays", "active")
    assert [link["kind"] for link in shown["links"]] == ["supersedes"]

    hits = ready.json("recall", "deploys")["hits"]
    assert [(hit["body"], len(hit["replaces"])) for hit in hits] == [("Deploys happen on Thursdays", 1)]
    said = ready.perdure("recall", "deploys")
    assert f"replaces {first}: Deploys happen on Mondays" in said

    ready.perdure("undo")
    assert [hit["body"] for hit in ready.json("recall", "deploys")["hits"]] == ["Deploys happen on Mondays"]
    assert [revision["cause"] for revision in ready.json("history", first)] == ["added", "superseded", "undone"]


def test_many_memories_are_forgotten_at_once_and_the_rest_stays(ready):
    names = [handle_of(ready.perdure("remember", f"Locker {number} holds oars")) for number in range(4)]

    said = ready.perdure("forget", *names[:3])
    assert said.startswith("Forgotten: 3 of 3, changes ")
    assert [hit["handle"] for hit in ready.json("recall", "which lockers hold oars")["hits"]] == [names[3]]
    again = ready.json("forget", *names)
    assert [told["outcome"] for told in again] == ["unchanged", "unchanged", "unchanged", "written"]


def test_pin_feedback_mark_and_forget_are_revisions_that_history_tells(ready):
    name = handle_of(ready.perdure("remember", "Tickets are printed at the pier"))
    assert ready.perdure("pin", name) == f"{name} is pinned now.\n"
    assert ready.perdure("feedback", name, "helped", "--note", "saved an hour") == f"Noted: {name} helped.\n"
    ready.perdure("mark", name, "expired", "--at", "2030-01-01")
    said = ready.perdure("forget", name)
    number = said.split()[-1]
    assert ready.perdure("undo", number).startswith("Taken back")

    told = ready.perdure("history", name)
    assert [line.split()[2] for line in told.splitlines() if "change" in line] == [
        "added", "pinned", "feedback", "closed", "forgotten", "undone",
    ]  # fmt: skip


@pytest.mark.req("cli.times")
def test_what_held_at_a_time_and_what_was_known_by_then_can_be_asked(ready):
    old = ready.json("remember", "The timeout is 30 minutes", "--valid-from", "2026-01-01")["memory"]
    ready.json("supersede", old, "The timeout is 15 minutes", "--valid-from", "2026-05-01")

    def answers(*options):
        return [hit["body"] for hit in ready.json("recall", "timeout", *options)["hits"]]

    assert answers() == ["The timeout is 15 minutes"]
    assert answers("--as-of", "2026-03-01") == ["The timeout is 30 minutes"]
    assert answers("--known-at", "2020-01-01") == []
    assert len(answers("--superseded")) == 2
    assert "did not stand at that time" in ready.perdure("show", old, "--as-of", "2025-01-01", code=3)


@pytest.mark.req("cli.times")
@pytest.mark.parametrize(
    ("zone", "start"), [("Asia/Tokyo", "2026-02-28T15:00:00"), ("America/New_York", "2026-03-01T05:00:00")]
)
def test_a_date_without_an_offset_is_the_user_s_own(ready, zone, start):
    made = ready.json("remember", "Berths are cleaned", "--valid-from", "2026-03-01", TZ=zone)

    assert ready.json("show", made["memory"])["valid_from"] == f"{start}+00:00"
    assert "holds          from 2026-03-01 00:00" in ready.perdure("show", made["memory"], TZ=zone)


@pytest.mark.req("cli.errors")
@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        (("show", "abcd"), 3, "There is no memory 'abcd'"),
        (("show", ""), 3, "There is no memory ''"),
        (("recall", "x", "--as-of", "soon"), 2, "'soon' is not a date"),
        (("recall", "x", "--project", "nowhere"), 3, "There is no project 'nowhere'"),
        (("undo", "x"), 2, "'x' is not the number of a change"),
        (("undo", "99999999999999999999999"), 2, "larger than any that is kept"),
        (("undo",), 4, "There is nothing to undo."),
        (("remember", " "), 4, "There is nothing to record"),
        (("remember", "x", "--importance", "7"), 4, "importance must lie between 0 and 1"),
        (("remember", "x", "--importance", "nan"), 4, "importance must lie between 0 and 1"),
        (("remember", "x", "--valid-from", "2026-02-02", "--valid-to", "2026-01-01"), 4, "lies before valid-from"),
        (("remember",), 2, "Missing argument"),
        (("nonsense",), 2, "No such command 'nonsense'. See: perdure --help"),
        (("remembr", "x"), 2, "Did you mean 'remember'?"),
        (("import", "claude-code", "/nowhere"), 3, "There is no directory /nowhere"),
    ],
)
def test_bad_input_is_answered_with_a_sentence_and_the_code_of_its_class(ready, command, code, says):
    assert says in ready.perdure(*command, code=code)


@pytest.mark.req("cli.errors")
def test_a_variable_that_names_no_setting_is_an_error_with_a_suggestion(ready):
    assert "Did you mean 'recall.limit' (PERDURE_RECALL_LIMIT)?" in ready.perdure(
        "status", code=2, PERDURE_RECALL_LIMITS="3"
    )


@pytest.mark.req("cli.doctor")
def test_doctor_names_broken_settings_of_a_host_among_the_rest(ready):
    ready.settings.write_text("{")
    done = ready.run("doctor", "--json")

    found = {check["check"]: check for check in json.loads(done.stdout)}
    assert (done.returncode, found["ledger"]["ok"], found["claude-code"]["ok"]) == (1, True, False)
    assert str(ready.settings) in found["claude-code"]["says"]


@pytest.mark.req("cli.errors")
def test_a_broken_settings_file_is_named_and_left_alone(ready):
    config = ready.memory / "config.toml"
    config.write_text("author = [\n")

    assert f"{config} is not valid TOML" in ready.perdure("status", code=2)
    assert config.read_text() == "author = [\n"


@pytest.mark.req("cli.text")
def test_any_text_can_be_remembered_from_arguments_and_from_standard_input(ready):
    ready.perdure("remember", "--", "-rf", "is", "an", "option")
    ready.perdure("remember", "-", stdin="港の料金は税込です。\nNaïve café 🎉\n")

    assert ready.json("recall", "料金")["hits"][0]["body"] == "港の料金は税込です。\nNaïve café 🎉"
    assert "港の料金は税込です" in ready.perdure("recall", "naive cafe")


@pytest.mark.req("cli.text")
def test_output_has_no_colour_where_nobody_looks_at_it(ready):
    ready.perdure("remember", "Money is kept in cents")

    assert "\x1b" not in ready.perdure("recall", "money")


def test_a_memory_is_private_or_of_no_project_when_told_so(ready):
    private = ready.json("show", ready.json("remember", "Only mine", "--private")["memory"])
    everywhere = ready.json("show", ready.json("remember", "Everywhere", "--global")["memory"])
    preference = ready.json("show", ready.json("remember", "I prefer tabs", "--type", "preference")["memory"])

    assert [(one["scope"], one["project"]) for one in (private, everywhere, preference)] == [
        ("private", "work"),
        ("private", ""),
        ("private", "work"),
    ]


@pytest.mark.req("cli.import")
def test_sessions_on_the_machine_are_taken_in_with_their_own_times_and_only_once(ready):
    session = ready.session("s1")
    session.say("user", "We decided to keep money in cents.", at="2026-02-03T10:00:00.000Z")
    session.say("assistant", "Done.", at="2026-02-03T10:01:00.000Z")

    first = ready.json("import", "claude-code", "--all")
    again = ready.json("import", "claude-code", "--all")

    assert {key: first[key] for key in ("found", "sessions", "turns", "memories")} == {
        "found": 1, "sessions": 1, "turns": 2, "memories": 2,
    }  # fmt: skip
    assert (again["turns"], again["memories"]) == (0, 0)
    assert ready.json("recall", "money cents")["hits"][0]["valid_from"] == "2026-02-03T10:00:00+00:00"


@pytest.mark.req("cli.import")
def test_without_all_only_this_project_s_sessions_are_taken_in(ready, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for name, cwd in (("mine", ready.work), ("theirs", other)):
        ready.session(name, cwd).say("user", f"We decided that {name} is the way.")

    assert ready.json("import", "claude-code")["found"] == 1
    assert ready.json("status")["sessions"] == 1


@pytest.mark.req("capture.defects")
def test_a_bad_line_is_named_once_with_its_file_and_place_and_the_rest_is_kept(ready):
    session = ready.session("s1")
    session.say("user", "We decided to keep money in cents.")
    at = session.transcript.stat().st_size
    with session.transcript.open("a") as file:
        file.write("{broken\n")
    session.say("user", "We decided to round half to even.")
    for _ in range(2):
        session.fire("Stop")
        ready.settle()

    assert [(bad["path"], bad["offset"]) for bad in ready.json("status")["unread"]] == [(str(session.transcript), at)]
    assert len(ready.json("recall", "decided money round")["hits"]) == 2


@pytest.mark.req("cli.status")
def test_status_says_what_is_there_and_what_waits(ready):
    ready.session("s1").prompt("We decided to keep money in cents.")

    told = ready.json("status")
    assert (told["author"], told["waiting"]["events"], told["memories"]) == ("ana", 1, 0)
    ready.settle()
    told = ready.json("status")
    assert (told["waiting"]["events"], told["sessions"], told["turns"]) == (0, 1, 2)
    assert told["projects"] == ["work"]
    assert "memories   2\nprojects   work\n" in ready.perdure("status")


@pytest.mark.req("cli.doctor")
def test_doctor_finds_nothing_wrong_with_a_sound_installation(ready):
    told = ready.json("doctor")

    assert {check["check"]: check["ok"] for check in told} == {
        "home": True, "author": True, "engine": True, "ledger": True, "spool": True, "hook": True, "claude-code": True,
    }  # fmt: skip


@pytest.mark.req("cli.doctor")
def test_doctor_names_what_is_wrong_and_what_to_do(ready):
    (ready.memory / "config.toml").chmod(0o644)
    (ready.memory / "bin" / "perdure-hook").unlink()
    (ready.memory / "spool" / "damaged").mkdir()
    (ready.memory / "spool" / "damaged" / "x.json").write_text("{")
    ready.settings.write_text("{}")

    done = ready.run("doctor", "--json")
    assert done.returncode == 1
    says = {check["check"]: check["says"] for check in json.loads(done.stdout) if not check["ok"]}
    assert "chmod" in says["home"]
    assert "perdure init" in says["hook"]
    assert "set aside" in says["spool"]
    assert "perdure hosts install claude-code" in says["claude-code"]


@pytest.mark.req("cli.doctor")
def test_doctor_finds_a_damaged_ledger_and_leaves_it_alone(ready):
    ready.perdure("remember", "Money is kept in cents")
    ledger = ready.memory / "ledger.db"
    data = bytearray(ledger.read_bytes())
    data[4096:8192] = os.urandom(4096)
    ledger.write_bytes(data)

    done = ready.run("doctor", "--json")
    assert done.returncode == 8
    assert "damaged" in {check["check"]: check["says"] for check in json.loads(done.stdout)}["ledger"]
    assert ledger.read_bytes() == bytes(data)


@pytest.mark.req("cli.config")
def test_config_shows_each_setting_with_its_origin(ready):
    told = ready.json("config", "show", PERDURE_RECALL_LIMIT="3")

    assert told["recall.limit"] == {"value": "3", "origin": "environment"}
    assert told["author"] == {"value": "ana", "origin": str(ready.memory / "config.toml")}
    assert "capture.enabled = true  (default)" in ready.perdure("config", "show", "--origin")
    assert "recall.limit = 8  (default)" in ready.perdure("config", "show", "--origin")
    assert ready.perdure("config", "path") == f"{ready.memory / 'config.toml'}\n"


@pytest.mark.req("hosts.install")
def test_hooks_are_installed_once_and_taken_out_byte_for_byte(machine):
    machine.perdure("init", "--author", "ana")
    machine.settings.parent.mkdir()
    before = '{\n\t"model": "opus",\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}\n}'
    machine.settings.write_text(before)

    machine.perdure("hosts", "install", "claude-code", "--dry-run")
    assert machine.settings.read_text() == before
    machine.perdure("hosts", "install", "claude-code")
    installed = machine.settings.read_text()
    assert json.loads(installed)["hooks"]["Stop"][0]["hooks"][0]["command"] == "mine"
    assert machine.json("hosts", "install", "claude-code")["changed"] is False
    assert machine.settings.read_text() == installed
    assert machine.json("hosts", "list")["claude-code"]["installed"] is True
    machine.perdure("hosts", "uninstall", "claude-code")
    assert machine.settings.read_text() == before


@pytest.mark.req("cli.help")
def test_every_command_explains_itself(machine):
    from perdure.cli import COMMANDS

    said = machine.perdure("--help")
    for command in COMMANDS:
        assert command in said
