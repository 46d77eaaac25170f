"""The catalogue of named SQL statements, shared by the engines.

A file holds statements under ``-- name: <name>`` lines, with ``:name`` placeholders. A file of the same name in the
engine's own folder replaces single statements where the dialects must differ.
"""

from __future__ import annotations

import os
import re

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_TOKEN = re.compile(r"'(?:[^']|'')*'|--[^\n]*|::\w+|:([a-z_]\w*)|%")
SQL = os.path.join(os.path.dirname(__file__), "sql")


def parse(text: str) -> dict[str, str]:
    """The statements of one catalogue file by name; a name given twice raises ``ValueError``."""
    _head, *rest = _NAME.split(text)
    found: dict[str, str] = {}
    for name, body in zip(rest[::2], rest[1::2], strict=True):
        if name in found:
            message = f"the statement '{name}' stands twice in one file"
            raise ValueError(message)
        found[name] = body.strip().removesuffix(";")
    return found


def _file(*parts: str) -> str:
    path = os.path.join(SQL, *parts)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def load(area: str, dialect: str) -> dict[str, str]:
    """The statements of one area for an engine: the shared ones, and over them the engine's own."""
    return parse(_file("queries", f"{area}.sql")) | parse(_file(dialect, f"{area}.sql"))


def migrations(dialect: str) -> list[tuple[int, str, str]]:
    """Migrations in order as ``(number, name, sql)``: for each number the shared file, then the engine's own."""
    found: dict[str, str] = {}
    for folder in ("migrations", dialect):
        for name in sorted(os.listdir(os.path.join(SQL, folder))):
            if re.match(r"\d{4}_", name):
                found[f"{name[:4]}/{folder != 'migrations'}/{name}"] = _file(folder, name)
    return [(int(key[:4]), key.rpartition("/")[2].removesuffix(".sql"), sql) for key, sql in sorted(found.items())]


def translate(sql: str) -> str:
    """Placeholders of psycopg for those of the catalogue: ``:name`` becomes ``%(name)s`` and a bare ``%`` doubles.

    String literals, comments and ``::`` casts keep their colons.
    """

    def put(match: re.Match[str]) -> str:
        if match[1]:
            return f"%({match[1]})s"
        return match[0].replace("%", "%%")

    return _TOKEN.sub(put, sql)
