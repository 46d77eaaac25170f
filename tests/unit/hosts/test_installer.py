from __future__ import annotations

import json
import os
import stat
import tempfile

import pytest

from perdure.domain.errors import Conflict, Corrupt, Refused, Unavailable
from perdure.hosts import ownership
from perdure.hosts.claude_code import installer
from perdure.hosts.claude_code.install import plan_install
from perdure.hosts.claude_code.installer import InstallReport, install, uninstall
from tests.unit.hosts.kit import LAUNCHER

THEIRS = b'{\n  "model": "x",  "note": "caf\\u00e9"\n}'


class Machine:
    """A user's settings and Perdure's home."""

    def __init__(self, root):
        self.home = root / "user"
        self.home.mkdir()
        self.settings = self.home / ".claude" / "settings.json"
        self.records = root / "perdure" / "hosts" / "claude-code"

    def write(self, data):
        self.settings.parent.mkdir(exist_ok=True)
        self.settings.write_bytes(data)

    def install(self, launcher=LAUNCHER, *, dry_run=False):
        return install(str(self.settings), launcher, str(self.records), dry_run=dry_run)

    def uninstall(self, *, dry_run=False):
        return uninstall(str(self.settings), str(self.records), dry_run=dry_run)

    def left(self):
        """Every file and directory but those of the start, with its content."""
        paths = sorted(path for top in (self.home, self.records.parents[1]) for path in top.rglob("*"))
        return {path.name: path.read_bytes() if path.is_file() else None for path in paths}


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.mark.req("hosts.claude-install")
def test_an_installation_leaves_a_copy_and_a_record_of_what_was_written(machine):
    machine.write(THEIRS)
    planned = plan_install(THEIRS.decode(), LAUNCHER)

    report = machine.install()

    copy = machine.records / "settings.before"
    assert report == InstallReport(str(machine.settings), THEIRS.decode(), planned, dry_run=False, backup=str(copy))
    assert report.changed
    assert machine.settings.read_bytes() == planned.encode()
    assert copy.read_bytes() == THEIRS
    assert json.loads((machine.records / "record.json").read_text()) == {
        "settings": str(machine.settings),
        "before": ownership.digest(THEIRS),
        "after": ownership.digest(planned.encode()),
        "made": False,
    }
    assert stat.S_IMODE(machine.records.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in machine.records.iterdir()} == {0o600}


@pytest.mark.req("hosts.claude-install")
def test_a_second_installation_touches_nothing(machine):
    machine.write(THEIRS)
    machine.install()
    before = (machine.left(), machine.settings.stat())

    report = machine.install()

    assert not report.changed
    assert (machine.left(), machine.settings.stat()) == before


@pytest.mark.req("hosts.claude-uninstall")
@pytest.mark.parametrize("data", [THEIRS, b"", b"{}", b'\xef\xbb\xbf{\r\n\t"a": 1\r\n}\r\n', b'{"a":1}\n\n'])
def test_uninstalling_gives_back_the_very_bytes(machine, data):
    machine.write(data)
    machine.install()

    report = machine.uninstall()

    assert report.notes == ()
    assert machine.left() == {".claude": None, "settings.json": data, "hosts": None}


@pytest.mark.req("hosts.claude-uninstall")
def test_a_file_and_a_directory_that_we_made_go_again(machine):
    machine.install()
    assert machine.settings.exists()
    assert stat.S_IMODE(machine.settings.stat().st_mode) == 0o600

    report = machine.uninstall()

    assert (report.after, report.notes) == (None, ())
    assert machine.left() == {"hosts": None}


@pytest.mark.req("hosts.claude-uninstall")
def test_a_directory_that_someone_else_uses_by_now_stays(machine):
    machine.install()
    (machine.settings.parent / "notes.md").write_bytes(b"mine")

    machine.uninstall()

    assert machine.left() == {".claude": None, "notes.md": b"mine", "hosts": None}


@pytest.mark.req("hosts.claude-uninstall")
def test_a_directory_that_was_there_stays_though_the_file_goes(machine):
    machine.settings.parent.mkdir()
    machine.install()
    machine.uninstall()

    assert machine.left() == {".claude": None, "hosts": None}


@pytest.mark.req("hosts.claude-uninstall")
def test_settings_that_were_edited_since_lose_our_entries_alone(machine):
    machine.write(b'{\n  "hooks": {"Stop": []},\n  "a": 1\n}\n')
    machine.install()
    edited = machine.settings.read_bytes().replace(b'"a": 1', b'"a": 2')
    machine.settings.write_bytes(edited)

    assert machine.uninstall(dry_run=True).notes == (installer.EDITED,)
    assert machine.settings.read_bytes() == edited
    report = machine.uninstall()

    assert report.notes == (installer.EDITED,)
    assert machine.settings.read_bytes() == b'{\n  "hooks": {"Stop": []},\n  "a": 2\n}\n'
    assert not machine.records.exists()


@pytest.mark.req("hosts.claude-uninstall")
def test_without_a_record_our_entries_alone_are_taken_out(machine):
    machine.write(plan_install(THEIRS.decode(), LAUNCHER).encode())
    assert not machine.install().changed

    report = machine.uninstall()

    assert report.notes == (installer.NO_RECORD,)
    assert machine.settings.read_bytes() == THEIRS


@pytest.mark.req("hosts.claude-uninstall")
def test_a_damaged_copy_is_named_and_never_written_back(machine):
    machine.write(THEIRS)
    machine.install()
    (machine.records / "settings.before").write_bytes(b"{}")

    report = machine.uninstall()

    copy = machine.records / "settings.before"
    said = f"{copy} is not the copy that was made of {machine.settings}."
    assert report.notes == (said, installer.PARTLY)
    assert machine.settings.read_bytes() == THEIRS


@pytest.mark.req("hosts.claude-uninstall")
def test_a_damaged_record_is_named_and_nothing_is_touched(machine):
    machine.write(THEIRS)
    machine.install()
    for damaged in (b"", b"{", b"[]", b'{"settings": 1}', b'"x"'):
        (machine.records / "record.json").write_bytes(damaged)
        before = machine.left()
        with pytest.raises(Corrupt, match=r"record\.json is damaged\. Move it away"):
            machine.uninstall()
        assert machine.left() == before


@pytest.mark.req("hosts.claude-uninstall")
def test_where_nothing_of_ours_is_left_nothing_is_changed(machine):
    assert machine.uninstall() == InstallReport(
        str(machine.settings), None, None, dry_run=False, notes=(installer.NOTHING,)
    )

    machine.write(THEIRS)
    machine.install()
    machine.settings.unlink()
    assert machine.uninstall().notes == (installer.NOTHING,)
    assert machine.left() == {".claude": None, "hosts": None}

    machine.write(THEIRS)
    machine.install()
    machine.write(b"{}")
    assert machine.uninstall().notes == (installer.NOTHING,)
    assert machine.settings.read_bytes() == b"{}"


@pytest.mark.req("hosts.claude-install", "hosts.claude-uninstall")
def test_a_dry_run_tells_the_same_and_writes_nothing(machine):
    for data in (None, THEIRS):
        if data is not None:
            machine.write(data)
        before = machine.left()
        planned = machine.install(dry_run=True)
        assert machine.left() == before
        done = machine.install()
        assert (planned.before, planned.after, planned.backup) == (done.before, done.after, done.backup)

        installed = machine.left()
        planned = machine.uninstall(dry_run=True)
        assert machine.left() == installed
        done = machine.uninstall()
        assert (planned.before, planned.after, planned.notes) == (done.before, done.after, done.notes)


@pytest.mark.req("hosts.claude-install")
def test_a_launcher_that_moved_is_taken_over_and_the_first_copy_kept(machine):
    machine.write(THEIRS)
    machine.install("/old/perdure-hook")

    assert machine.install().changed
    assert machine.settings.read_bytes() == plan_install(THEIRS.decode(), LAUNCHER).encode()

    machine.uninstall()
    assert machine.settings.read_bytes() == THEIRS


@pytest.mark.req("hosts.claude-install")
def test_a_file_that_we_made_goes_even_after_the_launcher_moved(machine):
    machine.install("/old/perdure-hook")
    machine.install()
    machine.uninstall()

    assert machine.left() == {"hosts": None}


@pytest.mark.req("hosts.claude-install")
@pytest.mark.parametrize("lost", [False, True])
def test_edits_between_two_installations_belong_to_what_comes_back(machine, lost):
    machine.write(THEIRS)
    machine.install("/old/perdure-hook")
    edited = THEIRS.replace(b'"x"', b'"y"')
    machine.settings.write_bytes(machine.settings.read_bytes().replace(b'"x"', b'"y"'))
    if lost:
        (machine.records / "settings.before").unlink()
    machine.install()

    report = machine.uninstall()

    assert (machine.settings.read_bytes(), report.notes) == (edited, ())


@pytest.mark.req("hosts.claude-install")
def test_a_lost_copy_does_not_stop_an_upgrade(machine):
    machine.write(THEIRS)
    machine.install("/old/perdure-hook")
    (machine.records / "settings.before").unlink()

    machine.install()
    machine.uninstall()

    assert machine.settings.read_bytes() == THEIRS


@pytest.mark.req("hosts.claude-install")
def test_the_mode_stays_and_a_link_stays_a_link(machine, tmp_path):
    target = tmp_path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_bytes(THEIRS)
    target.chmod(0o640)
    machine.settings.parent.mkdir()
    machine.settings.symlink_to(target)

    machine.install()
    assert machine.settings.readlink() == target
    assert b"perdure-hook" in target.read_bytes()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640

    machine.uninstall()
    assert machine.settings.readlink() == target
    assert target.read_bytes() == THEIRS
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.req("hosts.claude-install-refusals")
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"a": 1,}', "is not valid JSON"),
        (b"[]", "does not hold a JSON object"),
        (b'{"hooks": 7}', "not an object"),
        (b'{"a": "\xff"}', r"is not UTF-8 \(byte 7\)"),
    ],
)
def test_settings_that_are_refused_stay_as_they_are(machine, data, said):
    machine.write(data)
    before = machine.left()

    with pytest.raises(Refused, match=rf"settings\.json .*{said}.* It was left as it is\."):
        machine.install()
    with pytest.raises(Refused, match=said):
        machine.uninstall()

    assert machine.left() == before


@pytest.mark.req("hosts.claude-install-refusals")
def test_a_home_that_is_not_there_is_named(machine):
    machine.home.rmdir()

    with pytest.raises(Unavailable, match=r"/user is not there, so .*/\.claude cannot be made in it\."):
        machine.install()


@pytest.mark.req("hosts.claude-install-refusals")
def test_a_file_in_the_place_of_a_directory_is_named(machine):
    machine.settings.parent.write_bytes(b"")
    with pytest.raises(Unavailable, match=r"settings\.json cannot be read: Not a directory\."):
        machine.install()


@pytest.mark.req("hosts.claude-install-refusals")
def test_a_directory_in_the_place_of_the_file_is_named(machine):
    machine.settings.mkdir(parents=True)
    with pytest.raises(Unavailable, match=r"settings\.json cannot be read: Is a directory\."):
        machine.install()


@pytest.mark.req("hosts.claude-install-refusals")
def test_settings_of_an_absurd_size_are_refused(machine, monkeypatch):
    monkeypatch.setattr(ownership, "MAX_SETTINGS", 10)
    machine.write(THEIRS)
    with pytest.raises(Refused, match="is larger than 16 MiB"):
        machine.install()


@pytest.mark.req("hosts.claude-install-refusals")
@pytest.mark.parametrize("call", ["mkstemp", "fsync", "replace", "mkdir"])
def test_nothing_is_half_written_when_the_disk_refuses(machine, monkeypatch, call):
    if call != "mkdir":
        machine.write(THEIRS)
    machine.records.mkdir(parents=True)
    before = machine.left()
    calls = []

    def refuse(*args, **more):
        calls.append(args)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile if call == "mkstemp" else os, call, refuse)
    with pytest.raises(Unavailable, match="No space left on device"):
        machine.install()
    monkeypatch.undo()

    assert calls
    left = machine.left()
    if call == "mkdir":
        # The record was made before its settings, and does no harm without them.
        assert machine.uninstall().notes == (installer.NOTHING,)
        left = machine.left()
        before.pop("claude-code")
    assert left == before


@pytest.mark.req("hosts.claude-install-refusals")
def test_a_read_only_directory_is_named_and_the_way_back_stays_open(machine, monkeypatch):
    machine.write(THEIRS)
    real = tempfile.mkstemp

    def refuse(**more):
        if more["dir"] == str(machine.settings.parent):
            raise OSError(30, "Read-only file system")
        return real(**more)

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(Unavailable, match=r"settings\.json cannot be written: Read-only file system\."):
        machine.install()

    assert machine.settings.read_bytes() == THEIRS
    monkeypatch.undo()
    assert machine.uninstall().notes == (installer.NOTHING,)
    assert machine.left() == {".claude": None, "settings.json": THEIRS, "hosts": None}


@pytest.mark.req("hosts.claude-install-refusals")
def test_a_file_that_changes_meanwhile_is_not_overwritten(machine, monkeypatch):
    machine.write(THEIRS)
    real = ownership.save

    def meanwhile(*args):
        real(*args)
        machine.write(b'{"b": 2}')

    monkeypatch.setattr(ownership, "save", meanwhile)
    with pytest.raises(Conflict, match=r"settings\.json was changed by someone else just now\. Try again\."):
        machine.install()

    assert machine.settings.read_bytes() == b'{"b": 2}'
    monkeypatch.undo()
    machine.install()
    machine.uninstall()
    assert machine.settings.read_bytes() == b'{"b": 2}'


@pytest.mark.req("hosts.claude-install-refusals")
def test_the_way_back_to_other_settings_is_not_overwritten(machine, tmp_path):
    machine.write(THEIRS)
    machine.install()
    other = tmp_path / "settings.json"
    other.write_bytes(b"{}")

    with pytest.raises(Refused, match=f"installed in {machine.settings}. Uninstall them there first"):
        install(str(other), LAUNCHER, str(machine.records))
    assert uninstall(str(other), str(machine.records)).notes == (installer.NOTHING,)
    assert other.read_bytes() == b"{}"

    machine.settings.unlink()
    assert install(str(other), LAUNCHER, str(machine.records)).changed
    uninstall(str(other), str(machine.records))
    assert other.read_bytes() == b"{}"


@pytest.mark.req("hosts.claude-install")
def test_a_file_of_another_owner_keeps_its_owner_where_that_is_allowed(machine, monkeypatch):
    machine.write(THEIRS)
    given = []
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(machine.settings).st_uid + 1)
    monkeypatch.setattr(os, "fchown", lambda _file, *ids: given.append(ids))
    machine.install()
    status = machine.settings.stat()
    assert given[-1] == (status.st_uid, status.st_gid)

    def refuse(*_args):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", refuse)
    machine.uninstall()
    assert machine.settings.read_bytes() == THEIRS
