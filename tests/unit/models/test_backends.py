from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from perdure.domain.errors import ModelInvalid, ModelRefused, ModelUnavailable
from perdure.domain.orders import ANSWER_TOKENS, Answer, Question
from perdure.models import http
from perdure.models.anthropic import Anthropic
from perdure.models.key import Key
from perdure.models.ollama import Ollama
from perdure.models.openai import OpenAI
from perdure.system.clock import Deadline
from tests.unit.models.server import ModelServer, Reply, anthropic_says, ollama_says, openai_says

pytestmark = pytest.mark.req("models.protocols")

KEY = "k-Sup3rS3cretValue0"
CONTRACT: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
QUESTION = Question("Pick what lasts.", "[1] user: We keep money in cents.", CONTRACT)
SAYS: dict[str, Any] = {"openai": openai_says, "anthropic": anthropic_says, "ollama": ollama_says}


class Patience:
    """A time limit that never ends by itself."""

    def __init__(self, seconds):
        self.seconds = seconds

    def expired(self):
        return False

    def left(self):
        return self.seconds


@pytest.fixture
def waits(monkeypatch):
    """How long was waited between attempts, without waiting."""
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    return waited


def model(kind, url, timeout=20.0, deadline=Patience):
    if kind == "openai":
        return OpenAI(f"{url}/v1", "m-1", Key(KEY), timeout, deadline)
    if kind == "anthropic":
        return Anthropic(url, "", Key(KEY), timeout, deadline)
    return Ollama(url, "m-1", 9_000, timeout, deadline)


def ask(kind, *replies, **how):
    """Ask a model whose server gives these replies, and return its answer with what the server was asked."""
    with ModelServer(*replies) as server:
        return model(kind, server.url, **how).complete(QUESTION), server.requests


def fails(error, kind, *replies, **how):
    with ModelServer(*replies) as server:
        with pytest.raises(error) as caught:
            model(kind, server.url, **how).complete(QUESTION)
        return caught.value, server.requests


kinds = pytest.mark.parametrize("kind", SAYS)


@kinds
def test_each_server_is_asked_in_its_own_protocol(kind):
    answer, ((path, headers, body),) = ask(kind, Reply(SAYS[kind]('["a"]')))

    assert answer == Answer('["a"]', 42)
    told = {name.lower(): value for name, value in headers.items()}
    system = {"role": "system", "content": QUESTION.instructions}
    user = {"role": "user", "content": QUESTION.text}
    if kind == "openai":
        assert (path, told["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
        assert body == {"model": "m-1", "messages": [system, user], "temperature": 0, "max_tokens": ANSWER_TOKENS}
    elif kind == "anthropic":
        assert (path, told["x-api-key"], told["anthropic-version"]) == ("/v1/messages", KEY, "2023-06-01")
        assert body == {
            "model": "claude-haiku-4-5",
            "max_tokens": ANSWER_TOKENS,
            "temperature": 0,
            "system": QUESTION.instructions,
            "messages": [user],
        }
    else:
        assert path == "/api/chat"
        assert body == {
            "model": "m-1",
            "messages": [system, user],
            "stream": False,
            "format": CONTRACT,
            "options": {"temperature": 0, "num_ctx": 9_000 + ANSWER_TOKENS, "num_predict": ANSWER_TOKENS},
        }


def test_a_local_server_is_asked_without_a_key_and_may_be_named_in_full():
    with ModelServer(Reply(openai_says([{"type": "text", "text": "[]"}]))) as server:
        asked = OpenAI(f"{server.url}/chat/completions", "m", Key(), 20.0, Patience)
        assert asked.complete(QUESTION) == Answer("[]", 42)
    (path, headers, _body) = server.requests[0]
    assert path == "/chat/completions"
    assert "authorization" not in {name.lower() for name in headers}


def test_a_line_is_asked_of_ollama_without_a_schema():
    with ModelServer(Reply(ollama_says("a line"))) as server:
        line = Question("Say it in one line.", "text", {"type": "string"})
        assert model("ollama", server.url).complete(line).text == "a line"
    assert "format" not in server.requests[0][2]


@kinds
def test_a_server_that_does_not_count_is_no_trouble(kind):
    told = SAYS[kind]("[]")
    for name in ("usage", "prompt_eval_count", "eval_count"):
        told.pop(name, None)

    assert ask(kind, Reply(told))[0] == Answer("[]", None)


@pytest.mark.req("models.retries")
@kinds
def test_retry_after_is_honoured(kind, waits):
    busy = Reply({"error": {"message": "slow down"}}, 429, {"retry-after": "7"})

    answer, requests = ask(kind, busy, Reply(SAYS[kind]("[]")))

    assert (answer.text, len(requests), waits) == ("[]", 2, [7.0])


@pytest.mark.req("models.retries")
def test_retry_after_may_be_a_date_on_the_server_s_clock(waits):
    dates = {"date": "Wed, 21 Oct 2015 07:28:00 GMT", "retry-after": "Wed, 21 Oct 2015 07:28:09 GMT"}

    ask("openai", Reply({}, 503, dates), Reply(openai_says("[]")))

    assert waits == [9.0]


@pytest.mark.req("models.retries")
@pytest.mark.parametrize("said", ["soon", "nan", "", "-3"])
def test_a_retry_after_that_cannot_be_read_is_none(said, waits):
    ask("openai", Reply({}, 429, {"retry-after": said}), Reply(openai_says("[]")))

    (waited,) = waits
    assert 0 <= waited < 5


@pytest.mark.req("models.retries")
def test_nobody_waits_for_longer_than_the_time_limit(waits):
    error, requests = fails(ModelUnavailable, "openai", Reply({}, 429, {"retry-after": "3600"}))

    assert "It asks to wait 3600 seconds." in str(error)
    assert (len(requests), waits) == (1, [])


@pytest.mark.req("models.retries")
@kinds
@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_a_server_that_fails_is_asked_four_times_in_all(kind, status, waits):
    says = Reply(SAYS[kind]("[]"))
    passing = Reply(b"<html>busy</html>", status)

    assert ask(kind, passing, passing, passing, says)[0].text == "[]"
    error, requests = fails(ModelUnavailable, kind, passing)
    assert len(requests) == http.ATTEMPTS
    assert f"answered {status}: <html>busy</html>." in str(error)


@pytest.mark.req("models.retries")
@pytest.mark.parametrize("reply", [Reply(mute=True), Reply(b'{"choices": [', declared=500)])
def test_a_connection_that_breaks_is_tried_again(reply, waits):
    answer, requests = ask("openai", reply, Reply(openai_says("[]")))

    assert (answer.text, len(requests), len(waits)) == ("[]", 2, 1)


@pytest.mark.req("models.errors")
def test_a_server_that_is_not_there_is_unavailable(waits):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ModelUnavailable, match="cannot be reached"):
            model("openai", url).complete(QUESTION)
    assert len(waits) == http.ATTEMPTS - 1


@pytest.mark.req("models.retries")
@kinds
@pytest.mark.parametrize(
    "reply",
    [
        Reply(mute=True, hangs=True),
        Reply(b'{"choices": [', declared=500, hangs=True),
        Reply(b'{"choices": [', declared=10_000_000, drips=True),
    ],
    ids=["silent", "stuck in its answer", "dripping"],
)
def test_a_server_that_hangs_is_given_up_when_the_time_is_up(kind, reply):
    error, requests = fails(ModelUnavailable, kind, reply, timeout=0.2, deadline=Deadline)

    assert "gave no answer within 0.2 seconds" in str(error)
    assert len(requests) == 1


@pytest.mark.req("models.errors")
@kinds
@pytest.mark.parametrize("body", [b'{"choices": [{"mess', b"", b"[]", b"[" * 100_000, b"\xff\xfe", b"null"])
def test_an_answer_that_is_no_json_object_cannot_be_used(kind, body):
    error, _requests = fails(ModelInvalid, kind, Reply(body))

    assert "no JSON object" in str(error)
    assert error.answer == body.decode("utf-8", "replace")


@pytest.mark.req("models.errors")
@kinds
@pytest.mark.parametrize(
    "told",
    [
        {},
        {"choices": []},
        {"choices": [{"message": None}], "content": None, "message": None},
        {"choices": [7], "content": [7], "message": 7},
        {"choices": [{"message": {"content": [7]}}], "content": [{"type": "text"}], "message": {"content": 7}},
    ],
)
def test_an_answer_of_another_protocol_cannot_be_used(kind, told):
    error, _requests = fails(ModelInvalid, kind, Reply(told))

    assert "holds no message" in str(error)


@pytest.mark.req("models.errors")
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("openai", openai_says('[{"type": ', "length")),
        ("anthropic", anthropic_says('[{"type": ', "max_tokens")),
        ("ollama", ollama_says('[{"type": ', "length")),
    ],
)
def test_an_answer_that_was_cut_off_cannot_be_used_and_is_kept(kind, told):
    error, _requests = fails(ModelInvalid, kind, Reply(told))

    assert str(error) == "The answer was cut off after 4,096 tokens."
    assert error.answer == '[{"type": '


@pytest.mark.req("models.errors")
@kinds
def test_a_huge_answer_is_not_read_to_its_end(kind):
    error, _requests = fails(ModelInvalid, kind, Reply(b"x" * (http.CAP + 100_000)))

    assert str(error) == "The answer has more than 4 MB."
    assert len(error.answer) <= 100_000


@pytest.mark.req("models.errors")
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("openai", openai_says(None, refusal="I would rather not.")),
        ("openai", openai_says("", "content_filter")),
        ("anthropic", anthropic_says("", "refusal")),
    ],
)
def test_a_model_that_will_not_answer_refuses(kind, told):
    fails(ModelRefused, kind, Reply(told))


@pytest.mark.req("models.errors", "models.keys")
@kinds
@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (401, ModelUnavailable, "Check the key"),
        (403, ModelUnavailable, "Check the key"),
        (404, ModelUnavailable, "Check the model's name"),
        (307, ModelUnavailable, "Give the address that it leads to"),
        (400, ModelRefused, "answered 400"),
        (413, ModelRefused, "answered 413"),
    ],
)
def test_what_would_not_change_is_not_tried_again_and_no_complaint_shows_the_key(kind, status, error, says, waits):
    complaint = {"error": {"message": f"You sent {KEY}\u202e and\nthat is wrong. " + "x" * 1000}}

    caught, requests = fails(error, kind, Reply(complaint, status, {"location": "http://127.0.0.1:9/"}))

    assert says in str(caught)
    assert "\n" not in str(caught)
    assert "\u202e" not in str(caught)
    assert len(str(caught)) < 500
    assert (len(requests), waits) == (1, [])
    if kind != "ollama":
        assert KEY not in str(caught)
        assert "[key]" in str(caught)


@pytest.mark.parametrize(("field", "instead"), [("temperature", None), ("max_tokens", "max_completion_tokens")])
def test_a_server_that_does_not_know_a_field_is_asked_without_it(field, instead):
    complaint = Reply({"error": {"message": f"Unsupported parameter: '{field}'."}}, 400)

    answer, requests = ask("openai", complaint, Reply(openai_says("[]")))

    before, after = (body for _path, _headers, body in requests)
    assert answer.text == "[]"
    assert field not in after
    if instead:
        assert after[instead] == before[field]


def test_a_server_that_complains_of_a_field_for_ever_is_asked_no_more():
    _error, requests = fails(ModelRefused, "openai", Reply({"error": "temperature"}, 400))

    assert len(requests) == 2


@pytest.mark.req("models.errors")
def test_an_address_that_is_none_is_unavailable(waits):
    with pytest.raises(ModelUnavailable, match="is no address of a server"):
        model("ollama", "http://127.0.0.1:abc").complete(QUESTION)


@pytest.mark.req("models.keys")
def test_a_key_is_shown_by_nothing():
    key = Key(f"{KEY}\n")

    assert (key.reveal(), bool(key), bool(Key(" "))) == (KEY, True, False)
    assert KEY not in f"{key} {key!r} {[key]}"
    assert KEY not in repr(model("openai", "http://127.0.0.1:1"))
