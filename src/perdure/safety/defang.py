"""Defanging: what a reader doesn't see goes out of a text, so that a model reads what its owner reads.

Out go escape sequences of terminals, control characters, tags, zero-width characters, controls of direction,
and variation selectors. What is seen stays, and so do the invisible characters that letters and emoji need:

* VARIATION SELECTOR-16 after a sign that is an emoji or a keycap, ZERO WIDTH JOINER between two emoji;
* ZERO WIDTH JOINER and NON-JOINER after a virama (the rule of RFC 5892, A.1 and A.2), for the scripts of India;
* ZERO WIDTH NON-JOINER between two letters of the Arabic script, for Persian, Urdu and their neighbours.

Every end of line becomes a newline, and half of a surrogate pair U+FFFD. Nothing is normalised.
"""

from __future__ import annotations

from perdure.safety import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_PLAIN = lazy.Pattern(r"[^\x00-\x08\x0b-\x1f\x7f]*\Z")
# A command to the terminal goes up to its terminator; torn, up to the end of its line. The forms that begin with
# one character beyond ASCII are more often a wrongly decoded quote: they need all that makes them what they are.
_ESCAPES = lazy.Pattern(
    "\x1b[\\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)?"
    "|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)"
    "|\x1b\\[[0-?]*[ -/]*[@-~]?|\x9b[0-?]+[ -/]*[@-~]|\x1b[ -/]*[0-~]?"
)
_LINE_ENDS = lazy.Pattern("\r\n?|[\x85\u2028\u2029]")
# Controls that have no part in escape sequences; soft hyphen, grapheme joiner, Arabic letter mark, fillers; zero
# width, direction, invisible signs; variation selectors but the sixteenth; tags.
_HIDDEN = lazy.Pattern(
    "[\x00-\x06\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x8f\x91-\x97\x99\x9a\xad\u034f\u061c\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0"
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_CONTROLS = lazy.Pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f]+")
_JOINERS = lazy.Pattern("[\u200c\u200d\ufe0f]+")
_SURROGATES = lazy.Pattern("[\ud800-\udfff]")
_EMOJI = lazy.Pattern(
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_ARABIC = lazy.Pattern(
    "[\u0620-\u064a\u066e-\u06d3\u06d5\u06ee-\u06ff\u0750-\u077f\u0870-\u08c9\ufb50-\ufdff\ufe70-\ufefc]"
)
_KEYCAP = "\u20e3"
_VIRAMA = 9


def _bare(text: str, at: int, step: int) -> str:
    """The first character from ``at`` that is no combining mark, else nothing."""
    from unicodedata import combining

    while 0 <= at < len(text) and combining(text[at]):
        at += step
    return text[at] if 0 <= at < len(text) else ""


def _needed(match: re.Match[str]) -> str:
    """What of a run of joiners and selectors the signs around it need."""
    from unicodedata import combining

    text, run = match.string, match[0]
    before = text[match.start() - 1] if match.start() else ""
    after = text[match.end()] if match.end() < len(text) else ""
    if before and _EMOJI.match(before):
        joined = "\u200d" if "\u200d" in run and after and _EMOJI.match(after) else ""
        return ("\ufe0f" if "\ufe0f" in run else "") + joined
    if after == _KEYCAP and before in "0123456789#*" and "\ufe0f" in run:
        return "\ufe0f"
    joiner = run.lstrip("\ufe0f")[:1]
    if before and combining(before) == _VIRAMA:
        return joiner
    if "\u200c" in run:
        left, right = _bare(text, match.start() - 1, -1), _bare(text, match.end(), 1)
        if left and right and _ARABIC.match(left) and _ARABIC.match(right):
            return "\u200c"
    return ""


def _once(text: str) -> str:
    text = _LINE_ENDS.sub("\n", _ESCAPES.sub("", _HIDDEN.sub("", text)))
    text = _CONTROLS.sub("", text)
    if text.isascii():
        return text
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _JOINERS.sub(_needed, text)


def defang(text: str) -> str:
    """The text without what can't be seen in it. Defanging twice is defanging once."""
    if text.isascii() and _PLAIN.match(text):
        return text
    while True:
        once = _once(text)
        if once == text:
            return once
        text = once
