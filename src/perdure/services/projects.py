"""Which project a directory is, the same from every clone, work tree and machine."""

from __future__ import annotations

from perdure.domain.ledger import ProjectRow
from perdure.domain.project import PATH, ProjectKey, slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.place import Place
    from perdure.ports import Projects


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
    """The slug of a place's project, recorded with the author as a member; empty for no place."""
    if place is None or not place.keys:
        return ""
    keys = [str(key) for key in place.keys]
    found = find(projects, place)
    if found is None:
        found = projects.create(ProjectRow(slug(place.name), place.name, now), keys)
    else:
        projects.add_keys(found.slug, keys)
    projects.admit(found.slug, author, now)
    return found.slug
