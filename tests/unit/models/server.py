"""A real server on this machine that answers as it is told, and the three protocols that models speak."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Reply:
    """One answer. ``declared`` bytes are promised; what comes after ``body`` is silence, or drops if it ``drips``."""

    body: object = b""
    status: int = 200
    headers: dict = field(default_factory=dict)
    declared: int | None = None
    hangs: bool = False
    mute: bool = False
    drips: bool = False

    @property
    def data(self):
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: ModelServer

    def log_message(self, *arguments):
        """Say nothing."""

    def do_POST(self):
        fake = self.fake
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        fake.requests.append((self.path, dict(self.headers.items()), body))
        reply = fake.replies.pop(0) if len(fake.replies) > 1 else fake.replies[0]
        self.close_connection = True
        with suppress(OSError):
            self._send(reply)
            if reply.hangs:
                fake.closing.wait(10)
            while reply.drips and not fake.closing.wait(0.01):
                self.wfile.write(b" ")

    def _send(self, reply):
        if reply.mute:
            return
        self.send_response(reply.status)
        self.send_header("content-length", str(len(reply.data) if reply.declared is None else reply.declared))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.data)
        self.wfile.flush()

    def send_response(self, code, message=None):
        self.send_response_only(code, message)  # no date but what a reply names


class ModelServer:
    """Answers with the replies in turn, the last one again and again, and remembers what it was asked."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Handler,), {"fake": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def openai_says(text, finish="stop", **message):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    return {"choices": [choice], "usage": {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42}}


def anthropic_says(text, stop="end_turn"):
    usage = {"input_tokens": 30, "output_tokens": 12}
    return {"content": [{"type": "text", "text": text}], "stop_reason": stop, "usage": usage}


def ollama_says(text, done="stop"):
    message = {"role": "assistant", "content": text}
    return {"message": message, "done": True, "done_reason": done, "prompt_eval_count": 30, "eval_count": 12}
