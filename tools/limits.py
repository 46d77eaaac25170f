"""Hold the sizes and the borders of the package: ``python -m tools.limits FOLDER...``.

A file has at most 400 lines and a function at most 60, so that each can be read at one sitting.
Errors of every kind are caught at four borders alone, one handler each; elsewhere a handler names
what it expects, or is an ``except BaseException`` that cleans up and ends by raising again.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60

# Paths inside the package; each is where a fault must not reach the one who called.
BORDERS = {
    "perdure/hook.py": "a host's session goes on whatever happens here",
    "perdure/services/work.py": "a job that fails is put aside, and the next one is taken",
    "perdure/mcp/tools.py": "a tool that fails answers with an error; the server lives on",
    "perdure/web/errors.py": "a request that fails is answered with a page; the server lives on",
}

BROAD = frozenset({"Exception", "BaseException"})


def _name(node: ast.expr | None) -> str:
    """The last part of a name or attribute, else nothing."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_broad(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Tuple):
        return any(_name(part) in BROAD for part in node.elts)
    return node is None or _name(node) in BROAD


def _cleans_up(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return _name(handler.type) == "BaseException" and isinstance(last, ast.Raise) and last.exc is None


def broad_handlers(tree: ast.Module) -> list[int]:
    """The lines, in order, where ``tree`` catches or suppresses errors of every kind."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            if _is_broad(node.type) and not _cleans_up(node):
                lines.append(node.lineno)
        elif isinstance(node, ast.Call) and _name(node.func) == "suppress" and any(map(_is_broad, node.args)):
            lines.append(node.lineno)
    return sorted(lines)


def long_functions(tree: ast.Module) -> list[str]:
    """A sentence for each function of ``tree`` that is too long, from ``def`` to its last line."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                found.append(f"{node.lineno}: {node.name} has {length} lines, over {MAX_FUNCTION_LINES}")
    return found


def problems(root: Path) -> list[str]:
    """A sentence, with path and line, for each limit or border that a file under ``root`` breaks."""
    found = []
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.sql")]):
        place = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        length = len(text.splitlines())
        if length > MAX_FILE_LINES:
            found.append(f"{place}:1: has {length} lines, over {MAX_FILE_LINES}")
        if path.suffix == ".py":
            tree = ast.parse(text, filename=place)
            found += [f"{place}:{sentence}" for sentence in long_functions(tree)]
            broad = broad_handlers(tree)
            allowed = 1 if place in BORDERS else 0
            found += [f"{place}:{line}: catches every error, away from the borders" for line in broad[allowed:]]
    return found


def main(arguments: list[str]) -> int:
    """Print every problem under the folders named; 1 when there is one."""
    found = [sentence for folder in arguments for sentence in problems(Path(folder))]
    for sentence in found:
        print(sentence)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
