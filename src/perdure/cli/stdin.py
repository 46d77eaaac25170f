"""A command's options and arguments as one JSON object on standard input: ``perdure remember --json -``."""

from __future__ import annotations

import difflib
import json
import sys
from typing import TYPE_CHECKING

import click

from perdure.domain.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn

MOST_BYTES = 1_000_000
OBJECT = "-"
_OUTPUT = "json_output"
_NAMES = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}


def read(limit: int = MOST_BYTES) -> bytes:
    """Standard input whole. Raises ``UsageError`` for more than ``limit`` bytes, of which no more is read."""
    if sys.stdin is None:  # what Python makes of one that is closed
        raise UsageError("Standard input is closed. Give the text itself, or let something be read.")
    data = sys.stdin.buffer.read(limit + 1)
    if len(data) > limit:
        raise UsageError(f"Standard input holds more than {limit:,} bytes, and no memory is that large. Split it.")
    return data


def parse(data: bytes) -> dict[str, Any]:
    """The object that the bytes are. Raises ``UsageError`` for all that is not one JSON object in sound UTF-8."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"Standard input is not UTF-8: byte {error.start} begins no character.") from None
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UsageError(f"Standard input is not a JSON object: {error.msg} at {where}.") from None
    except RecursionError:
        raise UsageError("The JSON on standard input is nested too deeply.") from None
    except ValueError:  # Python reads no whole number of more than some thousand digits
        raise UsageError("The JSON on standard input holds a number that is too large.") from None
    if not isinstance(found, dict):
        raise UsageError(f"Standard input must hold one JSON object, and holds {_name(found)}.")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UsageError(f"'{key}' stands twice in the object on standard input.")
        found[key] = value
    return found


def _no_number(name: str) -> NoReturn:
    raise UsageError(f"{name} is no number in JSON.")


def _name(value: object) -> str:
    return "null" if value is None else _NAMES[type(value)]


class ObjectCommand(click.Command):
    """A command that with ``--json -`` takes its options and arguments from an object on standard input."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, or the object that they point to."""
        opts, _rest, _order = self.make_parser(ctx).parse_args(args=list(args))
        words = [word for param in self.params if isinstance(param, click.Argument) for word in _words(opts, param)]
        if not opts.get(_OUTPUT) or words != [OBJECT]:
            return super().parse_args(ctx, args)
        beside = [arg for arg in args if arg not in {"--json", "--", OBJECT}]
        if beside:
            raise UsageError(f"With --json - all stands in the object on standard input: {beside[0]} too.")
        given = self._given(parse(read()))
        for param in sorted(self.params, key=lambda param: not param.is_eager):
            param.handle_parse_result(ctx, {_OUTPUT: True, **given}, [])
        for param in self.params:
            name = param.name or ""
            if name in ctx.params and name not in given and name != _OUTPUT and _is_unset(ctx.params[name]):
                ctx.params[name] = None
            if isinstance(param, click.Argument) and param.nargs == -1 and name in given:
                ctx.params[name] = list(given[name])  # no tuple, so that a text of "-" is no second standard input
        ctx.args = []
        return []

    def _given(self, found: dict[str, Any]) -> dict[str, Any]:
        """The values of an object by the names of the parameters they are for."""
        params = {key: param for param in self.params if (key := _key(param))}
        given: dict[str, Any] = {}
        for key, value in found.items():
            param = params.get(key.replace("_", "-"))
            if param is None or not param.name:
                raise UsageError(_unknown(key, params))
            if param.name in given:
                raise UsageError(f"'{key}' stands twice in the object on standard input.")
            if value is not None:
                given[param.name] = _value(param, key, value)
        return given


def _words(opts: dict[str, Any], param: click.Parameter) -> list[str]:
    """The words on the command line that an argument took."""
    value = opts.get(param.name or "")
    return [value] if isinstance(value, str) else list(value) if isinstance(value, tuple) else []


def _is_unset(value: object) -> bool:
    """Whether the value is click's own sign for nothing, which it takes away by itself only where it parses."""
    return type(value).__name__ == "Sentinel"


def _key(param: click.Parameter) -> str:
    """A parameter's key in the object: an option's long name, or the name that an argument has in the help."""
    if param.name == _OUTPUT:
        return ""
    if isinstance(param, click.Argument):
        return (param.metavar or param.name or "").strip("[].").lower()
    return next((name for name in param.opts if name.startswith("--")), "").removeprefix("--")


def _unknown(key: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(key.replace("_", "-").lower(), names, n=1)
    hint = f"Did you mean '{close[0]}'?" if close else f"There are: {', '.join(names)}."
    return f"'{key}' is no option of this command. {hint}"


def _value(param: click.Parameter, key: str, value: object) -> object:
    """A value as the parser would give it to a parameter. Raises ``UsageError`` where it is of another type."""
    if isinstance(param, click.Option) and param.multiple:
        if not isinstance(value, str | list):
            raise _mistyped(key, "a text or a list of texts", value)
        return tuple(_text(key, each) for each in ([value] if isinstance(value, str) else value))
    if isinstance(param, click.Option) and param.is_flag:
        if not isinstance(value, bool):
            raise _mistyped(key, "true or false", value)
        return value
    if isinstance(param.type, click.types.FloatParamType | click.types.IntParamType):
        return _number(key, value, whole=isinstance(param.type, click.types.IntParamType))
    text = _text(key, value)
    return (text,) if param.nargs == -1 else text


def _number(key: str, value: object, *, whole: bool) -> float:
    wanted = "a whole number" if whole else "a number"
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise _mistyped(key, wanted, value)
    try:
        return value if whole else float(value)
    except OverflowError:
        raise UsageError(f"'{key}' is too large a number.") from None


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise _mistyped(key, "a text", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"'{key}' holds half a character: a surrogate without its other half.") from None
    return value


def _mistyped(key: str, wanted: str, value: object) -> UsageError:
    return UsageError(f"'{key}' must be {wanted}, and is {_name(value)}.")
