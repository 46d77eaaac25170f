"""Who may see what: one definition, which every engine and every query must equal.

Every memory belongs to exactly one *audience*, a string made from its scope, author and project. A reader
may see a memory if and only if its audience is one of the reader's. Because an audience names the project,
the same string also keeps one project's memories out of another's sessions.
"""

from __future__ import annotations

from perdure.domain.memory import Scope
from perdure.domain.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.memory import Memory


def audience(author: str, scope: Scope, project: str) -> str:
    """The audience of a memory: ``private/<author>/<project>`` or ``project/<project>``."""
    if scope is Scope.PRIVATE:
        return f"private/{author}/{project}"
    return f"project/{project}"


def audience_of(memory: Memory) -> str:
    """The audience of a stored memory."""
    return audience(memory.author, memory.scope, memory.project)


@record
class Reader:
    """Who asks, and where.

    ``projects`` are those the author is a member of. ``project`` is where the question is asked: empty
    outside any project. With ``everywhere`` the question is put to all the reader may see.
    """

    author: str
    projects: frozenset[str] = frozenset()
    project: str = ""
    everywhere: bool = False

    def may_read(self, memory: Memory) -> bool:
        """Whether this reader may ever see the memory, wherever the question is asked."""
        if memory.scope is Scope.PRIVATE:
            return memory.author == self.author
        return memory.project in self.projects

    def may_write(self, scope: Scope, project: str) -> bool:
        """Private is one's own; a project's memory is written by its members."""
        return scope is Scope.PRIVATE or project in self.projects

    def audiences(self) -> tuple[str, ...]:
        """The audiences in scope of the question, in a fixed order, the project's own first."""
        projects = sorted(self.projects) if self.everywhere else [self.project] if self.project else []
        shared = [audience(self.author, Scope.PROJECT, project) for project in projects if project in self.projects]
        private = [audience(self.author, Scope.PRIVATE, project) for project in (*projects, "")]
        return (*shared, *private)

    def asking_everywhere(self) -> Reader:
        """The same reader, asking all projects at once."""
        return replace(self, everywhere=True)


def visible(memory: Memory, reader: Reader) -> bool:
    """Whether a read for this reader may return the memory: allowed, and in scope of the question."""
    return reader.may_read(memory) and audience_of(memory) in reader.audiences()
