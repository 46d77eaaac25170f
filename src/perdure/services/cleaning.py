"""What happens to every text before it is kept: secrets out, hidden characters out, our own fences out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

from perdure.domain.change import Add, Draft, Edit, Feedback, Merge, Supersede
from perdure.domain.record import replace
from perdure.safety.defang import defang
from perdure.safety.fence import strip_fences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from perdure.domain.change import Change
    from perdure.domain.json import Json
    from perdure.domain.memory import Statement
    from perdure.safety.redaction import Redactor


MAX_BODY = 64_000
MAX_TITLE = 300
MAX_TAGS = 32
MAX_TAG = 80


class Cleaner:
    """Cleans texts one by one and remembers which kinds of secrets it met."""

    def __init__(self, redactor: Redactor) -> None:
        """Use one redaction engine."""
        self._redactor = redactor
        self._kinds: dict[str, None] = {}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of secrets met so far, in order."""
        return tuple(self._kinds)

    def text(self, text: str) -> str:
        """A text that may be kept."""
        if not _is_seen_whole(text):
            text = self._redacted(text)  # what is hidden in a text may end in the middle of a secret
        return self._redacted(strip_fences(defang(text))).strip()

    def _redacted(self, text: str) -> str:
        redacted = self._redactor.redact(text)
        self._kinds |= dict.fromkeys(finding.kind for finding in redacted.findings)
        return redacted.text


def clean(change: Change, redactor: Redactor) -> tuple[Change, tuple[str, ...]]:
    """The change with every text cleaned, and the kinds of secrets that were taken out."""
    return clean_all([change], redactor)[0]


def clean_all(changes: Iterable[Change], redactor: Redactor) -> list[tuple[Change, tuple[str, ...]]]:
    """As :func:`clean` does with each, after one look at all of them: few hold anything that may not be kept."""
    told = [(change, [text for text in _texts(change) if text]) for change in changes]
    suspects = _suspects(["\n\n".join(texts) for _change, texts in told], redactor)
    cleaned: list[tuple[Change, tuple[str, ...]]] = []
    for number, (change, texts) in enumerate(told):
        if number in suspects:
            cleaner = Cleaner(redactor)
            cleaned.append((_mapped(change, cleaner.text), cleaner.kinds))
        elif any(text != text.strip() for text in texts):
            cleaned.append((_mapped(change, str.strip), ()))
        else:
            cleaned.append((change, ()))
    return cleaned


def _is_seen_whole(text: str) -> bool:
    return strip_fences(defang(text)) == text


def _suspects(texts: Sequence[str], redactor: Redactor) -> set[int]:
    """The numbers of the texts that hold what may not be kept, and of some that only stand next to one.

    The texts are looked at as one; where that shows nothing in a text, there is nothing in it.
    """
    suspects = {number for number, text in enumerate(texts) if not _is_seen_whole(text)}
    begins = [0, *accumulate(len(text) + 2 for text in texts)]
    for found in redactor.redact("\n\n".join(texts)).findings:
        suspects |= {*range(max(0, bisect_right(begins, found.start) - 1), bisect_right(begins, found.end))}
    return suspects


def _mapped(change: Change, put: Callable[[str], str]) -> Change:
    """The change with what ``put`` makes of each of its texts."""
    origin = replace(change.provenance, excerpt=put(change.provenance.excerpt))
    if isinstance(change, Add | Supersede | Merge):
        return replace(change, draft=_draft(change.draft, put), provenance=origin)
    if isinstance(change, Edit):
        return replace(
            change,
            provenance=origin,
            body=None if change.body is None else put(change.body),
            title=None if change.title is None else put(change.title),
            tags=None if change.tags is None else tuple(map(put, change.tags)),
            attrs=None if change.attrs is None else {key: _value(item, put) for key, item in change.attrs.items()},
        )
    if isinstance(change, Feedback):
        return replace(change, provenance=origin, note=put(change.note))
    return replace(change, provenance=origin)


def _draft(draft: Draft, put: Callable[[str], str]) -> Draft:
    return replace(
        draft,
        body=put(draft.body),
        title=put(draft.title),
        tags=tuple(map(put, draft.tags)),
        attrs={put(key): _value(item, put) for key, item in draft.attrs.items()},
    )


def _value(value: Json, put: Callable[[str], str]) -> Json:
    """A JSON-like value with what ``put`` makes of every text in it, key or value."""
    if isinstance(value, str):
        return put(value)
    if isinstance(value, Mapping):
        return {put(str(key)): _value(item, put) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_value(item, put) for item in value]
    return value


def _texts(change: Change) -> Iterator[str]:
    """Every text of a change that somebody may have put a secret into."""
    yield change.provenance.excerpt
    if isinstance(change, Add | Supersede | Merge):
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
