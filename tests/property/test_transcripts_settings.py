from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.hosts.claude_code.events import EVENTS
from perdure.hosts.claude_code.install import installed, plan_install, plan_uninstall
from perdure.hosts.claude_code.installer import install, uninstall

LAUNCHER = "/opt/it's here/perdure-hook"

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=10,
)
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=20)})
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS | VALUES, max_size=2)}, optional={"matcher": st.text(max_size=5)}
)
NAMES = st.sampled_from([*EVENTS, "Notification", "PreToolUse"])
HOOKS = st.dictionaries(NAMES, st.lists(GROUPS | VALUES, max_size=2), max_size=4)
SETTINGS = st.dictionaries(st.text(max_size=6).filter(lambda key: key != "hooks"), VALUES, max_size=4)


@st.composite
def files(draw):
    """The text of a settings file in one of the many styles of writing it."""
    data = draw(SETTINGS)
    if draw(st.booleans()):
        data["hooks"] = draw(HOOKS)
        keys = draw(st.permutations(list(data)))
        data = {key: data[key] for key in keys}
    compact = draw(st.booleans())
    text = json.dumps(
        data,
        indent=None if compact else draw(st.sampled_from([0, 1, 2, 4, "\t"])),
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([None, (",", ":"), (" , ", " : ")])) if compact else None,
    )
    text = draw(st.sampled_from(["", "\n", "\ufeff", "  "])) + text + draw(st.sampled_from(["", "\n", "\n\n"]))
    text = text.encode("utf-8", "replace").decode()
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def loads(text):
    return json.loads(text.removeprefix("\ufeff"))


@pytest.mark.req("hosts.claude-install", "hosts.claude-uninstall")
@given(text=files())
def test_ours_come_and_go_and_every_other_byte_stays(text):
    planned = plan_install(text, LAUNCHER)

    assert plan_install(planned, LAUNCHER) == planned
    assert all(installed(planned, LAUNCHER).values())
    before, after = loads(text), loads(planned)
    assert [key for key in after if key in before or key != "hooks"] == list(before)
    assert {**after, "hooks": 0} == {**before, "hooks": 0}
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups
        assert len(after["hooks"][event]) == len(groups) + (event in EVENTS)
    assert plan_uninstall(planned, text) == text


@pytest.mark.req("hosts.claude-install", "hosts.claude-uninstall")
@given(data=files().map(str.encode) | st.none() | st.just(b"") | st.just(b" \n"), moved=st.booleans())
def test_installing_and_uninstalling_gives_the_same_bytes(tmp_path_factory, data, moved):
    root = tmp_path_factory.mktemp("settings")
    settings = root / ".claude" / "settings.json"
    if data is not None:
        settings.parent.mkdir()
        settings.write_bytes(data)
    records = str(root / "records")

    install(str(settings), "/old/perdure-hook" if moved else LAUNCHER, records)
    install(str(settings), LAUNCHER, records)
    report = uninstall(str(settings), records)

    assert report.notes == ()
    assert [path.name for path in root.rglob("*")] == ([] if data is None else [".claude", "settings.json"])
    if data is not None:
        assert settings.read_bytes() == data
