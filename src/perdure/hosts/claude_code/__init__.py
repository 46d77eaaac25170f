"""Claude Code: its hook events, its transcripts, its settings file.

``events`` is on the capture path and loads nothing but ``json``; the other modules are loaded by what
reads transcripts or installs. The class below ties them together and loads each only when it is asked
for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from perdure.domain.event import HostEvent
    from perdure.domain.json import Json
    from perdure.domain.session import SessionRef, Transcript


class ClaudeCode:
    """The host named ``claude-code``."""

    name = "claude-code"

    def parse(self, event: str, payload: Mapping[str, Json]) -> HostEvent | None:
        """Read a hook payload; None where the event says nothing to us."""
        from perdure.hosts.claude_code import events

        return events.parse(event, payload)

    def render(self, event: HostEvent, text: str) -> str:
        """The one-line reply that puts ``text`` before the model, or nothing."""
        from perdure.hosts.claude_code import events

        return events.render(event, text)

    def transcripts(self, root: str) -> Iterable[SessionRef]:
        """Sessions kept below ``root``, a directory such as ``~/.claude``, oldest first."""
        from perdure.hosts.claude_code.transcript import transcripts

        return transcripts(root)

    def read(self, path: str, offset: int, limit: int) -> Transcript:
        """Whole records of a transcript from byte ``offset`` on, about ``limit`` bytes at most."""
        from perdure.hosts.claude_code.transcript import read

        return read(path, offset, limit)
