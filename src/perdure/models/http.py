"""Ask a model's server over HTTP: one question, several attempts, one time limit for all of it.

Attempts are repeated where the server says that it will do better later: 408, 429, every 5xx, and where the connection
fails. ``Retry-After`` is honoured where it ends within the time limit; else it is told and nobody waits.
"""

from __future__ import annotations

import json
import logging
import math
import socket
import threading
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from perdure.domain.errors import ModelInvalid, ModelRefused, ModelUnavailable
from perdure.safety.defang import defang

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import httpx2

    from perdure.models.key import Key
    from perdure.ports import Deadline

CAP = 4 << 20
"""Bytes of an answer at most. What is asked for has a few thousand tokens."""
ATTEMPTS = 4
CONNECT = 10.0
COMPLAINT = 300
_REDIRECTED, _REQUEST_TIMEOUT, _TOO_MANY, _SERVER = 300, 408, 429, 500
_KEY_REFUSED, _NOT_THERE = (401, 403), 404


class _Passing(ModelUnavailable):
    """What may pass: ``wait`` is how many seconds the server asked for, None where it did not say."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class Server:
    """One address that questions are posted to. ``deadline`` starts a time limit of so many seconds."""

    def __init__(self, url: str, headers: Mapping[str, str], key: Key, timeout: float, deadline: Deadlines) -> None:
        """Name the address, what goes with every question, and how long one may take in all."""
        self.url = url
        self._headers = {**headers, "content-type": "application/json", "user-agent": "perdure"}
        self._key = key
        self._timeout = timeout
        self._deadline = deadline

    def post(self, body: dict[str, Any], substitutes: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The JSON object that the server answers with.

        Where the server complains of a field that ``substitutes`` names, the field goes, or takes its substitute's
        name: servers that call themselves alike differ in these. Raises as ``Model.complete`` does.
        """
        import httpx2
        import stamina

        # Without a handler, logging would tell of every retry on stderr.
        logging.getLogger("stamina").addHandler(logging.NullHandler())
        left = dict(substitutes or {})
        limit = self._deadline(self._timeout)

        def may_pass(error: Exception) -> bool | float:
            if not isinstance(error, _Passing) or limit.expired():
                return False
            return True if error.wait is None else error.wait < limit.left() and error.wait

        # A server may close a connection while we wait: each attempt has its own.
        with httpx2.Client(limits=httpx2.Limits(max_keepalive_connections=0)) as client:
            while True:
                try:
                    for attempt in stamina.retry_context(may_pass, attempts=ATTEMPTS, timeout=self._timeout):
                        with attempt:
                            return self._once(client, body, limit)
                except ModelRefused as error:
                    field = next((name for name in left if name in body and name in str(error)), None)
                    if field is None:
                        raise
                    value, name = body.pop(field), left.pop(field)
                    if name:
                        body[name] = value

    def _once(self, client: httpx2.Client, body: Mapping[str, Any], limit: Deadline) -> dict[str, Any]:
        import httpx2

        seconds = max(0.001, limit.left())
        timeout = httpx2.Timeout(seconds, connect=min(CONNECT, seconds))
        asked = json.dumps(body)
        try:
            with (
                client.stream("POST", self.url, headers=self._headers, content=asked, timeout=timeout) as response,
                _cut_off(response, limit),
            ):
                text = _read(response, limit)
        except httpx2.TimeoutException as error:
            raise self._late() from error
        except httpx2.InvalidURL as error:
            raise ModelUnavailable(f"{self.url} is no address of a server.") from error
        except httpx2.RequestError as error:
            if limit.expired():
                raise self._late() from error
            raise _Passing(f"{self._name()} cannot be reached ({type(error).__name__}).") from error
        if limit.expired():
            raise self._late()
        return self._judge(response, text)

    def _name(self) -> str:
        return f"The model's server at {self.url}"

    def _late(self) -> ModelUnavailable:
        return ModelUnavailable(f"{self._name()} gave no answer within {self._timeout:g} seconds.")

    def _judge(self, response: httpx2.Response, text: str) -> dict[str, Any]:
        status = response.status_code
        says = f"{self._name()} answered {status}"
        if status >= _REDIRECTED:
            says = f"{says}: {self._complaint(text)}"
            if status in {_REQUEST_TIMEOUT, _TOO_MANY} or status >= _SERVER:
                wait = _retry_after(response.headers.get("retry-after", ""), response.headers.get("date", ""))
                asked = "" if wait is None else f" It asks to wait {wait:g} seconds."
                raise _Passing(says + asked, wait)
            if status in _KEY_REFUSED:
                raise ModelUnavailable(f"{says} Check the key, and which variable it is in.")
            if status == _NOT_THERE:
                raise ModelUnavailable(f"{says} Check the model's name and the address.")
            if status < 400:  # noqa: PLR2004 - a redirection: a key is not carried to another place
                raise ModelUnavailable(f"{says} Give the address that it leads to.")
            raise ModelRefused(says)
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            raise ModelInvalid(f"{says} with what is no JSON object.", text)
        return told

    def _complaint(self, text: str) -> str:
        """What the server says is wrong, on one line and without our key."""
        with suppress(ValueError, RecursionError):
            told = json.loads(text)
            error = told.get("error", told) if isinstance(told, dict) else told
            text = str(error.get("message", error)) if isinstance(error, dict) else str(error)
        words = " ".join(defang(self._key.hidden_in(text)).split()).rstrip(".")
        return f"{words[:COMPLAINT] or 'nothing more'}."


if TYPE_CHECKING:
    Deadlines = Callable[[float], Deadline]


def _read(response: httpx2.Response, limit: Deadline) -> str:
    """The body as far as it may go."""
    data = bytearray()
    for chunk in response.iter_bytes():
        data += chunk
        if len(data) > CAP:
            raise ModelInvalid(f"The answer has more than {CAP >> 20} MB.", data[: CAP >> 6].decode("utf-8", "replace"))
        if limit.expired():
            break
    return data.decode("utf-8", "replace")


@contextmanager
def _cut_off(response: httpx2.Response, limit: Deadline) -> Iterator[None]:
    """End the reading of a body when the time is up: the client's own limit begins anew with every piece."""
    line = response.extensions["network_stream"].get_extra_info("socket")

    def hang_up() -> None:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(limit.left(), hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _retry_after(text: str, date: str) -> float | None:
    """Seconds to wait, from a number or from a date, which is compared with the server's own clock."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(text) - parsedate_to_datetime(date)).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
