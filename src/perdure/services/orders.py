"""Work orders: what a model is asked, by whom it is answered, and what becomes of the answer.

An order is queued with ``unit.orders.put(WorkOrder(kind, about, author, now, subject=...))``, by whoever knows that
there is something to ask. It is answered by a configured model (:mod:`perdure.services.asking`), or by anybody who
takes it with :func:`take` and brings the text to :func:`answer`, such as the host's own agent.

A new kind of orders takes two lines here: the import of its module, and its entry in ``STEPS``, which names two
functions of it:

    build(door, unit, order, room) -> Built | None    the variables of the prompt of the same name, and the contract;
                                                      ``room`` is how many tokens they may have; None: nothing to ask
    apply(door, unit, order, value) -> outcomes       makes the changes, all through ``write.commit_in``; raises
                                                      ``ModelInvalid`` for what a JSON Schema cannot say

and its prompt: ``models/prompts/<kind>.md``, with its variables in ``models/prompting.py``.
"""

from __future__ import annotations

import json

from perdure.domain import tokens
from perdure.domain.access import Reader
from perdure.domain.errors import Conflict, ModelInvalid, ModelRefused, NotFound
from perdure.domain.instants import MINUTE
from perdure.domain.orders import OrderState, Question, WorkOrder
from perdure.domain.record import record, replace
from perdure.safety.defang import defang
from perdure.services import answers, consolidate, extract_model, reflect, verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from perdure.domain.change import Outcome
    from perdure.domain.orders import Built, Spent
    from perdure.ports import Model, Unit
    from perdure.services.write import Door

    Build = Callable[[Door, Unit, WorkOrder, int], Built | None]
    Apply = Callable[[Door, Unit, WorkOrder, Any], Sequence[Outcome]]

MOST_ATTEMPTS = 5
MOST_REJECTED = 2
HANDED_FOR = 30 * MINUTE
KEPT_CHARACTERS = 64_000
KEPT_REASON = 600
NOTHING_LEFT = "There was nothing left to ask."
AGAIN = "again"


@record
class Step:
    """What is particular to one kind of orders."""

    build: Build
    apply: Apply


STEPS: Mapping[str, Step] = {
    extract_model.EXTRACT: Step(extract_model.build, extract_model.apply),
    consolidate.CONSOLIDATE: Step(verdict.build, verdict.apply),
    reflect.REFLECT: Step(reflect.build, reflect.apply),
}


@record
class Desk:
    """What work orders need.

    ``model`` gives the model of a role, None where none is configured, and raises ``ModelUnavailable`` where one is
    configured by half; ``render`` puts variables into a prompt. A question has at most ``question_tokens``, a day at
    most ``daily_tokens``; one question may take ``seconds``.
    """

    door: Door
    author: str
    model: Callable[[str], Model | None]
    render: Callable[[str, Mapping[str, str]], tuple[str, str]]
    question_tokens: int = 16_000
    daily_tokens: int = 300_000
    seconds: float = 120.0


@record
class Asked:
    """An order that was taken, with the question as it is to be put."""

    order: WorkOrder
    question: Question


@record
class Applied:
    """The answer was taken in, with what came of each change."""

    order: WorkOrder
    outcomes: tuple[Outcome, ...]


@record
class Rejected:
    """The answer did not meet the contract. The order is ``final``ly refused, or may be answered once more."""

    order: WorkOrder
    reason: str
    final: bool


def take(desk: Desk, worker: str, duration: int = HANDED_FOR) -> Asked | None:
    """Lease the next order for so many microseconds, and read its question; None where nothing waits.

    An order that there is nothing to ask about any more is done. One that was taken again and again and never answered
    is refused, since it may be what ends its workers.
    """
    while True:
        now = desk.door.clock.now()
        with desk.door.store.unit(Reader(desk.author), write=True) as unit:
            order = unit.orders.lease(tuple(STEPS), f"{worker}/{desk.door.ids.new()}", now, now + duration)
            if order is None:
                return None
            if order.attempts > MOST_ATTEMPTS and not order.reason:
                reason = f"It was taken {MOST_ATTEMPTS} times and never answered."
                unit.orders.release(replace(order, state=OrderState.REFUSED, lease=0, reason=reason))
                continue
        asked = question_of(desk, order)
        if asked is not None:
            return asked


def _reader(desk: Desk, order: WorkOrder) -> Reader:
    with desk.door.store.unit(Reader(desk.author)) as unit:
        return Reader(desk.author, unit.projects.of(desk.author), order.project)


def question_of(desk: Desk, order: WorkOrder) -> Asked | None:
    """The question of an order that is held; None where there is nothing to ask, and then the order is done."""
    with desk.door.store.unit(_reader(desk, order), write=True) as unit:
        try:
            built, question = _built(desk, unit, order)
        except ModelRefused as error:
            unit.orders.release(replace(order, state=OrderState.REFUSED, lease=0, reason=str(error)))
            return None
        if built is None or question is None:
            unit.orders.release(replace(order, state=OrderState.DONE, lease=0, token="", reason=NOTHING_LEFT))
            return None
        if built.cut != order.cut:
            order = replace(order, cut=built.cut)
            unit.orders.release(order)
        return Asked(order, question)


def _built(desk: Desk, unit: Unit, order: WorkOrder) -> tuple[Built | None, Question | None]:
    """What the order's kind asks, within what a question may have; the kind itself leaves out what does not fit."""
    room = desk.question_tokens
    while room > 0:
        built = STEPS[order.kind].build(desk.door, unit, order, room)
        if built is None:
            return None, None
        contract = json.dumps(built.contract, ensure_ascii=False, separators=(",", ":"))
        instructions, text = desk.render(order.kind, {**built.variables, "contract": contract})
        if order.rejected:
            text = f"{text}\n\n{desk.render(AGAIN, {'reason': order.reason})[0]}"
        over = tokens.count(instructions) + tokens.count(text) - desk.question_tokens
        if over <= 0:
            return built, Question(instructions, text, built.contract)
        room -= over
    raise ModelRefused(
        f"A question may have {desk.question_tokens:,} tokens, and this one needs more. Raise model.question_tokens."
    )


def _own(unit: Unit, order_id: int) -> WorkOrder:
    order = unit.orders.get(order_id)
    if order is None:
        raise NotFound(f"There is no work order {order_id}. See: perdure work orders")
    if order.state is OrderState.DONE:
        by = f" by {order.served}" if order.served else ""
        raise Conflict(f"Work order {order_id} was answered already{by}.")
    return order


def answer(desk: Desk, order_id: int, text: str, served: str) -> Applied | Rejected:
    """Take in an answer, whoever brings it and however late, unless the order was answered before.

    Nothing of an answer that does not meet the contract is applied. Raises ``NotFound`` and ``Conflict``.
    """
    with desk.door.store.unit(Reader(desk.author)) as unit:
        reader = _reader_in(unit, desk, order_id)
    try:
        with desk.door.store.unit(reader, write=True) as unit:
            order = _own(unit, order_id)
            done = replace(order, state=OrderState.DONE, lease=0, token="", answer="", reason="", served=served)
            built, _asked = _built(desk, unit, order)
            if built is None:
                outcomes: Sequence[Outcome] = ()
                done = replace(done, reason=NOTHING_LEFT)
            else:
                step = STEPS[order.kind]
                outcomes = step.apply(desk.door, unit, order, answers.read(text, built.contract))
            unit.orders.settle(done)
            return Applied(done, tuple(outcomes))
    except ModelInvalid as error:
        return reject(desk, order_id, text, str(error))


def _reader_in(unit: Unit, desk: Desk, order_id: int) -> Reader:
    order = _own(unit, order_id)
    return Reader(desk.author, unit.projects.of(desk.author), order.project)


def reject(desk: Desk, order_id: int, text: str, reason: str) -> Rejected:
    """Count an answer that cannot be used. After the second the order is refused, and kept with answer and reason."""
    with desk.door.store.unit(Reader(desk.author), write=True) as unit:
        order = _own(unit, order_id)
        final = order.rejected + 1 >= MOST_REJECTED
        told = replace(
            order,
            rejected=order.rejected + 1,
            answer=kept(desk, text, KEPT_CHARACTERS),
            reason=kept(desk, reason, KEPT_REASON),
        )
        if final:
            told = replace(told, state=OrderState.REFUSED, lease=0, token="")
        unit.orders.settle(told)
    return Rejected(told, told.reason, final)


def kept(desk: Desk, text: str, characters: int) -> str:
    """A text of a model or a server as it may be kept."""
    return desk.door.redactor.clean(defang(text[:characters]))


def retry(desk: Desk, order_id: int) -> WorkOrder:
    """Let a refused order be asked once more, as if it were new. Raises ``NotFound`` and ``Conflict``."""
    with desk.door.store.unit(Reader(desk.author), write=True) as unit:
        order = _own(unit, order_id)
        if order.state is not OrderState.REFUSED:
            raise Conflict(f"Work order {order_id} was not refused: it waits to be answered.")
        newest = unit.orders.newest(order.kind, order.about)
        if newest is not None and newest.id != order.id and newest.state in {OrderState.WAITING, OrderState.LEASED}:
            raise Conflict(f"Work order {newest.id} asks about the same and waits. Let it be answered first.")
        now = desk.door.clock.now()
        fresh = replace(order, state=OrderState.WAITING, due=now, lease=0, token="", attempts=0, rejected=0)
        unit.orders.settle(fresh)
    return fresh


@record
class Standing:
    """How the orders stand: how many, the latest that were answered, those that failed, and what a day cost."""

    counts: Mapping[OrderState, int]
    latest: tuple[WorkOrder, ...]
    failed: tuple[WorkOrder, ...]
    spent: tuple[Spent, ...]


def status(desk: Desk, today: str, limit: int = 10) -> Standing:
    """How the author's orders stand. Failed are those that were refused, and those that wait with a reason."""
    with desk.door.store.unit(Reader(desk.author)) as unit:
        done = unit.orders.listed([OrderState.DONE], limit)
        open_ = unit.orders.listed([OrderState.WAITING, OrderState.LEASED, OrderState.REFUSED], 10 * limit)
        failed = tuple(order for order in open_ if order.reason)[:limit]
        latest = tuple(order for order in done if order.served)
        return Standing(unit.orders.counts(), latest, failed, tuple(unit.spending.of(today)))


def find(desk: Desk, order_id: int) -> WorkOrder:
    """One order, whatever its state. Raises ``NotFound``."""
    with desk.door.store.unit(Reader(desk.author)) as unit:
        order = unit.orders.get(order_id)
    if order is None:
        raise NotFound(f"There is no work order {order_id}. See: perdure work orders")
    return order


def listed(desk: Desk, states: Sequence[OrderState], limit: int) -> Sequence[WorkOrder]:
    """Orders that stand so, latest first."""
    with desk.door.store.unit(Reader(desk.author)) as unit:
        return unit.orders.listed(states, limit)
