"""Records and settings in the shape of the host, made up for the tests."""

from __future__ import annotations

import json
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures" / "claude"
LAUNCHER = "/home/ines/.perdure/bin/perdure-hook"
CWD = "/home/ines/work/larder"
MINUTE = 60_000_000
NINE = 1_777_885_200_000_000  # 2026-05-04T09:00:00Z


def user(content, uuid="u-1", **more):
    return {
        "parentUuid": None,
        "isSidechain": False,
        "type": "user",
        "message": {"role": "user", "content": content},
        "uuid": uuid,
        "timestamp": "2026-05-04T09:00:00.000Z",
        "cwd": CWD,
        "sessionId": "5b0c2a51",
    } | more


def assistant(*blocks, uuid="a-1", **more):
    message = {"id": "msg_1", "role": "assistant", "model": "some-model", "content": list(blocks)}
    return user("", uuid) | {"type": "assistant", "message": message} | more


def text(words):
    return {"type": "text", "text": words}


def line(record):
    return json.dumps(record).encode() + b"\n"


def write(path, *parts):
    """A transcript of records and raw bytes; gives its path as text."""
    path.write_bytes(b"".join(part if isinstance(part, bytes) else line(part) for part in parts))
    return str(path)
