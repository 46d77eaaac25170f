"""Redaction: secrets out of a text, before it is stored, logged, shown, sent or committed.

A secret becomes ``[REDACTED:<kind>]``: that it existed stays, it does not. Escape sequences and invisible
characters can tear a secret apart, so :func:`perdure.safety.defang.defang` comes first where both are done.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from perdure.domain.errors import UsageError
from perdure.domain.record import record
from perdure.safety import lazy, names, shapes, words
from perdure.safety.rulebook import Rulebook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from perdure.domain.json import Json
    from perdure.safety.rulebook import Row

_MARK = lazy.Pattern(r"\[REDACTED:[\w.-]{1,60}\]")
_KIND = lazy.Pattern(r"[A-Za-z0-9][\w.-]{0,59}")
_CREDENTIAL = "credential"
# Whose name a stretch gets when several rules claim it: the block, the token (2), the vaguer token, the place.
_PRECEDENCE = {
    "private": 0,
    "private-key": 1,
    "model-key": 3,
    "authorization": 4,
    "cookie": 4,
    "url-password": 4,
    _CREDENTIAL: 5,
}
# So far around a secret its allowed surroundings are looked for.
_AROUND = 200
# So far around a new mark it is looked whether the text now says something else.
_WINDOW = 512
_MARKED = "[REDACTED:"
_NAMED = frozenset({"name", "key", "Name", "Key"})
_VALUED = frozenset({"value", "Value"})


@record
class Finding:
    """A secret of some kind, where it stood in the text as it was given: from ``start`` up to ``end``."""

    kind: str
    start: int
    end: int


@record
class Redacted:
    """A text without its secrets, and what was found, in order and without overlaps."""

    text: str
    findings: tuple[Finding, ...] = ()


def _compiled(name: str, pattern: str) -> re.Pattern[str]:
    """A pattern of the user's; ``UsageError`` naming it where it is none, or one that matches everything."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise UsageError(f"the redaction pattern {name!r} is invalid: {error}") from error
    if compiled.match(""):
        raise UsageError(f"the redaction pattern {name!r} matches the empty text, and so everything")
    return compiled


def _extra(patterns: Iterable[tuple[str, str]]) -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, pattern in patterns:
        if not _KIND.fullmatch(name):
            raise UsageError(f"the name of the redaction pattern {name!r} may hold only letters, digits, . _ -")
        yield name, _compiled(name, pattern)


def _merged(claims: Iterable[Finding]) -> list[Finding]:
    """Claims without overlaps; what several share gets the name of the one that takes precedence."""
    merged: list[Finding] = []
    for claim in sorted(claims, key=lambda found: (found.start, -found.end)):
        if not merged or claim.start >= merged[-1].end:
            merged.append(claim)
            continue
        last = merged[-1]
        first = min((last, claim), key=lambda found: _PRECEDENCE.get(found.kind, 2))
        merged[-1] = Finding(first.kind, last.start, max(last.end, claim.end))
    return merged


def _without(text: str, findings: Sequence[Finding]) -> str:
    """The text with a mark in place of each finding."""
    parts = []
    at = 0
    for found in findings:
        parts += [text[at : found.start], f"[REDACTED:{found.kind}]"]
        at = found.end
    return "".join([*parts, text[at:]])


class Redactor:
    """Takes secrets out of texts. Holds no state but compiled expressions; may be shared by threads."""

    def __init__(
        self,
        rules: Sequence[Row],
        allow: Iterable[str] = (),
        extra: Iterable[tuple[str, str]] = (),
    ) -> None:
        """``allow`` are expressions for what survives; ``extra`` are (kind, expression), a first group the secret.

        Raises ``UsageError`` naming the pattern that is invalid.
        """
        self._book = Rulebook(rules)
        self._allow = tuple(_compiled(pattern, pattern) for pattern in allow)
        self._extra = tuple(_extra(extra))

    def _allowed(self, text: str, claim: Finding) -> bool:
        """Whether what is allowed stands in a claim or around it."""
        begin = max(0, claim.start - _AROUND)
        for pattern in self._allow:
            for found in pattern.finditer(text, begin, min(len(text), claim.end + _AROUND)):
                within = claim.start <= found.start() and found.end() <= claim.end
                if within or (found.start() <= claim.start and claim.end <= found.end()):
                    return True
        return False

    def _claims(self, text: str) -> list[Finding]:
        """What one look at the text finds, without overlaps."""
        claims = [Finding(kind, start, end) for start, end, kind in self._book.find(text)]
        for kind, pattern in self._extra:
            claims += [Finding(kind, *match.span(1 if pattern.groups else 0)) for match in pattern.finditer(text)]
        if self._allow:
            claims = [claim for claim in claims if not self._allowed(text, claim)]
        return _merged(claim for claim in claims if 0 <= claim.start < claim.end)

    def _claims_near(self, text: str, marks: Sequence[tuple[int, int]]) -> list[Finding]:
        """What is found close to marks that have just been made: only there can anything have changed."""
        claims = []
        for begin, end in _windows(text, marks):
            claims += [
                Finding(claim.kind, claim.start + begin, claim.end + begin) for claim in self._claims(text[begin:end])
            ]
        return [claim for claim in claims if _near(claim, marks) and shapes.MASK not in text[claim.start : claim.end]]

    def _findings(self, text: str) -> list[Finding]:
        """All findings in the text's own offsets: looked for until nothing more comes to light."""
        masked = _MARK.sub(_mask, text) if _MARKED in text else text
        findings = latest = self._claims(masked)
        while latest:
            current, marks = _marked(masked, findings, latest)
            claims = self._claims_near(current, marks)
            latest = _translated(claims, findings)
            findings = _merged([*findings, *latest])
        return [_whole(text, found) for found in findings] if masked is not text else findings

    def redact(self, text: str) -> Redacted:
        """The text without its secrets. Of a text that has none, the same object comes back."""
        findings = self._findings(text)
        return Redacted(_without(text, findings), tuple(findings)) if findings else Redacted(text)

    def clean(self, text: str) -> str:
        """The text without its secrets."""
        return self.redact(text).text

    def redact_joined(self, parts: Sequence[str]) -> tuple[str, ...]:
        """The parts of one longer text without its secrets, those across their borders too.

        Joined again they are what :meth:`clean` makes of the whole, however it was cut. The mark of a secret
        stands in the part where the secret begins; its other parts lose their share.
        """
        findings = self._findings("".join(parts))
        redacted = []
        begin = 0
        for part in parts:
            end = begin + len(part)
            kept = []
            at = begin
            for found in findings:
                if found.end <= begin or found.start >= end:
                    continue
                kept.append(part[at - begin : max(found.start, at) - begin])
                if found.start >= begin:
                    kept.append(f"[REDACTED:{found.kind}]")
                at = min(found.end, end)
            redacted.append("".join([*kept, part[at - begin :]]))
            begin = end
        return tuple(redacted)

    def redact_value(self, value: Json) -> Json:
        """A JSON-like value without the secrets in its keys and strings; a key says what its value is."""
        return self._value(value, names.NOTHING)

    @staticmethod
    def _level(key: str, cleaned: str, named: str) -> int:
        """How much a key says of its value: as it is and as it will be, so that a second look sees nothing new."""
        return names.level(named) if key in _VALUED else max(names.level(key), names.level(cleaned))

    def _value(self, value: Json, level: int) -> Json:
        if isinstance(value, str):
            word = words.Word(0, len(value), value, quoted=True)
            if level and words.secret(word, level) and not _MARK.search(value):
                claim = Finding(_CREDENTIAL, 0, len(value))
                if not self._allowed(value, claim):
                    found = self.redact(value).findings
                    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(value))
                    return f"[REDACTED:{found[0].kind if whole else _CREDENTIAL}]"
            return self.clean(value)
        if isinstance(value, dict):
            named = next((value[key] for key in _NAMED & value.keys() if isinstance(value[key], str)), "")
            cleaned = {key: self.clean(key) for key in value}
            return {
                cleaned[key]: self._value(item, self._level(key, cleaned[key], str(named)))
                for key, item in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self._value(item, level) for item in value]
        return value


def _mask(match: re.Match[str]) -> str:
    """A mark as it is looked at: no word in it, and no word with it is a secret."""
    return shapes.MASK * len(match[0])


def _whole(text: str, found: Finding) -> Finding:
    """The finding with the marks that it cuts through."""
    start, end = found.start, found.end
    for mark in _MARK.finditer(text, max(0, start - _AROUND), min(len(text), end + _AROUND)):
        if mark.start() < start < mark.end():
            start = mark.start()
        if mark.start() < end < mark.end():
            end = mark.end()
    return Finding(found.kind, start, end)


def _marked(text: str, findings: Sequence[Finding], latest: Sequence[Finding]) -> tuple[str, list[tuple[int, int]]]:
    """The text with masks in place of the findings, and where those of the latest stand."""
    parts = []
    marks = []
    at = length = 0
    new = {found.start for found in latest}
    for found in findings:
        size = len(f"[REDACTED:{found.kind}]")
        length += found.start - at + size
        parts += [text[at : found.start], shapes.MASK * size]
        at = found.end
        if found.start in new:
            marks.append((length - size, length))
    return "".join([*parts, text[at:]]), marks


def _windows(text: str, marks: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Stretches of the text around the marks, as few as cover them."""
    begin, end = 0, -1
    for start, finish in marks:
        if start - _WINDOW > end:
            if end >= 0:
                yield begin, end
            begin = max(0, start - _WINDOW)
        end = min(len(text), finish + _WINDOW)
    if end >= 0:
        yield begin, end


def _near(claim: Finding, marks: Sequence[tuple[int, int]]) -> bool:
    """Whether a claim lies so close to a mark that the edges of the window played no part in it."""
    index = bisect_right(marks, (claim.start, 1 << 60))
    after = index < len(marks) and marks[index][0] - claim.end <= _WINDOW // 2
    return after or (index > 0 and claim.start - marks[index - 1][1] <= _WINDOW // 2)


def _translated(claims: Iterable[Finding], findings: Sequence[Finding]) -> list[Finding]:
    """Claims on a text with marks, in the offsets of the text without them."""
    shifts: list[tuple[int, int]] = [(0, 0)]
    growth = 0
    for found in findings:
        growth += len(f"[REDACTED:{found.kind}]") - (found.end - found.start)
        shifts.append((found.end + growth, -growth))
    return [_moved(claim, shifts) for claim in claims]


def _moved(claim: Finding, shifts: Sequence[tuple[int, int]]) -> Finding:
    by = shifts[bisect_right(shifts, (claim.start, 1 << 60)) - 1][1]
    return Finding(claim.kind, claim.start + by, claim.end + by)


_DEFAULT: dict[str, Redactor] = {}


def default_redactor(extra_patterns: Mapping[str, str] | None = None, allow: Sequence[str] = ()) -> Redactor:
    """The redactor with the rules that ship; without arguments always the same one.

    ``extra_patterns`` are kind to expression, ``allow`` expressions for what survives. Raises ``UsageError`` naming a
    pattern that is invalid.
    """
    from perdure.safety._rules import CONTEXT, GITLEAKS, VENDORS

    rules = (*CONTEXT, *VENDORS, *GITLEAKS)
    if extra_patterns or allow:
        return Redactor(rules, allow, (extra_patterns or {}).items())
    if "" not in _DEFAULT:
        _DEFAULT[""] = Redactor(rules)
    return _DEFAULT[""]
