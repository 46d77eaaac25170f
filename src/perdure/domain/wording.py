"""When two statements say the same."""

from __future__ import annotations

import unicodedata
from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.memory import Statement

_DIGEST_BYTES = 16


def normal(text: str) -> str:
    """Case, white space and Unicode form away: what is left when only the words count."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.casefold().split())


def digest_of(title: str, body: str) -> str:
    """32 hexadecimal digits that are equal where the words are (BLAKE2b, 128 bits)."""
    words = f"{normal(title)}\0{normal(body)}"
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


def digest(statement: Statement) -> str:
    """The digest of a statement's words; how it stands does not enter."""
    return digest_of(statement.title, statement.body)


def same_words(one: Statement, other: Statement) -> bool:
    """Whether two statements are found by the same searches."""
    return (one.title, one.body, one.tags) == (other.title, other.body, other.tags)
