"""What happens to every text before it is kept: secrets out, hidden characters out, our own fences out."""

from __future__ import annotations

from collections.abc import Mapping

from perdure.domain.change import Add, Draft, Edit, Feedback, Supersede
from perdure.domain.record import replace
from perdure.safety.defang import defang
from perdure.safety.fence import strip_fences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.domain.change import Change
    from perdure.domain.json import Json
    from perdure.domain.memory import Statement
    from perdure.safety.redaction import Redactor


MAX_BODY = 64_000
MAX_TITLE = 300
MAX_TAGS = 32
MAX_TAG = 80
MAX_EXCERPT = 400


class Cleaner:
    """Cleans texts and remembers which kinds of secrets it met."""

    def __init__(self, redactor: Redactor) -> None:
        """Use one redaction engine."""
        self._redactor = redactor
        self._kinds: dict[str, None] = {}
        self._sound = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of secrets met so far, in order."""
        return tuple(self._kinds)

    def look(self, texts: Iterable[str]) -> None:
        """Look at the texts of a change all at once: where all of them together may be kept, each of them may."""
        together = "\n\n".join(filter(None, texts))
        self._sound = strip_fences(defang(together)) == together and not self._redactor.redact(together).findings

    def text(self, text: str) -> str:
        """A text that may be kept."""
        if self._sound:
            return text.strip()
        if strip_fences(defang(text)) != text:
            text = self._redacted(text)  # what is hidden in a text may end in the middle of a secret
        return self._redacted(strip_fences(defang(text))).strip()

    def _redacted(self, text: str) -> str:
        redacted = self._redactor.redact(text)
        self._kinds |= dict.fromkeys(finding.kind for finding in redacted.findings)
        return redacted.text

    def value(self, value: Json) -> Json:
        """A JSON-like value in which every text, key or value, may be kept."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value


def clean(change: Change, redactor: Redactor) -> tuple[Change, tuple[str, ...]]:
    """The change with every text cleaned, and the kinds of secrets that were taken out."""
    cleaner = Cleaner(redactor)
    cleaner.look(_texts(change))
    excerpt = cleaner.text(change.provenance.excerpt)[:MAX_EXCERPT] if change.provenance.excerpt else ""
    origin = replace(change.provenance, excerpt=excerpt)
    if isinstance(change, Add | Supersede):
        cleaned: Change = replace(change, draft=_draft(change.draft, cleaner), provenance=origin)
    elif isinstance(change, Edit):
        cleaned = replace(
            change,
            provenance=origin,
            body=None if change.body is None else cleaner.text(change.body),
            title=None if change.title is None else cleaner.text(change.title),
            tags=None if change.tags is None else tuple(map(cleaner.text, change.tags)),
            attrs=None if change.attrs is None else {key: cleaner.value(item) for key, item in change.attrs.items()},
        )
    elif isinstance(change, Feedback):
        cleaned = replace(change, provenance=origin, note=cleaner.text(change.note)[:MAX_EXCERPT])
    else:
        cleaned = replace(change, provenance=origin)
    return cleaned, cleaner.kinds


def _texts(change: Change) -> Iterator[str]:
    """Every text of a change that somebody may have put a secret into."""
    yield change.provenance.excerpt
    if isinstance(change, Add | Supersede):
        draft = change.draft
        yield from (draft.title, draft.body, *draft.tags)
        yield from _leaves(draft.attrs)
    elif isinstance(change, Edit):
        yield from (change.title or "", change.body or "", *(change.tags or ()))
        yield from _leaves(change.attrs)
    elif isinstance(change, Feedback):
        yield change.note


def _leaves(value: Json) -> Iterator[str]:
    """Every text in a JSON-like value, keys as well as values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)


def _draft(draft: Draft, cleaner: Cleaner) -> Draft:
    return replace(
        draft,
        body=cleaner.text(draft.body),
        title=cleaner.text(draft.title) if draft.title else "",
        tags=tuple(dict.fromkeys(map(cleaner.text, draft.tags))),
        attrs={cleaner.text(key): cleaner.value(item) for key, item in draft.attrs.items()} if draft.attrs else {},
    )


def flaw(statement: Statement) -> str:
    """What is wrong with a statement, in a sentence that says what to do; empty when nothing is."""
    if not statement.body:
        return "There is nothing to record: the text is empty (or held nothing but what is never kept)."
    size = len(statement.body)
    if size > MAX_BODY:
        return (
            f"The text has {size:,} characters; a memory holds at most {MAX_BODY:,}. Split it, or add it as a document."
        )
    if len(statement.title) > MAX_TITLE or "\n" in statement.title:
        return f"A title is one line of at most {MAX_TITLE} characters."
    if len(statement.tags) > MAX_TAGS or any(len(tag) > MAX_TAG or not tag for tag in statement.tags):
        return f"A memory has at most {MAX_TAGS} tags of 1 to {MAX_TAG} characters."
    for name in ("importance", "confidence"):
        if not 0.0 <= getattr(statement, name) <= 1.0:
            return f"{name} must lie between 0 and 1."
    if statement.valid_to is not None and statement.valid_to < statement.valid_from:
        return "valid-to lies before valid-from. Give an end that is not before the start."
    return ""
