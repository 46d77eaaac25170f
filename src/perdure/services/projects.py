"""Which project a directory is, the same from every clone, work tree and machine."""

from __future__ import annotations

from perdure.domain.errors import NotFound, Refused, UsageError
from perdure.domain.ledger import AuditRow, ProjectRow
from perdure.domain.memory import Channel
from perdure.domain.project import PATH, ProjectKey, slug
from perdure.domain.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.domain.place import Place
    from perdure.ports import Projects, Unit

LONGEST_NAME = 64
_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


@record
class Membership:
    """A project and who is a member of it: the time of admission, in microseconds, by name."""

    project: ProjectRow
    members: Mapping[str, int]


def find(projects: Projects, place: Place | None) -> ProjectRow | None:
    """The project of a place, by its most trusted key.

    A directory whose project was known by its path alone stays that project when it gains a remote or a marker.
    It does not when the project is known by another one already: then something else lies in the directory now.
    """
    if place is None or not place.keys:
        return None
    best = place.keys[0]
    found = projects.by_key(str(best))
    if found is not None or best.kind == PATH:
        return found
    for key in place.keys[1:]:
        same = projects.by_key(str(key)) if key.kind == PATH else None
        if same is not None and best.kind not in _kinds(projects, same.slug):
            return same
    return None


def _kinds(projects: Projects, name: str) -> set[str]:
    return {ProjectKey.parse(key).kind for key in projects.keys(name)}


def ensure(projects: Projects, place: Place | None, author: str, now: int) -> str:
    """The slug of a place's project, recorded with the author as a member; empty for no place.

    Who was expelled stays out, wherever they work, until a member admits them.
    """
    if place is None or not place.keys:
        return ""
    keys = [str(key) for key in place.keys]
    found = find(projects, place)
    if found is None:
        found = projects.create(ProjectRow(slug(place.name), place.name, now), keys)
    else:
        projects.add_keys(found.slug, keys)
    if not projects.expelled(found.slug, author):
        projects.admit(found.slug, author, now)
    return found.slug


def memberships(unit: Unit) -> list[Membership]:
    """The projects that the reader is a member of, in order of their slugs."""
    own = unit.projects.of(unit.reader.author)
    return [Membership(row, unit.projects.members(row.slug)) for row in unit.projects.all() if row.slug in own]


def membership(unit: Unit, project: str) -> Membership:
    """One project with its members, for a member of it.

    Raises ``NotFound`` where no project has that slug, ``Refused`` where the reader is not a member.
    """
    rows = [row for row in unit.projects.all() if row.slug == project]
    if not rows:
        raise NotFound(f"There is no project '{project}'. See: perdure project list")
    found = Membership(rows[0], unit.projects.members(project))
    if unit.reader.author not in found.members:
        raise Refused(f"You are not a member of {project}, so its members are not yours to see or change.")
    return found


def admit(unit: Unit, project: str, author: str, now: int) -> bool:
    """Make an author a member; False where they are one. Only a member may.

    Raises as :func:`membership` does, and ``UsageError`` for a name that no author can have.
    """
    if not 0 < len(author) <= LONGEST_NAME or not set(author) <= _SIGNS:
        raise UsageError(f"'{author}' is no author: a name has 1 to 64 letters, digits, '.', '_' and '-' only.")
    if author in membership(unit, project).members:
        return False
    unit.projects.admit(project, author, now)
    _enter(unit, "admit", f"{author} is a member of {project}", now)
    return True


def expel(unit: Unit, project: str, author: str, now: int) -> None:
    """End an author's membership, one's own too. Only a member may.

    Raises as :func:`membership` does, ``NotFound`` for who is not a member, ``Refused`` for the last one.
    """
    members = membership(unit, project).members
    if author not in members:
        raise NotFound(f"'{author}' is not a member of {project}. Its members: {', '.join(members)}.")
    if len(members) == 1:
        raise Refused(
            f"{author} is the last member of {project}: without one nobody could read what it shares or let anyone in. "
            f"Add another first: perdure project add-member AUTHOR {project}"
        )
    unit.projects.expel(project, author)
    _enter(unit, "expel", f"{author} is no member of {project} any more", now)


def _enter(unit: Unit, action: str, detail: str, now: int) -> None:
    unit.changes.begin(AuditRow(now, unit.reader.author, action, "", Channel.HAND.value, detail))
