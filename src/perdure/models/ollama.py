"""Ollama's chat, on this machine unless told otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perdure.domain.errors import ModelInvalid
from perdure.domain.orders import ANSWER_TOKENS, Answer
from perdure.models.http import Server
from perdure.models.key import Key

if TYPE_CHECKING:
    from perdure.domain.orders import Question
    from perdure.models.http import Deadlines


class Ollama:
    """``perdure.ports.Model``."""

    def __init__(self, url: str, model: str, tokens: int, timeout: float, deadline: Deadlines) -> None:
        """``url`` is the base address; ``tokens`` is what a question may have, for the server to make room."""
        self.name = f"ollama: {model}"
        self._model = model
        self._room = tokens + ANSWER_TOKENS
        self._server = Server(url.rstrip("/") + "/api/chat", {}, Key(), timeout, deadline)

    def complete(self, question: Question) -> Answer:
        """See the port."""
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": question.instructions},
                {"role": "user", "content": question.text},
            ],
            "stream": False,
            "options": {"temperature": 0, "num_ctx": self._room, "num_predict": ANSWER_TOKENS},
        }
        if question.contract.get("type") != "string":
            body["format"] = question.contract
        told = self._server.post(body, {"format": ""})
        message = told.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str):
            raise ModelInvalid("The server's answer holds no message.", str(told))
        if told.get("done_reason") == "length":
            raise ModelInvalid(f"The answer was cut off after {ANSWER_TOKENS:,} tokens.", text)
        counts = [told.get("prompt_eval_count"), told.get("eval_count")]
        known = [count for count in counts if isinstance(count, int) and count >= 0]
        return Answer(text, sum(known) if known else None)
