"""Putting our hooks into Claude Code's settings file, and taking them out again.

The file is replaced as a whole or not at all. Taking out gives back the very bytes that were there
before, unless the file was changed since: then only our entries go, and the report says so.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from perdure.domain.errors import Corrupt, Refused, Unavailable
from perdure.hosts import ownership
from perdure.hosts.claude_code.install import plan_install, plan_uninstall
from perdure.hosts.ownership import Ownership

EDITED = "The settings were changed since the installation: only Perdure's entries were taken out."
NO_RECORD = "There is no record of an installation: only Perdure's entries were taken out."
PARTLY = "Only Perdure's entries were taken out."
NOTHING = "There is nothing of Perdure in the settings."


@dataclass(frozen=True, slots=True)
class InstallReport:
    """What was done, or with ``dry_run`` would be.

    ``before`` and ``after`` are the texts of the settings file, None where there is no file;
    ``backup`` is where the copy of the former lies, empty where none was made; ``notes`` are
    sentences for the user.
    """

    settings: str
    before: str | None
    after: str | None
    dry_run: bool
    backup: str = ""
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the file differs from what it was."""
        return self.before != self.after


def install(settings_path: str, launcher: str, record_dir: str, *, dry_run: bool = False) -> InstallReport:
    """Put our hooks into a settings file, or do nothing where they are in it.

    ``record_dir`` takes the copy and the record. Raises ``UsageError`` for a launcher that isn't
    ours, ``Refused`` for settings that aren't the host's, ``Conflict`` where the file changes
    meanwhile, ``Unavailable`` where it can't be written; the file is as it was then.
    """
    data = ownership.read(settings_path)
    text = _text(settings_path, data)
    planned = plan_install(text, launcher, where=settings_path)
    if planned == text:
        return InstallReport(settings_path, text, text, dry_run)
    owned = ownership.load(record_dir)
    _refuse_another(owned, settings_path)
    directory = os.path.dirname(os.path.abspath(settings_path))
    made = not os.path.isdir(directory)
    if made and not os.path.isdir(os.path.dirname(directory)):
        raise Unavailable(f"{os.path.dirname(directory)} is not there, so {directory} cannot be made in it.")
    after = planned.encode()
    made = made or (owned is not None and owned.made)
    before = _before(settings_path, record_dir, owned, data)
    backup = "" if before is None else os.path.join(record_dir, ownership.BEFORE)
    if not dry_run:
        digests = ownership.digest(before), ownership.digest(after)
        ownership.save(record_dir, Ownership(os.path.abspath(settings_path), *digests, made=made), before)
        _write(settings_path, data, after)
    return InstallReport(settings_path, text, planned, dry_run, backup)


def uninstall(settings_path: str, record_dir: str, *, dry_run: bool = False) -> InstallReport:
    """Take our hooks out of a settings file.

    While the file is what we wrote, its former bytes come back, and a file or directory that we made
    goes. Errors are those of ``install``.
    """
    data = ownership.read(settings_path)
    text = _text(settings_path, data)
    owned = ownership.load(record_dir)
    if owned is not None and owned.settings != os.path.abspath(settings_path):
        owned = None
    if owned is not None and data is not None and ownership.digest(data) == owned.after:
        try:
            return _restore(settings_path, record_dir, owned, data, dry_run=dry_run)
        except Corrupt as error:
            notes = [str(error), PARTLY]
    else:
        notes = [NO_RECORD if owned is None else EDITED]
    planned = text
    if text is not None:
        former = _former(record_dir, owned)
        planned = plan_uninstall(text, former, where=settings_path)
    if planned == text:
        notes = [NOTHING]
    if not dry_run:
        if planned is not None and planned != text:
            _write(settings_path, data, planned.encode())
        if owned is not None:
            ownership.discard(record_dir)
    return InstallReport(settings_path, text, planned, dry_run, notes=tuple(notes))


def _before(path: str, record_dir: str, owned: Ownership | None, data: bytes | None) -> bytes | None:
    """What the settings were without us: as recorded while they are what we wrote, else as far as it can be told."""
    if owned is not None and owned.after == ownership.digest(data):
        try:
            return ownership.original(record_dir, owned)
        except Corrupt:
            pass  # the copy is lost, but our entries can be told from the others
    return None if data is None else plan_uninstall(data.decode(), where=path).encode()


def _restore(path: str, record_dir: str, owned: Ownership, data: bytes, *, dry_run: bool) -> InstallReport:
    """Give back what was there before."""
    before = ownership.original(record_dir, owned)
    if not dry_run:
        if before is None:
            ownership.check(path, data)
            ownership.remove(path)
            if owned.made:
                _remove_if_empty(os.path.dirname(owned.settings))
        else:
            _write(path, data, before)
        ownership.discard(record_dir)
    return InstallReport(path, _text(path, data), _text(path, before), dry_run)


def _former(record_dir: str, owned: Ownership | None) -> str | None:
    """The settings before us as far as they are known, to leave what was empty then."""
    if owned is None:
        return None
    try:
        data = ownership.original(record_dir, owned)
    except Corrupt:
        return None
    return None if data is None else data.decode()


def _text(path: str, data: bytes | None) -> str | None:
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not UTF-8 (byte {error.start}). It was left as it is.") from None


def _refuse_another(owned: Ownership | None, path: str) -> None:
    """Keep the only way back to another file that we wrote, as long as it is what we wrote."""
    if owned is None or owned.settings == os.path.abspath(path):
        return
    if ownership.digest(ownership.read(owned.settings)) == owned.after:
        raise Refused(f"Perdure's hooks are installed in {owned.settings}. Uninstall them there first.")


def _write(path: str, expected: bytes | None, data: bytes) -> None:
    """Put new bytes in the file's place, if it is still what the change was planned on."""
    directory = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(directory):
        try:
            os.mkdir(directory, 0o700)
        except OSError as error:
            raise Unavailable(f"{directory} cannot be made: {error.strerror}.") from error
    ownership.check(path, expected)
    ownership.replace(path, data)


def _remove_if_empty(directory: str) -> None:
    try:
        os.rmdir(directory)
    except OSError:
        return  # something else is in it by now
