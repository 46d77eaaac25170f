"""Where a session works: the project that a directory belongs to, and what the directory says about itself."""

from __future__ import annotations

from perdure.domain.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.project import ProjectKey


@record
class Place:
    """A directory that belongs to a project.

    ``keys`` are what the project is known by, the most trusted first; ``root`` is the work tree's top, or the directory
    itself outside git; ``captures`` is False where the project's own marker switches capture off.
    """

    name: str
    keys: tuple[ProjectKey, ...]
    root: str
    captures: bool = True
