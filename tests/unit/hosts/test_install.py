from __future__ import annotations

import json

import pytest

from perdure.domain.errors import Refused, UsageError
from perdure.hosts.claude_code.events import EVENTS
from perdure.hosts.claude_code.install import installed, is_disabled, is_ours, plan_install, plan_uninstall
from tests.unit.hosts.kit import LAUNCHER

FRESH = """{
  "hooks": {
    "SessionStart": [
      {
        "matcher": "startup|resume|clear|compact|fork",
        "hooks": [
          {
            "type": "command",
            "command": "{start}",
            "timeout": 10
          }
        ]
      }
    ],
    "UserPromptSubmit": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "{prompt}",
            "timeout": 10
          }
        ]
      }
    ],
"""


def line(event, launcher=LAUNCHER):
    return f"[ ! -x '{launcher}' ] || '{launcher}' claude-code {event}"


def entry(event, launcher=LAUNCHER):
    answers = event in {"SessionStart", "UserPromptSubmit"}
    handler = {
        "type": "command",
        "command": line(event, launcher),
        "timeout": 10 if answers else 5,
    }
    matcher = {"matcher": "startup|resume|clear|compact|fork"} if event == "SessionStart" else {}
    return matcher | {"hooks": [handler]}


OURS = {event: [entry(event)] for event in EVENTS}
THEIRS = {"matcher": "Bash", "hooks": [{"type": "command", "command": "notify-send done"}]}


@pytest.mark.req("hosts.claude-install")
@pytest.mark.parametrize("text", [None, "", " \n", "{}", "{ }\n", "\ufeff", "{\n}\n"])
def test_settings_that_hold_nothing_come_to_hold_one_hook_for_each_event(text):
    planned = plan_install(text, LAUNCHER)

    assert json.loads(planned.removeprefix("\ufeff")) == {"hooks": OURS}
    if text is None:
        fresh = FRESH.replace("{start}", line("SessionStart")).replace("{prompt}", line("UserPromptSubmit"))
        assert planned.startswith(fresh)
        assert planned.endswith("\n  }\n}\n")


@pytest.mark.req("hosts.claude-install")
def test_every_event_that_we_read_is_installed():
    assert list(json.loads(plan_install(None, LAUNCHER))["hooks"]) == list(EVENTS)


MIXED = """{
    "model":   "some-model",
    "permissions": {"allow": ["Bash(ls:*)",   "Read"], "deny": []},
    "ratio": 1.50e+1, "big": 12345678901234567890123, "esc": "caf\\u00e9 \\/ 字",
    "hooks": {
        "Stop": [
            {
                "matcher": "Bash",
                "hooks": [{"type": "command", "command": "notify-send done"}]
            }
        ],

        "Notification": [{"hooks": []}]
    },
    "env": {}
}
"""


@pytest.mark.req("hosts.claude-install")
def test_what_others_wrote_stays_byte_for_byte_where_it_is():
    planned = plan_install(MIXED, LAUNCHER)

    data = json.loads(planned)
    before = json.loads(MIXED)
    assert list(data) == list(before)
    assert data["hooks"] == {
        "Stop": [THEIRS, entry("Stop")],
        "Notification": [{"hooks": []}],
        **{event: groups for event, groups in OURS.items() if event != "Stop"},
    }
    assert {**data, "hooks": 0} == {**before, "hooks": 0}

    rest = iter(planned.splitlines())
    kept = [line for line in MIXED.splitlines() if line not in {"        ],", "            }"}]
    added = ['        "Notification": [{"hooks": []}],' if "Notification" in line else line for line in kept]
    assert all(line in rest for line in added)
    assert '            },\n            {\n                "hooks": [\n' in planned


@pytest.mark.req("hosts.claude-install")
@pytest.mark.parametrize(
    ("text", "unit", "newline"),
    [
        ('{\n  "a": 1\n}\n', "  ", "\n"),
        ('{\n    "a": 1\n}', "    ", "\n"),
        ('{\n\t"a": 1\n}\n', "\t", "\n"),
        ('\ufeff{\r\n  "a": 1\r\n}\r\n', "  ", "\r\n"),
        ('{\n"a": 1\n}', "", "\n"),
        ('\n  {\n     "a": 1\n  }', "   ", "\n"),
    ],
)
def test_indentation_line_ends_bom_and_the_last_newline_are_the_files_own(text, unit, newline):
    planned = plan_install(text, LAUNCHER)

    indent = unit + ("  " if text.startswith("\n") else "")
    assert f'{newline}{indent}"hooks": {{{newline}' in planned
    if unit:
        assert f'{newline}{indent}{unit}"Stop": [{newline}{indent}{unit}{unit}{{{newline}' in planned
    assert planned.startswith(text[:8])
    assert planned.endswith(text[text.rindex("}") - 1 :])
    assert ("\n" in planned.replace("\r\n", "")) == (newline == "\n")
    assert plan_uninstall(planned) == text


@pytest.mark.req("hosts.claude-install")
@pytest.mark.parametrize(
    "text",
    ['{"a":1}', '{"a": 1, "b": 2}', '{ "hooks": {} }', '{"hooks":{"Stop":[]}}', '{"hooks":{"Stop":[],"End":[]}}'],
)
def test_a_file_on_one_line_stays_on_one_line(text):
    planned = plan_install(text, LAUNCHER)

    assert "\n" not in planned
    assert json.loads(planned)["hooks"] | OURS == json.loads(planned)["hooks"]
    assert plan_uninstall(planned, text) == text


@pytest.mark.req("hosts.claude-install")
@pytest.mark.parametrize("text", [None, "{}", MIXED, '{"a":1}'])
def test_installing_twice_changes_nothing_more(text):
    once = plan_install(text, LAUNCHER)

    assert plan_install(once, LAUNCHER) == once


@pytest.mark.req("hosts.claude-install")
def test_a_launcher_that_moved_is_changed_in_place_with_all_else_that_its_owner_set():
    data = json.loads(plan_install(MIXED, "/old place/perdure-hook"))
    mine = data["hooks"]["Stop"][1]["hooks"][0]
    mine["timeout"] = 60
    data["hooks"]["Stop"][1]["hooks"].insert(0, THEIRS["hooks"][0])

    moved = json.loads(plan_install(json.dumps(data), LAUNCHER))

    mine["command"] = line("Stop")
    for event in EVENTS:
        data["hooks"][event] = data["hooks"][event] if event == "Stop" else [entry(event)]
    assert moved == data


@pytest.mark.req("hosts.claude-install")
def test_entries_of_ours_that_are_too_many_or_out_of_date_go():
    data = {
        "hooks": {
            "Stop": [entry("Stop"), THEIRS, entry("Stop", "/old/perdure-hook")],
            "PreToolUse": [entry("PreToolUse")],
            "Notification": [{"hooks": [*THEIRS["hooks"], *entry("Notification")["hooks"]]}],
        }
    }

    hooks = json.loads(plan_install(json.dumps(data), LAUNCHER))["hooks"]

    assert hooks == {
        "Stop": [entry("Stop"), THEIRS],
        "Notification": [{"hooks": THEIRS["hooks"]}],
        **{event: groups for event, groups in OURS.items() if event != "Stop"},
    }


@pytest.mark.req("hosts.claude-install")
@pytest.mark.parametrize(
    "launcher", ["/a b/perdure-hook", "/it's/perdure-hook", "/字/ü/perdure-hook", '/"q"/$(x)/`y`/perdure-hook']
)  # fmt: skip
def test_any_path_is_quoted_for_the_hosts_shell(launcher):
    planned = plan_install(None, launcher)

    assert all(installed(planned, launcher).values())
    assert plan_install(planned, LAUNCHER) == plan_install(None, LAUNCHER)
    assert plan_uninstall(planned) == "{}\n"


@pytest.mark.req("hosts.claude-install")
@pytest.mark.parametrize("launcher", ["", "perdure-hook", "/bin/hook", "/bin/perdure-hook ", "/a\nb/perdure-hook"])
def test_a_launcher_that_could_not_be_told_from_others_is_refused(launcher):
    with pytest.raises(UsageError, match="is not the absolute path of a program named perdure-hook"):
        plan_install(None, launcher)


@pytest.mark.req("hosts.claude-install-refusals")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,}', r"s\.json is not valid JSON \(line 1, column \d+: .*\)\. It was left as it is\."),
        ('{\n  "a": 1\n  "b": 2\n}', r"s\.json is not valid JSON \(line 3, column 3: .*\)\."),
        ("// note\n{}", r"s\.json is not valid JSON \(line 1, column 1: .*\)\."),
        ("\ufeff\ufeff{}", r"s\.json is not valid JSON"),
        ("{} {}", r"s\.json is not valid JSON"),
        ("[]", r"s\.json does not hold a JSON object\."),
        ("null", r"s\.json does not hold a JSON object\."),
        ('{"a": ' + "[" * 100_000, r"s\.json holds a number or a nesting beyond reason\."),
        ('{"a": ' + "9" * 5_000 + "}", r"s\.json holds a number or a nesting beyond reason\."),
        ('{"hooks": []}', r's\.json has "hooks" that are not an object\.'),
        ('{"hooks": null}', r's\.json has "hooks" that are not an object\.'),
        ('{"hooks": {"Stop": {}}}', r's\.json has "hooks" for Stop that are not a list\.'),
    ],
)
def test_settings_of_another_shape_are_refused_with_the_place(text, said):
    with pytest.raises(Refused, match=f"^{said}"):
        plan_install(text, LAUNCHER, where="s.json")
    with pytest.raises(Refused, match=f"^{said}"):
        plan_uninstall(text, where="s.json")
    with pytest.raises(Refused, match=f"^{said}"):
        installed(text, LAUNCHER, where="s.json")


@pytest.mark.req("hosts.claude-install")
def test_entries_of_shapes_that_the_host_passes_over_are_left_alone():
    odd: list[object] = [None, 7, [], {}, {"hooks": {}}, {"hooks": [None, 7, {}, {"command": 7}, {"command": "'"}]}]
    text = json.dumps({"hooks": {"Stop": odd}})

    planned = plan_install(text, LAUNCHER)

    assert json.loads(planned)["hooks"]["Stop"] == [*odd, entry("Stop")]
    assert plan_uninstall(planned, text) == text


@pytest.mark.req("hosts.claude-uninstall")
def test_without_ours_the_settings_are_what_they_were():
    assert plan_uninstall(plan_install(MIXED, LAUNCHER)) == MIXED
    assert plan_uninstall(MIXED) == MIXED
    assert plan_uninstall("") == ""


@pytest.mark.req("hosts.claude-uninstall")
def test_lists_that_were_empty_before_stay_and_those_that_we_made_go():
    before = '{"hooks": {"Stop": [], "SessionEnd": [{}]}}'

    assert plan_uninstall(plan_install(before, LAUNCHER), before) == before
    assert json.loads(plan_uninstall(plan_install(before, LAUNCHER))) == {"hooks": {"SessionEnd": [{}]}}
    assert plan_uninstall(plan_install('{"hooks": {}}', LAUNCHER)) == "{}"
    assert plan_uninstall(plan_install('{"hooks": {}}', LAUNCHER), '{"hooks": {}}') == '{"hooks": {}}'
    assert plan_uninstall(plan_install(None, LAUNCHER), " ") == "{}\n"


@pytest.mark.req("hosts.claude-install")
@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("'/a b/perdure-hook' claude-code Stop", True),
        ("[ ! -x '/a b/perdure-hook' ] || '/a b/perdure-hook' claude-code Stop", True),
        ("/a/perdure-hook claude-code", True),
        ("perdure-hook claude-code Stop 2>/dev/null", True),
        ("/a/perdure-hook codex Stop", False),
        ("/a/other-perdure-hook claude-code Stop", False),
        ("echo perdure-hook claude-code", False),
        ("'perdure-hook claude-code", False),
        ("perdure-hook", False),
        ("", False),
    ],
)
def test_only_our_own_program_called_for_this_host_is_ours(command, ours):
    assert is_ours(command) is ours


@pytest.mark.req("hosts.claude-doctor")
def test_for_each_event_it_can_be_told_whether_this_launcher_is_called():
    planned = json.loads(plan_install(None, LAUNCHER))
    del planned["hooks"]["Stop"]
    planned["hooks"]["SessionEnd"] = [entry("SessionEnd", "/old/perdure-hook")]
    planned["hooks"]["PreToolUse"] = [entry("PreToolUse")]

    found = installed(json.dumps(planned), LAUNCHER)

    assert found == {event: event not in {"Stop", "SessionEnd"} for event in EVENTS}
    assert installed(None, LAUNCHER) == installed("", LAUNCHER) == dict.fromkeys(EVENTS, False)


@pytest.mark.req("hosts.claude-doctor")
@pytest.mark.parametrize(
    ("text", "off"),
    [(None, False), ("", False), ("{}", False), ('{"disableAllHooks": true}', True), ('{"disableAllHooks": 1}', False)],
)  # fmt: skip
def test_settings_that_switch_all_hooks_off_are_seen(text, off):
    assert is_disabled(text) is off
