"""Characters that are not what they seem."""

from __future__ import annotations

import re

_ESCAPES = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b\[[0-?]*[ -/]*[@-~]|\x1b.?")
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def defang(text: str) -> str:
    """The text without hidden characters and terminal escapes."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub("", _ESCAPES.sub("", text)).encode("utf-8", "replace").decode().replace("\r\n", "\n")
