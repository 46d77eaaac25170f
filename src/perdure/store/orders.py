"""Work orders and what models cost, over an engine's connection. What each method promises is said in the port."""

from __future__ import annotations

import json

from perdure.domain.errors import Corrupt
from perdure.domain.orders import OrderState, Spent, WorkOrder
from perdure.domain.record import as_dict, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perdure.domain.access import Reader
    from perdure.store.rows import Params, Row
    from perdure.store.statements import Statements


def _order_of(row: Row) -> WorkOrder:
    number, kind, about, author, created, role, project, subject, state, *rest = row
    try:
        asked = json.loads(subject)
        stands = OrderState(state)
    except ValueError as error:
        raise Corrupt(f"The work order {number} is damaged ({error}). Run: perdure doctor") from error
    return WorkOrder(kind, about, author, created, role, project, asked, number, stands, *rest)


def _params(order: WorkOrder) -> Params:
    subject = json.dumps(order.subject, default=dict, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return as_dict(order) | {"subject": subject, "state": order.state.value}


def _listing(names: Sequence[str]) -> str:
    """Names as one parameter, for ``LIKE`` with the name between bars."""
    return f"|{'|'.join(names)}|"


class SqlOrders:
    """``perdure.ports.Orders``."""

    def __init__(self, run: Statements, reader: Reader) -> None:
        """Work for one reader on one connection."""
        self._run = run
        self._author = reader.author

    def _one(self, found: Sequence[Row]) -> WorkOrder | None:
        return _order_of(found[0]) if found else None

    def put(self, order: WorkOrder) -> WorkOrder:
        params = _params(order) | {"author": self._author}
        known = self.newest(order.kind, order.about)
        if known is not None and _params(known)["subject"] == params["subject"]:
            return known
        if known is not None and known.state is OrderState.LEASED:
            return known
        if known is not None and known.state is OrderState.WAITING:
            return _order_of(self._run("renew", **(params | {"id": known.id}))[0])
        return _order_of(self._run("put", **params)[0])

    def get(self, order_id: int) -> WorkOrder | None:
        return self._one(self._run("get", id=order_id, author=self._author))

    def newest(self, kind: str, about: str) -> WorkOrder | None:
        return self._one(self._run("newest", kind=kind, about=about, author=self._author))

    def lease(self, kinds: Sequence[str], token: str, now: int, until: int) -> WorkOrder | None:
        due = self._one(self._run("due", author=self._author, kinds=_listing(kinds), now=now))
        if due is None:
            return None
        held = replace(due, state=OrderState.LEASED, lease=until, token=token, attempts=due.attempts + 1)
        self.settle(held)
        return held

    def settle(self, order: WorkOrder) -> bool:
        return bool(self._run("settle", **(_params(order) | {"author": self._author})))

    def release(self, order: WorkOrder) -> bool:
        held = self._run("held", id=order.id, author=self._author, token=order.token)
        return bool(held) and self.settle(order)

    def listed(self, states: Sequence[OrderState], limit: int) -> Sequence[WorkOrder]:
        found = self._run("listed", author=self._author, states=_listing(states), limit=limit)
        return [_order_of(row) for row in found]

    def counts(self) -> Mapping[OrderState, int]:
        return {OrderState(state): count for state, count in self._run("counts", author=self._author)}


class SqlSpending:
    """``perdure.ports.Spending``."""

    def __init__(self, run: Statements, reader: Reader) -> None:
        """Work for one reader on one connection."""
        self._run = run
        self._author = reader.author

    def add(self, day: str, role: str, calls: int, tokens: int) -> None:
        self._run("spend", author=self._author, day=day, role=role, calls=calls, tokens=tokens)

    def of(self, day: str) -> Sequence[Spent]:
        return [Spent(*row) for row in self._run("spent", author=self._author, day=day)]
