"""A commit of a project's own git history."""

from __future__ import annotations

from perdure.domain.record import record


@record
class Commit:
    """One commit as its author wrote it; times are microseconds since the epoch, UTC.

    ``files`` are the first names it touched; none where the names are not to be had: at the edge of a shallow clone,
    and where a partial clone left the directories out.
    """

    sha: str
    author_name: str
    author_email: str
    authored_at: int
    committed_at: int
    subject: str
    body: str
    files: tuple[str, ...]
