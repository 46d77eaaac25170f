"""What ``perdure doctor`` looks at."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw

from perdure.app import LAUNCHER
from perdure.domain.access import Reader
from perdure.domain.errors import PerdureError
from perdure.hook import LEDGER
from perdure.store.sqlite import check
from perdure.system import process

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.app import App

OTHERS = 0o077
SPOOL_IS_OLD = 1_000


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; ``damaged`` where stored data is."""

    name: str
    ok: bool
    says: str
    damaged: bool = False


def checks(app: App) -> Iterator[Check]:
    """All findings in the order in which trouble spreads: home, settings, ledger, spool, hook, hosts."""
    if not os.path.isdir(app.home):
        yield Check("home", ok=False, says=f"There is no memory at {app.home}. Run: perdure init")
        return
    yield _home(app)
    yield Check("author", ok=bool(app.settings.author), says=app.settings.author or "Nobody. Run: perdure init")
    yield Check("engine", ok=True, says=f"SQLite {apsw.sqlite_lib_version()} with APSW {apsw.apsw_version()}")
    yield _ledger(app)
    yield _spool(app)
    yield _hook(app)
    yield from _hosts(app)


def _home(app: App) -> Check:
    open_to_others = [
        path
        for path in (app.home, *(app.path(name) for name in sorted(os.listdir(app.home))))
        if not os.path.islink(path) and stat.S_IMODE(os.stat(path).st_mode) & OTHERS
    ]
    if open_to_others:
        names = ", ".join(open_to_others[:3])
        return Check("home", ok=False, says=f"Others can read {names}. Run: chmod -R go= {app.home}")
    return Check("home", ok=True, says=app.home)


def _ledger(app: App) -> Check:
    path = app.path(LEDGER)
    try:
        store = app.store
        complaints = list(check(store))
        if complaints:
            says = f"{path} is damaged: {complaints[0]}. Keep a copy of it before anything else."
            return Check("ledger", ok=False, says=says, damaged=True)
        with store.unit(Reader(app.settings.author)) as unit:
            sessions = unit.sessions.counts()["sessions"]
    except PerdureError as error:
        return Check("ledger", ok=False, says=str(error), damaged=error.exit_code == 8)  # noqa: PLR2004 - Corrupt
    except apsw.Error as error:
        return Check("ledger", ok=False, says=f"{path} is damaged: {error}", damaged=True)
    return Check("ledger", ok=True, says=f"{os.path.getsize(path):,} bytes, {sessions:,} sessions, sound")


def _spool(app: App) -> Check:
    waiting, damaged = len(app.spool.names()), len(app.spool.damaged())
    if damaged:
        return Check(
            "spool",
            ok=False,
            says=f"{damaged} events could not be read and were set aside, see: perdure status",
        )
    if waiting > SPOOL_IS_OLD:
        return Check("spool", ok=False, says=f"{waiting:,} events wait. Run: perdure work")
    return Check("spool", ok=True, says=f"{waiting} events wait")


def _hook(app: App) -> Check:
    path = app.path(LAUNCHER)
    if not os.path.exists(path):
        return Check("hook", ok=False, says=f"{path} is missing. Run: perdure init")
    environment = {"PERDURE_HOME": app.home, "HOME": os.path.expanduser("~"), "PATH": os.defpath}
    try:
        ended = process.run([path, "claude-code", "Doctor"], cwd=app.home, env=environment, timeout=10)
    except PerdureError as error:
        return Check("hook", ok=False, says=str(error))
    if ended.code or ended.err:
        return Check(
            "hook",
            ok=False,
            says=f"{path} does not run: {ended.err.decode('utf-8', 'replace').strip()[-200:]}",
        )
    troubles = app.hook_log()
    seen = f"; its log has {len(troubles)} lines, see: perdure status" if troubles else ""
    return Check("hook", ok=not troubles, says=f"{path} runs{seen}")


def _hosts(app: App) -> Iterator[Check]:
    from perdure.cli.hosts import HOSTS, state

    for name in HOSTS:
        try:
            found = state(app, name)
        except PerdureError as error:
            yield Check(name, ok=False, says=str(error))
        else:
            yield Check(name, ok=found.ok, says=found.says)
