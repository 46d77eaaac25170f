"""A project's own git history as episodes: what was done, with the time it was committed."""

from __future__ import annotations

from perdure.domain import tokens
from perdure.domain.change import Add, Draft, Written
from perdure.domain.instants import DAY
from perdure.domain.memory import Channel, Kind, Provenance, Trust
from perdure.domain.record import record
from perdure.services import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.access import Reader
    from perdure.domain.commit import Commit
    from perdure.ports import Repo
    from perdure.services.write import Door

MONTH = 30 * DAY
BODY_TOKENS = 200
BATCH = 500
WATERMARK = "commit"


@record
class Window:
    """How much of a history is taken in: the last ``months``, and no more than ``commits``."""

    months: int = 12
    commits: int = 5_000


def take_in(door: Door, repo: Repo, reader: Reader, root: str, window: Window) -> int:
    """Record the commits of a work tree that are not recorded yet; returns how many are new.

    A commit is of user trust only where its author is the one git commits as there; another's is evidence that is
    found when asked for. It needs no model and runs again without doubling anything.
    """
    with door.store.unit(reader) as unit:
        known = unit.projects.watermark(reader.project, WATERMARK)
    head = repo.head(root)
    if not head or head == known:
        return 0
    since = door.clock.now() - window.months * MONTH
    own = repo.email(root).casefold()
    commits = repo.history(root, after=known, since=since, limit=window.commits)
    new = 0
    for start in range(0, len(commits), BATCH):
        changes = [_change(commit, reader.project, own) for commit in commits[start : start + BATCH]]
        new += sum(isinstance(outcome, Written) for outcome in write.commit_all(door, reader, changes))
    with door.store.unit(reader, write=True) as unit:
        unit.projects.set_watermark(reader.project, WATERMARK, head)
    return new


def _change(commit: Commit, project: str, own: str) -> Add:
    mine = bool(own) and commit.author_email.casefold() == own
    body = f"Committed: {commit.subject}"
    if commit.body.strip():
        body += f"\n{tokens.cut(commit.body.strip(), BODY_TOKENS)}"
    if commit.files:
        body += f"\nFiles: {', '.join(commit.files[:12])}"
    draft = Draft(
        Kind.EPISODE,
        body,
        title=tokens.cut(commit.subject, 60),
        project=project,
        importance=0.4,
        valid_from=commit.committed_at,
        attrs={"commit": commit.sha, "by": commit.author_name},
    )
    origin = Provenance(Channel.DOCUMENT, Trust.USER if mine else Trust.EXTERNAL, excerpt=commit.sha)
    return Add(draft, origin, f"commit/{project}/{commit.sha}")
