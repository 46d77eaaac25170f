"""Work orders and what models cost, in the in-memory store."""

from __future__ import annotations

from collections import Counter

from perdure.domain.orders import OrderState, Spent, WorkOrder
from perdure.domain.record import replace
from perdure.testing.memory_rows import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from perdure.domain.access import Reader
    from perdure.testing.memory_rows import Rows

UNFINISHED = (OrderState.WAITING, OrderState.LEASED)


class MemoryOrders:
    """``perdure.ports.Orders``."""

    def __init__(self, rows: Rows, reader: Reader) -> None:
        """See the rows as a reader."""
        self._rows = rows
        self._author = reader.author

    def _own(self) -> Iterable[WorkOrder]:
        return [order for order in self._rows.orders.values() if order.author == self._author]

    def put(self, order: WorkOrder) -> WorkOrder:
        refuse(when=not self._author, because="an order has an author")
        known = self.newest(order.kind, order.about)
        if known is not None and (known.subject == order.subject or known.state is OrderState.LEASED):
            return known
        if known is not None and known.state is OrderState.WAITING:
            kept = replace(known, subject=dict(order.subject), role=order.role, project=order.project, due=order.due)
        else:
            fresh = WorkOrder(order.kind, order.about, self._author, order.created, order.role, order.project)
            kept = replace(fresh, subject=dict(order.subject), id=len(self._rows.orders) + 1, due=order.due)
        self._rows.orders[kept.id] = kept
        return kept

    def get(self, order_id: int) -> WorkOrder | None:
        found = self._rows.orders.get(order_id)
        return found if found and found.author == self._author else None

    def newest(self, kind: str, about: str) -> WorkOrder | None:
        found = [order for order in self._own() if (order.kind, order.about) == (kind, about)]
        return max(found, key=lambda order: order.id, default=None)

    def lease(self, kinds: Sequence[str], token: str, now: int, until: int) -> WorkOrder | None:
        free = [
            order
            for order in self._own()
            if order.kind in kinds and order.state in UNFINISHED and order.due <= now and order.lease <= now
        ]
        if not free:
            return None
        oldest = min(free, key=lambda order: (order.due, order.id))
        held = replace(oldest, state=OrderState.LEASED, lease=until, token=token, attempts=oldest.attempts + 1)
        self._rows.orders[held.id] = held
        return held

    def settle(self, order: WorkOrder) -> bool:
        known = self.get(order.id)
        if known is None or known.state is OrderState.DONE:
            return False
        kept = ("kind", "about", "author", "created", "role", "project", "subject")
        self._rows.orders[order.id] = replace(order, **{name: getattr(known, name) for name in kept})
        return True

    def release(self, order: WorkOrder) -> bool:
        known = self.get(order.id)
        held = known is not None and known.state is OrderState.LEASED and known.token == order.token
        return held and self.settle(order)

    def listed(self, states: Sequence[OrderState], limit: int) -> Sequence[WorkOrder]:
        found = [order for order in self._own() if order.state in states]
        return sorted(found, key=lambda order: -order.id)[:limit]

    def counts(self) -> Mapping[OrderState, int]:
        return dict(Counter(order.state for order in self._own()))


class MemorySpending:
    """``perdure.ports.Spending``."""

    def __init__(self, rows: Rows, reader: Reader) -> None:
        """See the rows as a reader."""
        self._rows = rows
        self._author = reader.author

    def add(self, day: str, role: str, calls: int, tokens: int) -> None:
        key = (self._author, day, role)
        known = self._rows.spent.get(key, Spent(role, 0, 0))
        self._rows.spent[key] = Spent(role, known.calls + calls, known.tokens + tokens)

    def of(self, day: str) -> Sequence[Spent]:
        mine = [spent for (author, on, _role), spent in self._rows.spent.items() if (author, on) == (self._author, day)]
        return sorted(mine, key=lambda spent: spent.role)
