"""Commands that put Perdure's hooks into the settings of agent hosts, and take them out again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from perdure.app import LAUNCHER, open_app
from perdure.cli.options import json_option
from perdure.cli.output import as_json, say
from perdure.domain.errors import NotFound
from perdure.hosts.claude_code import install, installer
from perdure.system.files import read_text

if TYPE_CHECKING:
    from perdure.app import App
    from perdure.hosts.claude_code.installer import InstallReport

HOSTS = ("claude-code",)
host_argument = click.argument("host", type=click.Choice(HOSTS))
dry_run_option = click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")


@dataclass(frozen=True, slots=True)
class HostState:
    """Whether a host has our hooks, in a word and a sentence."""

    ok: bool
    says: str


def settings_path(app: App) -> str:
    """Claude Code's user-level settings file."""
    folder = app.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    return os.path.join(folder, "settings.json")


def state(app: App, host: str) -> HostState:
    """Whether our hooks are in a host's settings."""
    path = settings_path(app)
    text = read_text(path)
    found = install.installed(text, app.path(LAUNCHER), where=path)
    missing = [event for event, there in found.items() if not there]
    if text is None or len(missing) == len(found):
        return HostState(ok=False, says=f"not installed in {path}. Run: perdure hosts install {host}")
    if install.is_disabled(text, where=path):
        return HostState(ok=False, says=f"{path} switches all hooks off (disableAllHooks)")
    if missing:
        return HostState(ok=False, says=f"{path} lacks {', '.join(missing)}. Run: perdure hosts install {host}")
    return HostState(ok=True, says=f"installed in {path}")


@click.group("hosts")
def hosts_command() -> None:
    """Install into agent hosts, and uninstall."""


@hosts_command.command("list")
@json_option
def hosts_list(*, json_output: bool) -> None:
    """Say which hosts have our hooks."""
    app = open_app()
    states = {host: state(app, host) for host in HOSTS}
    if json_output:
        as_json({host: {"installed": found.ok, "says": found.says} for host, found in states.items()})
        return
    for host, found in states.items():
        say(f"{host:<12} {found.says}")


@hosts_command.command("install")
@host_argument
@dry_run_option
@json_option
def hosts_install(host: str, *, dry_run: bool, json_output: bool) -> None:
    """Put our hooks into the user-level settings of HOST. A second time changes nothing."""
    app = open_app()
    if not os.path.exists(app.path(LAUNCHER)):
        raise NotFound(f"There is no memory at {app.home}. Run: perdure init")
    if not dry_run:
        app.compile_hook_settings()
    path = settings_path(app)
    report = installer.install(path, app.path(LAUNCHER), app.path("hosts", host), dry_run=dry_run)
    _tell(host, report, "Our hooks are in", json_output=json_output)
    if report.changed and not dry_run and not json_output:
        say(f"To undo this: perdure hosts uninstall {host}", dim=True)


@hosts_command.command("uninstall")
@host_argument
@dry_run_option
@json_option
def hosts_uninstall(host: str, *, dry_run: bool, json_output: bool) -> None:
    """Take our hooks out of the settings of HOST, byte for byte where nobody else changed the file."""
    app = open_app()
    report = installer.uninstall(settings_path(app), app.path("hosts", host), dry_run=dry_run)
    _tell(host, report, "Our hooks are out of", json_output=json_output)


def _tell(host: str, report: InstallReport, done: str, *, json_output: bool) -> None:
    """Say what was done, or would be."""
    if json_output:
        facts = {"host": host, "settings": report.settings, "changed": report.changed, "dry_run": report.dry_run}
        as_json({**facts, "backup": report.backup, "notes": list(report.notes)})
        return
    if not report.changed:
        say(f"Nothing to change in {report.settings}.")
    elif report.dry_run:
        say(f"Would change {report.settings}.")
    else:
        say(f"{done} {report.settings}.")
    if report.backup and not report.dry_run:
        say(f"The file as it was: {report.backup}", dim=True)
    for each in report.notes:
        say(each, dim=True)
