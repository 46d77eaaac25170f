"""Commands about projects and who is a member of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import here, json_option
from perdure.cli.output import as_json, day, say
from perdure.domain.errors import UsageError
from perdure.domain.instants import iso
from perdure.services import projects

if TYPE_CHECKING:
    from perdure.app import App
    from perdure.domain.access import Reader
    from perdure.services.projects import Membership

project_argument = click.argument("project", required=False, metavar="[PROJECT]")
author_argument = click.argument("author", metavar="AUTHOR")


@click.group("project")
def project_command() -> None:
    """See your projects, and say who is a member of them.

    What is shared with a project is read by its members, from when they are one until they are one no more. PROJECT is
    the current directory's unless told.
    """


def _asking(app: App, project: str | None) -> Reader:
    """The reader in the project named, or in the current directory's."""
    reader = app.reader(here(), project=project)
    if not reader.project:
        raise UsageError("This directory belongs to no known project. Name one: perdure project list")
    return reader


@project_command.command("list")
@json_option
def project_list(*, json_output: bool) -> None:
    """Say which projects you are a member of; the current directory's has a star."""
    app = open_app()
    reader = app.reader(here())
    with app.store.unit(reader) as unit:
        found = projects.memberships(unit)
    if json_output:
        as_json([_told(each) | {"here": each.project.slug == reader.project} for each in found])
        return
    if not found:
        say("You are not a member of any project yet. Work in one, or be added: perdure project add-member")
    width = max((len(each.project.slug) for each in found), default=0)
    for each in found:
        star = "*" if each.project.slug == reader.project else " "
        name = "" if each.project.name == each.project.slug else f"  ({each.project.name})"
        say(f"{star} {each.project.slug:<{width}}  {', '.join(each.members)}{name}")


@project_command.command("members")
@project_argument
@json_option
def project_members(project: str | None, *, json_output: bool) -> None:
    """Say who is a member of PROJECT, and since when."""
    app = open_app()
    reader = _asking(app, project)
    with app.store.unit(reader) as unit:
        found = projects.membership(unit, reader.project)
    if json_output:
        as_json(_told(found))
        return
    width = max(map(len, found.members))
    for author, since in found.members.items():
        say(f"{author:<{width}}  since {day(since)}")


@project_command.command("add-member")
@author_argument
@project_argument
@json_option
def project_add_member(author: str, project: str | None, *, json_output: bool) -> None:
    """Let AUTHOR read and write what PROJECT shares. Only a member may."""
    app = open_app()
    reader = _asking(app, project)
    with app.store.unit(reader, write=True) as unit:
        changed = projects.admit(unit, reader.project, author, app.clock.now())
        found = projects.membership(unit, reader.project)
    if json_output:
        as_json({"changed": changed, **_told(found)})
    else:
        say(f"{author} is a member of {reader.project} {'now' if changed else 'already'}.")


@project_command.command("remove-member")
@author_argument
@project_argument
@json_option
def project_remove_member(author: str, project: str | None, *, json_output: bool) -> None:
    """Let AUTHOR no longer read and write what PROJECT shares. What they wrote stays. Only a member may."""
    app = open_app()
    reader = _asking(app, project)
    with app.store.unit(reader, write=True) as unit:
        projects.expel(unit, reader.project, author, app.clock.now())
        left = unit.projects.members(reader.project)
    if json_output:
        as_json({"changed": True, "project": reader.project, "members": {name: iso(at) for name, at in left.items()}})
    else:
        say(f"{author} is no member of {reader.project} any more.")


def _told(found: Membership) -> dict[str, object]:
    """A membership for programs."""
    members = {author: iso(since) for author, since in found.members.items()}
    return {"project": found.project.slug, "name": found.project.name, "members": members}
