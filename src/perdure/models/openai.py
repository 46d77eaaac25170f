"""Any server that speaks OpenAI's chat completions: OpenAI itself, llama.cpp, vLLM, LM Studio and many more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perdure.domain.errors import ModelInvalid, ModelRefused
from perdure.domain.orders import ANSWER_TOKENS, Answer
from perdure.models.http import Server

if TYPE_CHECKING:
    from perdure.domain.orders import Question
    from perdure.models.http import Deadlines
    from perdure.models.key import Key

PATH = "/chat/completions"
# Newer models of OpenAI take no temperature and know the other limit by another name.
SUBSTITUTES = {"temperature": "", "max_tokens": "max_completion_tokens"}


class OpenAI:
    """``perdure.ports.Model``."""

    def __init__(self, url: str, model: str, key: Key, timeout: float, deadline: Deadlines) -> None:
        """``url`` is the base address, such as ``https://api.openai.com/v1``."""
        self.name = f"openai-compatible: {model}"
        self._model = model
        headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
        address = url.rstrip("/")
        self._server = Server(address if address.endswith(PATH) else address + PATH, headers, key, timeout, deadline)

    def complete(self, question: Question) -> Answer:
        """See the port."""
        messages = [
            {"role": "system", "content": question.instructions},
            {"role": "user", "content": question.text},
        ]
        body = {"model": self._model, "messages": messages, "temperature": 0, "max_tokens": ANSWER_TOKENS}
        told = self._server.post(body, SUBSTITUTES)
        try:
            choice = told["choices"][0]
            message = choice["message"]
            text = _text(message.get("content"))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ModelInvalid("The server's answer holds no message.", str(told)) from error
        if message.get("refusal") or choice.get("finish_reason") == "content_filter":
            raise ModelRefused(f"The model will not answer: {message.get('refusal') or 'its filter forbids it'}")
        if choice.get("finish_reason") == "length":
            raise ModelInvalid(f"The answer was cut off after {ANSWER_TOKENS:,} tokens.", text)
        return Answer(text, _tokens(told.get("usage")))


def _text(content: Any) -> str:  # noqa: ANN401 - as it came
    """The text of a message, which some servers give in parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    return content if isinstance(content, str) else ""


def _tokens(usage: Any) -> int | None:  # noqa: ANN401 - as it came
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) and total >= 0 else None
