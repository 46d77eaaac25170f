from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.instants import DAY
from perdure.domain.memory import Kind, Memory, Scope, Statement, Type
from perdure.domain.record import NOTHING, as_dict, record, replace

pytestmark = pytest.mark.req("ledger.records")


@record
class Point:
    """A record with a default, a property and a method."""

    x: int
    y: int = 2

    @property
    def total(self) -> int:
        return self.x + self.y

    def moved(self, by: int) -> Point:
        return replace(self, x=self.x + by)


@dataclass(frozen=True, slots=True)
class Model:
    """What a record must equal."""

    x: int
    y: int = 2


@given(st.integers(), st.integers(), st.integers())
def test_a_record_is_what_a_frozen_dataclass_is(x, y, z):
    one, model = Point(x, y), Model(x, y)

    assert (one == Point(x, y), one == Point(x, z)) == (model == Model(x, y), model == Model(x, z))
    assert repr(one) == repr(model).replace("Model", "Point")
    assert len({one, Point(x, y)}) == 1
    assert (one.x, one.y, one.total, one.moved(z)) == (x, y, x + y, Point(x + z, y))
    assert copy.copy(one) == pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own bytes


def test_defaults_and_names_fill_the_fields():
    assert Point(1) == Point(x=1, y=2) == Point(1, y=2)
    assert as_dict(Point(1)) == {"x": 1, "y": 2}
    assert Statement("b", Type.SEMANTIC, DAY).attrs is NOTHING


@pytest.mark.parametrize("arguments", [((), {}), ((1, 2, 3), {}), ((1,), {"z": 1}), ((1,), {"x": 1})])
def test_missing_surplus_and_doubled_fields_are_refused(arguments):
    values, named = arguments

    with pytest.raises(TypeError, match="Point"):
        Point(*values, **named)


def test_a_record_cannot_be_changed_and_equals_no_other_kind():
    one = Point(1)

    with pytest.raises(AttributeError, match="frozen"):
        one.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del one.x
    with pytest.raises(AttributeError):
        one.z = 3  # type: ignore[attr-defined]
    assert one.__eq__(Model(1)) is NotImplemented
    assert not hasattr(one, "__dict__")


def test_a_record_can_be_matched():
    found = 0
    match Point(1, 5):
        case Point(1, y):
            found = y
    assert found == 5


def test_replacing_an_unknown_field_is_refused():
    with pytest.raises(TypeError):
        replace(Memory("m", Kind.FACT, "a", Scope.PRIVATE, "", 0), colour="red")
