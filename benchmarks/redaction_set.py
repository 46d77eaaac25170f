"""The labelled set: kinds of secrets x transcript contexts, and texts that only look like secrets.

Half of the contexts name no credential at all ("here you go", a bare line of output), so that a secret with
a form must be known by it. Everything is drawn from one seed and assembled at run time.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.redaction_kinds import CARRIERS, FORMATS, Secret, b64, fill, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random


@dataclass(frozen=True, slots=True)
class Sample:
    """One text with the pieces that must be gone; without pieces it must come back unchanged."""

    kind: str
    context: str
    text: str
    pieces: tuple[str, ...] = ()


def _body(rng: Random, lines: int) -> list[str]:
    return [*(run(rng, "b64", 64) for _ in range(lines)), run(rng, "b64", 22) + "=="]


def _armour(name: str, body: list[str]) -> list[str]:
    return [f"-----BEGIN {name}-----", *body, f"-----END {name}-----"]


def _block(lines: list[str], body: list[str]) -> Secret:
    return Secret("\n".join(lines), tuple(body))


def _pem(name: str, form: str = "") -> Callable[[Random], Secret]:
    def make(rng: Random) -> Secret:
        body = _body(rng, 10)
        lines = _armour(name, body)
        if form == "no end":
            lines = lines[:-1]
        elif form == "tail":
            lines = lines[1:]
        elif form == "indented":
            lines = ["key: |", *("    " + line for line in lines)]
        elif form == "numbered":
            lines = [f"{number:6}\t{line}" for number, line in enumerate(lines, 1)]
        elif form == "arrowed":
            lines = [f"{number:>5}→{line}" for number, line in enumerate(lines, 1)]
        elif form == "escaped":
            lines = ['"private_key": "' + "\\n".join(lines) + '\\n",']
        elif form == "twice escaped":
            lines = ['{\\"private_key\\": \\"' + "\\\\n".join(lines) + '\\"}']
        elif form == "diff":
            lines = ["+" + line for line in lines]
        elif form == "env":
            lines = ['export TLS_KEY="' + lines[0], *lines[1:-1], lines[-1] + '"']
        elif form == "encrypted":
            lines[1:1] = ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,0A1B2C3D4E5F60718293A4B5C6D7E8F9", ""]
        return _block(lines, body)

    return make


def _putty(rng: Random) -> Secret:
    body = _body(rng, 6)
    head = ["PuTTY-User-Key-File-3: ssh-rsa", "Encryption: none", "Comment: me", f"Private-Lines: {len(body)}"]
    return _block([*head, *body, "Private-MAC: " + run(rng, "hex", 64)], body)


def _jwk(rng: Random) -> Secret:
    private = run(rng, "w", 43)
    key = {"kty": "EC", "crv": "P-256", "x": run(rng, "w", 43), "y": run(rng, "w", 43), "d": private}
    return Secret(json.dumps(key), (private,))


def _heredoc(rng: Random) -> Secret:
    value = run(rng, "an", 40)
    return Secret(f"export SIGNING_KEY=$(cat <<'EOF'\n{value}\nEOF\n)", (value,))


def _continued(rng: Random) -> Secret:
    first, second = run(rng, "an", 30), run(rng, "an", 30)
    return Secret(f"export SERVICE_TOKEN={first}\\\n{second}\nmake deploy", (first, second))


def _quoted_lines(rng: Random) -> Secret:
    lines = [run(rng, "an", 32) for _ in range(3)]
    return Secret('export APP_SECRET="' + "\n".join(lines) + '"', tuple(lines))


BLOCKS: dict[str, Callable[[Random], Secret]] = {
    "pem-rsa": _pem("RSA PRIVATE KEY"),
    "pem-openssh": _pem("OPENSSH PRIVATE KEY"),
    "pem-encrypted": _pem("RSA PRIVATE KEY", "encrypted"),
    "pem-no-end": _pem("EC PRIVATE KEY", "no end"),
    "pem-no-begin": _pem("RSA PRIVATE KEY", "tail"),
    "pem-indented": _pem("PRIVATE KEY", "indented"),
    "pem-numbered": _pem("PRIVATE KEY", "numbered"),
    "pem-arrowed": _pem("RSA PRIVATE KEY", "arrowed"),
    "pem-escaped": _pem("PRIVATE KEY", "escaped"),
    "pem-twice-escaped": _pem("PRIVATE KEY", "twice escaped"),
    "pem-diff": _pem("RSA PRIVATE KEY", "diff"),
    "pem-env": _pem("PRIVATE KEY", "env"),
    "pgp": _pem("PGP PRIVATE KEY BLOCK"),
    "putty": _putty,
    "jwk": _jwk,
    "heredoc": _heredoc,
    "continued-line": _continued,
    "quoted-lines": _quoted_lines,
}

_LOG = "2025-03-11T09:14:07.113Z"
# Each puts a text into its surroundings; {} is the text. The first half says nothing of what it is.
QUIET = (
    "{}",
    "here you go:\n{}\nlet me know when it is done",
    "Found this in the old notes:\n\n{}\n\nIs it still needed?",
    "$ cat notes.txt\n{}\n$ ",
    "```\n{}\n```",
    "> {}",
    "1. {}\n2. restart the worker",
    "from the wiki page:\n{}\n(last edited in May)",
    "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n{}\n context",
    f"{_LOG} INFO worker: {{}}",
    "Aquí está: {}",
    "Bitte so eintragen:\n{}",
    "用这个\uff1a\n{}",
    "\t{}\n\tthen go on",
    "it printed\n{}\nand stopped",
)
NAMING = (
    "My credentials for staging:\n{}",
    "The secret below leaked, rotate it:\n{}",
    "# secrets.env\n{}",
    "This is the production access, keep it private:\n{}",
    "token to use:\n{}",
    "$ printenv\n{}\nHOME=/root",
    "I set the key as follows:\n{}",
    "login details\n{}\n-- end",
    "config with the password in it:\n\n{}",
    "Error: authentication failed while running\n{}\n  at connect (net.js:12)",
)
JSON_FORMS = ("json", "json-nested", "json-tool", "python-repr", "crlf")


def _wrap(form: str, text: str) -> str:
    """The text inside a form of records."""
    if form == "json":
        return json.dumps({"role": "user", "content": text}, ensure_ascii=False)
    if form == "json-nested":
        inner = json.dumps({"output": text}, ensure_ascii=False)
        return json.dumps({"type": "tool_result", "content": inner}, ensure_ascii=False)
    if form == "json-tool":
        return json.dumps({"name": "Bash", "input": {"command": text}, "id": "toolu_01"}, ensure_ascii=False)
    if form == "python-repr":
        return repr({"stdout": text, "code": 0})
    return text.replace("\n", "\r\n")


def _placed(template: str, text: str) -> str:
    return template.replace("{}", text)


def contexts() -> dict[str, Callable[[str], str]]:
    """The thirty transcript contexts by name."""
    plain = {f"{'quiet' if t in QUIET else 'naming'}: {t[:28]!r}": t for t in (*QUIET, *NAMING)}
    forms: dict[str, Callable[[str], str]] = {name: partial(_placed, template) for name, template in plain.items()}
    return forms | {name: partial(_wrap, name) for name in JSON_FORMS}


_MARK = re.compile("«(.*?)»", re.DOTALL)
_B64 = re.compile(r"@b64\((.*?)\)")


def carrier(rng: Random, template: str) -> Secret:
    """A filled carrier, its marked parts taken as the secret ones."""
    text = _B64.sub(lambda match: b64(match[1]), fill(rng, template))
    return Secret(_MARK.sub(lambda match: match[1], text), tuple(_MARK.findall(text)))


def _whole(template: str, rng: Random) -> Secret:
    text = fill(rng, template)
    return Secret(text, (text.removeprefix("AccountKey=").removeprefix("https://"),))


def _carried(templates: tuple[str, ...], rng: Random) -> Secret:
    return carrier(rng, rng.choice(templates))


def kinds() -> dict[str, Callable[[Random], Secret]]:
    """Every kind of secret with what makes one."""
    made: dict[str, Callable[[Random], Secret]] = {
        name: partial(_whole, template) for name, template in FORMATS.items()
    }
    return made | {name: partial(_carried, templates) for name, templates in CARRIERS.items()} | BLOCKS


_SHORT = 24
_PIECE = 12


def pieces(parts: tuple[str, ...]) -> tuple[str, ...]:
    """What must not be found afterwards: short parts whole, long ones in every stretch of twelve."""
    found: list[str] = []
    for part in parts:
        if len(part) < _SHORT:
            found.append(part)
        else:
            found += [part[at : at + _PIECE] for at in range(0, len(part) - _PIECE + 1, _PIECE)] + [part[-_PIECE:]]
    return tuple(dict.fromkeys(found))


def secrets(seed: int, rounds: int = 1) -> Iterator[Sample]:
    """Every kind in every context, ``rounds`` times over."""
    rng = random.Random(seed)  # noqa: S311 - the set must come out the same
    for _ in range(rounds):
        for kind, make in kinds().items():
            for context, place in contexts().items():
                secret = make(rng)
                fixed = ("slack-webhook", "discord-webhook")
                parts = secret.parts
                if kind in fixed:
                    parts = (parts[0].rpartition("/")[2],)
                elif kind in FORMATS and len(parts[0]) >= _SHORT:
                    parts = (parts[0][8:],)
                yield Sample(kind, context, place(secret.text), pieces(parts))
