"""Frozen records: what frozen, slotted dataclasses are, at a tenth of the cost of defining one.

A hook has a budget of a few interpreter starts. Importing ``dataclasses`` costs one and a half, and each class defined
with it a tenth more, since its methods are compiled anew in every process. A type checker sees dataclasses here.
"""

from __future__ import annotations

from operator import attrgetter
from types import MappingProxyType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn, TypeVar, dataclass_transform

    from perdure.domain.json import Json

    T = TypeVar("T")
else:

    def dataclass_transform(**_options: Any) -> Any:  # noqa: ANN401 - the type checker sees typing's
        """Stand in for ``typing.dataclass_transform``, whose module is too slow for a hook."""
        return lambda decorator: decorator


NOTHING: Mapping[str, Json] = MappingProxyType({})
"""No attributes: the default of a field that maps names to values."""


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make a class of annotated fields a frozen record with slots, equality, hash and repr."""
    names = tuple(cls.__annotations__)
    space = {name: value for name, value in vars(cls).items() if name not in {"__dict__", "__weakref__"}}
    defaults = {name: space.pop(name) for name in names if name in space}
    space |= {"__slots__": names, "__match_args__": names, "_defaults": defaults}
    methods = {
        "__init__": _init,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": _eq,
        "__hash__": _hash,
        "__repr__": _repr,
        "__reduce__": _reduce,
    }
    return type(cls.__name__, cls.__bases__, methods | space)


def _init(self: Any, *values: Any, **named: Any) -> None:  # noqa: ANN401 - the fields have the types
    kind = type(self)
    names = self.__slots__
    if len(values) > len(names):
        raise TypeError(f"{kind.__name__} has {len(names)} fields, {len(values)} were given")
    put = object.__setattr__
    for name, value in zip(names, values, strict=False):
        put(self, name, value)
    defaults = self._defaults
    for name in names[len(values) :]:
        if name in named:
            put(self, name, named.pop(name))
        elif name in defaults:
            put(self, name, defaults[name])
        else:
            raise TypeError(f"{kind.__name__} needs {name}")
    if named:
        raise TypeError(f"{kind.__name__} has no field {', '.join(named)}, or it was given twice")
    _made[kind] = _made.get(kind, 0) + 1
    if _made[kind] == _MANY:
        kind.__init__ = _compiled(kind)


_MANY = 100
_made: dict[type, int] = {}


def _compiled(kind: Any) -> Any:  # noqa: ANN401
    """An ``__init__`` for one class alone: worth its making, of 0.2 ms, where a process makes many records."""
    names = kind.__slots__
    fields = ", ".join(f"{name}=_defaults[{name!r}]" if name in kind._defaults else name for name in names)  # noqa: SLF001
    body = "".join(f"\n put_{name}(self, {name})" for name in names)
    space: dict[str, Any] = {f"put_{name}": getattr(kind, name).__set__ for name in names}
    space["_defaults"] = kind._defaults  # noqa: SLF001
    exec(f"def {kind.__name__}(self, {fields}): {body}", space)  # noqa: S102 - nothing in it but the names of fields
    return space[kind.__name__]


def values_of(item: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """The values of a record's fields in order."""
    kind = type(item)
    if kind not in _getters:
        # attrgetter gives a tuple for two names or more
        _getters[kind] = attrgetter(*item.__slots__) if len(item.__slots__) > 1 else _one_by_one
    found: tuple[Any, ...] = _getters[kind](item)
    return found


def _one_by_one(item: Any) -> tuple[Any, ...]:  # noqa: ANN401
    return tuple(getattr(item, name) for name in item.__slots__)


_getters: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def _refuse(self: Any, name: str, *_value: Any) -> NoReturn:  # noqa: ANN401
    raise AttributeError(f"{type(self).__name__}.{name} cannot be changed: the record is frozen")


def _eq(self: Any, other: object) -> bool:  # noqa: ANN401
    return values_of(self) == values_of(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:  # noqa: ANN401
    return hash(values_of(self))


def _repr(self: Any) -> str:  # noqa: ANN401
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__name__}({shown})"


def _reduce(self: Any) -> tuple[Any, ...]:  # noqa: ANN401
    return (type(self), values_of(self))


def replace(item: T, **changes: Any) -> T:  # noqa: ANN401
    """A record like ``item`` with some fields changed."""
    kind = type(item)
    made = object.__new__(kind)
    put = object.__setattr__
    for name in item.__slots__:  # type: ignore[attr-defined]
        put(made, name, changes.pop(name) if name in changes else getattr(item, name))
    if changes:
        raise TypeError(f"{kind.__name__} has no field {', '.join(changes)}")
    return made


def as_dict(item: Any) -> dict[str, Any]:  # noqa: ANN401
    """The fields of a record by name."""
    return dict(zip(item.__slots__, values_of(item), strict=True))
