"""The word that stands at a place in a text: where it ends, and whether it is a secret there."""

# ruff: noqa: PLR2004, RUF001 - lengths and counts are judgements, said by the words around them; signs of many scripts
from __future__ import annotations

import binascii
import re

from perdure.safety import lazy, names, shapes

_CLOSERS = {"「": "」", "“": "”", "«": "»", "‘": "’", "『": "』"}
_LONGEST = 4096
# Most words are short; only one that fills the first look gets a second.
_USUAL = 256
# Up to a blank, a quote, a bracket of markup, an escape, or the punctuation of scripts without blanks.
_BARE = lazy.Pattern(
    r"""(?:[^\s"'`<>\\，。；、」』！？（）【】]|\\(?![nrtu"'\\\r\n])|\\\r?\n(?=\S)|(?:\\{3}|\\{6}|\\{12})n(?=\S))+"""
)
_CONTINUED = lazy.Pattern(r"\\\r?\n|\\{3,12}n")
_NEXT_FIELD = lazy.Pattern(r"[,;&](?=\s*[\w.-]{2,40}\s*[=:])|[,;](?=\s|$)|&amp;|%26")
_QUERY_END = lazy.Pattern(r"[&#;]")
_LINES = lazy.Pattern(r"""(?:[^\s"'\\]{8,}(?:\r?\n|\\+r?\\*n)\s*)+[^\s"'\\]*""")
_TYPED = lazy.Pattern(r"""[A-Za-z_][\w.\[\]| <>?]{0,40}?[ \t]*=[ \t]*(?P<quote>\\{0,4}["'])""")
_HEREDOC = lazy.Pattern(
    r"""\$\(\s*cat\s*<<-?\s*\\*["']?(?P<mark>\w+)\\*["']?(?:\r?\n|\\+n)(?P<body>.{1,8000}?)(?:\r?\n|\\+n)\s*(?P=mark)\b""",
    re.DOTALL,
)
_WORDS = lazy.Pattern(r"[a-z]{3,}(?:[ -][a-z]{3,}){3,}$")
_FILE = lazy.Pattern(r"~?(?:/[\w.-]+){2,}/?$|[A-Za-z]:\\")
_PROSE = frozenset(
    "your the a an is are must be to for and or not please enter new old of in with forgot reset".split()  # noqa: SIM905
)


class Word:
    """A stretch of a text, and whether it stands in quotes. A plain class: thousands are made and dropped."""

    __slots__ = ("end", "quoted", "start", "value")

    def __init__(self, start: int, end: int, value: str, *, quoted: bool) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.quoted = quoted


def _closing(text: str, start: int, quote: str) -> int:
    """Where the quote that opened before ``start`` closes, else -1."""
    closer = _CLOSERS.get(quote, quote)
    limit = min(len(text), start + _LONGEST)
    end = text.find(closer, start, limit)
    while end > 0 and text[end - 1] == "\\" and not closer.startswith("\\"):
        end = text.find(closer, end + 1, limit)
    return end


def word_at(text: str, start: int, quote: str | None, *, query: bool = False) -> Word | None:
    """The word that begins at ``start``, after an opening ``quote`` if there is one."""
    if quote:
        end = _closing(text, start, quote)
        if end >= 0:
            value = text[start:end]
            if "\n" not in value or _LINES.fullmatch(value):
                return Word(start, end, value, quoted=True) if value else None
    match = _BARE.match(text, start, min(len(text), start + _USUAL))
    if match is None:
        return None
    cut = (_QUERY_END if query else _NEXT_FIELD).search(match[0])
    if cut is None and match.end() - start == _USUAL:
        match = _BARE.match(text, start, min(len(text), start + _LONGEST)) or match
        cut = (_QUERY_END if query else _NEXT_FIELD).search(match[0])
    value = (match[0][: cut.start()] if cut else match[0]).rstrip(",;)}]")
    if not value:
        return None
    plain = _CONTINUED.sub("", value) if "\\" in value else value
    return Word(start, start + len(value), plain, quoted=False)


def typed_default(text: str, start: int) -> Word | None:
    """The quoted default after a type: ``password: str = "..."``."""
    match = _TYPED.match(text, start, min(len(text), start + 80))
    return word_at(text, match.end(), match["quote"]) if match else None


def heredoc(text: str, start: int) -> Word | None:
    """The body of ``$(cat <<EOF ... EOF)``."""
    match = _HEREDOC.match(text, start, min(len(text), start + 2 * _LONGEST))
    return Word(match.start("body"), match.end("body"), match["body"], quoted=True) if match else None


def pair(word: str) -> bool:
    """Whether the word is a user and a password in base64, as basic authentication has them."""
    try:
        plain = binascii.a2b_base64(word + "=" * (-len(word) % 4), strict_mode=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return False
    return ":" in plain and plain.isprintable()


def _passphrase(value: str) -> bool:
    return bool(_WORDS.match(value)) and not _prose(value)


def _prose(value: str) -> bool:
    return not _PROSE.isdisjoint(re.split(r"[ -]", value.lower()))


def password(word: Word, *, sure: bool = False) -> bool:
    """Whether the word after a name like ``password`` is one. ``sure``: nothing else can stand there."""
    value = word.value
    if len(value) < 4 or shapes.standing(value):
        return False
    if any(char.isspace() for char in value):
        lines = word.quoted and bool(_LINES.fullmatch(value))
        return lines or (word.quoted and (_passphrase(value) or (sure and shapes.mixed(value) and not _prose(value))))
    if _passphrase(value):
        return word.quoted or sure
    if not word.quoted and shapes.code(value) and ("(" in value or not (sure or shapes.scattered(value))):
        return False
    if value.lower() in shapes.TECHNICAL or _FILE.match(value) or (not sure and shapes.located(value)):
        return False
    if shapes.mixed(value) or (value.isdigit() and len(value) >= 6):
        return True
    return sure and len(value) >= 6


def token(word: Word, *, sure: bool = False) -> bool:
    """Whether the word after a name like ``api_key`` is one."""
    value = word.value
    if len(value) < 8 or shapes.standing(value):
        return False
    if any(char.isspace() for char in value):
        return word.quoted and (bool(_LINES.fullmatch(value)) or (_passphrase(value) and value.count(" ") >= 11))
    if not word.quoted and ("(" in value or "." in value) and shapes.code(value):
        return False
    if shapes.scattered(value):
        return True
    if shapes.digest(value):
        return len(value) >= 16
    if shapes.located(value) or shapes.wordy(value) or value.lower() in shapes.TECHNICAL:
        return False
    return (word.quoted or sure) and shapes.mixed(value) and not shapes.code(value)


def secret(word: Word, level: int, *, sure: bool = False) -> bool:
    """Whether the word is a secret under a name of that level."""
    if level == names.PASSWORD:
        return password(word, sure=sure)
    if level == names.TOKEN:
        return token(word, sure=sure)
    if level == names.KEY:
        return (
            len(word.value) >= 16
            and not shapes.standing(word.value)
            and (shapes.scattered(word.value) and not shapes.uuid(word.value) and (sure or word.quoted))
        )
    if level == names.AUTH:
        return pair(word.value) or (len(word.value) >= 24 and shapes.scattered(word.value) and sure)
    return False
