"""The one token estimator, and cutting a text to a budget.

Every budget of Perdure is counted with ``count``. It needs no tokenizer: a run of latin letters or digits costs
one token for each four characters begun, every other sign costs one, and a CJK character costs one. On English
prose and code this lies within a fifth of common byte-pair encodings, more often above than below.
"""

from __future__ import annotations

import re

# Letters of the alphabets; what lies above them is punctuation and scripts of one token a character.
_PIECE = re.compile("[0-9A-Z_a-z\u00aa-\u1fff]+|\\S")
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？]|\n")

CHARACTERS_PER_TOKEN = 4
ELLIPSIS = " ..."


def count(text: str) -> int:
    """An estimate of how many tokens a model will see, never below one per CJK character."""
    return sum(-(-len(piece) // CHARACTERS_PER_TOKEN) for piece in _PIECE.findall(text))


def cut(text: str, tokens: int) -> str:
    """The longest start of ``text`` within ``tokens`` that ends at a sentence where one ends in its last half.

    A text that was cut ends in `` ...``; a budget that cannot even hold that gives the empty string.
    """
    if count(text) <= tokens:
        return text
    room = tokens - count(ELLIPSIS)
    if room <= 0:
        return ""
    end = used = 0
    for piece in _PIECE.finditer(text):
        used += -(-len(piece.group()) // CHARACTERS_PER_TOKEN)
        if used > room:
            break
        end = piece.end()
    stops = [match.end() for match in _SENTENCE_END.finditer(text, end // 2, end)]
    kept = text[: stops[-1]] if stops else text[:end]
    return kept.rstrip() + ELLIPSIS
