"""Episodes: a session's turns, cut at the user's prompts.

An episode holds the words of the user and of the assistant. Tools are named as evidence (files, commands) and
their output is left out, so that what a tool printed never becomes something that was said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from perdure.domain import tokens
from perdure.domain.session import Role, Turn
from perdure.domain.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PROMPT_TOKENS = 220
ANSWER_TOKENS = 180
MAX_FILES = 12
LEAST_TERMS = 2

_NOTHING_SAID = (
    r"ok(?:ay)?|yes|yep|no|nope|thanks?(?: you)?|thx|ty|continue|go on|go ahead|proceed|next|done|good|great|nice"
    r"|perfect|cool|sure|lgtm|ping|heartbeat|hi|hello|hey|danke|ja|nein|weiter|gracias|sí|obrigad[oa]|sim|merci|oui"
    r"|спасибо|да|нет|好的?|谢谢|继续|はい|ありがとう(?:ございます)?|続けて"
)
_TRIVIAL = re.compile(rf"^\W*(?:(?:{_NOTHING_SAID})(?:\W+|$))+$", re.IGNORECASE)


@dataclass(slots=True)
class Episode:
    """What happened from one prompt up to the next."""

    prompt: Turn
    turns: list[Turn] = field(default_factory=list)

    @property
    def answer(self) -> str:
        """The last words of the assistant."""
        return next((turn.text for turn in reversed(self.turns) if turn.role is Role.ASSISTANT), "")

    @property
    def files(self) -> list[str]:
        """The files that tools touched, each once, at most a dozen."""
        named = (name for turn in self.turns for name in _texts(turn.attrs.get("files")))
        return list(dict.fromkeys(named))[:MAX_FILES]

    @property
    def body(self) -> str:
        """Prompt and answer, each within its budget, and the files."""
        parts = [f"Asked: {tokens.cut(self.prompt.text.strip(), PROMPT_TOKENS)}"]
        if self.answer:
            parts.append(f"Answered: {tokens.cut(self.answer.strip(), ANSWER_TOKENS)}")
        if self.files:
            parts.append(f"Files: {', '.join(self.files)}")
        return "\n".join(parts)


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def is_trivial(prompt: str) -> bool:
    """Whether a prompt only keeps the talk going, so that it belongs to the episode before it."""
    return bool(_TRIVIAL.match(prompt)) or len(query_terms(prompt)) < LEAST_TERMS


def cut(turns: Sequence[Turn]) -> list[Episode]:
    """Episodes in order. Turns before the first prompt, and prompts that only say ``ok``, open none."""
    found: list[Episode] = []
    for turn in turns:
        if turn.role is Role.USER and not is_trivial(turn.text):
            found.append(Episode(turn))
        elif found:
            found[-1].turns.append(turn)
    return found
