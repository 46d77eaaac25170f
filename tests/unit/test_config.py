from __future__ import annotations

import json
import os
import tomllib

import pytest

from perdure import config
from perdure.domain.errors import UsageError

pytestmark = pytest.mark.req("settings.layers")


@pytest.fixture
def environ(home):
    return {"HOME": str(home), "PERDURE_HOME": str(home / "memory")}


@pytest.fixture
def settings_file(home):
    path = home / "memory" / "config.toml"
    path.parent.mkdir()
    return path


def origins(configuration):
    return {each.key: (each.value, each.origin) for each in configuration.sources}


def test_without_a_file_every_setting_has_its_default(environ):
    found = config.load(environ)

    assert found.settings == config.Settings()
    assert {each.origin for each in found.sources} == {"default"}


def test_the_environment_wins_over_the_file_and_a_flag_over_both(environ, settings_file):
    settings_file.write_text('author = "ana"\n[recall]\nlimit = 3\nfloor = 0.2\n[capture]\nignore = ["/secret"]\n')
    environ |= {
        "PERDURE_RECALL_LIMIT": "4",
        "PERDURE_CAPTURE_IGNORE": '["/x"]',
        "PERDURE_CAPTURE_HISTORY": "no",
    }

    found = config.load(environ, {"recall.limit": 5, "author": None})

    assert (found.settings.author, found.settings.recall.limit, found.settings.recall.floor) == (
        "ana",
        5,
        0.2,
    )
    assert (found.settings.capture.ignore, found.settings.capture.history) == (["/x"], False)
    told = origins(found)
    assert told["author"] == ("ana", str(settings_file))
    assert told["recall.limit"] == (5, "flag")
    assert told["recall.floor"] == (0.2, str(settings_file))
    assert told["capture.ignore"] == (["/x"], "environment")
    assert told["briefing.tokens"] == (2000, "default")


def test_an_unknown_setting_is_refused_with_the_nearest_name(environ, settings_file):
    settings_file.write_text("[recall]\nlimt = 3\n")

    with pytest.raises(UsageError, match=r"config\.toml: there is no setting 'recall\.limt'.*'recall\.limit'"):
        config.load(environ)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[recall]\nlimit = 'many'\n", "recall.limit is 'many'"),
        ("[recall]\nfloor = 7\n", "recall.floor is 7"),
        ("author = 'a b'\n", "The author 'a b'"),
        ("author = [\n", "is not valid TOML"),
        ("recall = 3\n", "there is no setting 'recall'"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(environ, settings_file, text, says):
    settings_file.write_text(text)

    with pytest.raises(UsageError) as caught:
        config.load(environ)

    assert says in str(caught.value)


def test_a_settings_file_that_is_no_regular_file_is_refused_at_once(environ, settings_file):
    os.mkfifo(settings_file)

    with pytest.raises(UsageError, match="not a regular file"):
        config.load(environ)


def test_an_invalid_pattern_stops_the_start_with_its_name(environ, settings_file):
    settings_file.write_text('[safety.patterns]\nbadge = "("\n')

    with pytest.raises(UsageError, match="the pattern of 'badge' is invalid"):
        config.load(environ)


def test_a_home_that_is_not_absolute_is_refused(environ):
    with pytest.raises(UsageError, match="Give an absolute path"):
        config.load(environ | {"PERDURE_HOME": "rel"})


def test_a_file_that_is_no_text_is_refused(environ, settings_file):
    settings_file.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(UsageError, match="is not valid TOML"):
        config.load(environ)


def test_a_list_in_the_environment_must_be_json(environ):
    with pytest.raises(UsageError, match="PERDURE_CAPTURE_IGNORE must be JSON"):
        config.load(environ | {"PERDURE_CAPTURE_IGNORE": "/x"})


@pytest.mark.req("settings.template")
def test_the_settings_file_shows_every_setting_at_its_default_and_changes_nothing(environ, settings_file):
    settings_file.write_text(config.template())

    assert config.load(environ).settings == config.Settings()
    shown = "\n".join(
        line.removeprefix("# ")
        for line in settings_file.read_text().splitlines()
        if " = " in line or line.startswith("[")
    )
    assert config._flat(tomllib.loads(shown)) == {key: field.get_default() for key, field in config.declared()}


@pytest.mark.req("settings.template")
def test_the_author_stands_in_the_settings_file(environ, settings_file):
    settings_file.write_text(config.template("ana"))

    assert config.load(environ).settings == config.Settings(author="ana")


@pytest.mark.req("settings.marker")
@pytest.mark.parametrize("key", ["author", "model.command", "capture.history_commits", "safety.allow"])
def test_a_project_may_only_narrow(tmp_path, key):
    *sections, name = key.split(".")
    (tmp_path / ".perdure.toml").write_text("".join(f"[{section}]\n" for section in sections) + f'{name} = "x"\n')

    with pytest.raises(UsageError, match=f"'{key}' cannot be set by a project"):
        config.check_marker(str(tmp_path))


@pytest.mark.req("settings.marker")
def test_a_project_may_name_itself_and_switch_capture_off(tmp_path):
    (tmp_path / ".perdure.toml").write_text('project = "ferry"\n[capture]\nenabled = false\nignore = ["x"]\n')

    config.check_marker(str(tmp_path))


@pytest.mark.req("settings.hook")
def test_the_hook_s_settings_are_flat_json(environ):
    told = config.for_hook(config.load(environ | {"PERDURE_AUTHOR": "ana"}), ["python", "-m", "perdure"])

    assert json.loads(json.dumps(told)) == {
        "version": 1,
        "author": "ana",
        "capture": True,
        "ignore": [],
        "allow": [],
        "patterns": {},
        "deadline_ms": 150,
        "budgets": {"start": [2000, 8000], "first_prompt": [1200, 4800], "later_prompt": [400, 1600]},
        "floors": [0.4, 0.55],
        "worker": ["python", "-m", "perdure"],
    }
