"""Anthropic's messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perdure.domain.errors import ModelInvalid, ModelRefused
from perdure.domain.orders import ANSWER_TOKENS, Answer
from perdure.models.http import Server

if TYPE_CHECKING:
    from perdure.domain.orders import Question
    from perdure.models.http import Deadlines
    from perdure.models.key import Key

VERSION = "2023-06-01"
MODEL = "claude-haiku-4-5"
COUNTED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


class Anthropic:
    """``perdure.ports.Model``."""

    def __init__(self, url: str, model: str, key: Key, timeout: float, deadline: Deadlines) -> None:
        """``url`` is the base address, such as ``https://api.anthropic.com``."""
        self._model = model or MODEL
        self.name = f"anthropic: {self._model}"
        headers = {"x-api-key": key.reveal(), "anthropic-version": VERSION}
        self._server = Server(url.rstrip("/") + "/v1/messages", headers, key, timeout, deadline)

    def complete(self, question: Question) -> Answer:
        """See the port."""
        body = {
            "model": self._model,
            "max_tokens": ANSWER_TOKENS,
            "temperature": 0,
            "system": question.instructions,
            "messages": [{"role": "user", "content": question.text}],
        }
        told = self._server.post(body, {"temperature": ""})
        try:
            text = "".join(part["text"] for part in told["content"] if part["type"] == "text")
        except (KeyError, TypeError) as error:
            raise ModelInvalid("The server's answer holds no message.", str(told)) from error
        if told.get("stop_reason") == "refusal":
            raise ModelRefused("The model will not answer this.")
        if told.get("stop_reason") == "max_tokens":
            raise ModelInvalid(f"The answer was cut off after {ANSWER_TOKENS:,} tokens.", text)
        return Answer(text, _tokens(told.get("usage")))


def _tokens(usage: Any) -> int | None:  # noqa: ANN401 - as it came
    counts = [usage.get(name) for name in COUNTED] if isinstance(usage, dict) else []
    found = [count for count in counts if isinstance(count, int) and count >= 0]
    return sum(found) if found else None
