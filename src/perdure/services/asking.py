"""Have the configured model answer the work orders that wait, within the day's budget."""

from __future__ import annotations

from dataclasses import dataclass, field

from perdure.domain import tokens
from perdure.domain.access import Reader
from perdure.domain.errors import ModelInvalid, ModelRefused, ModelUnavailable
from perdure.domain.instants import MINUTE, SECOND, day
from perdure.domain.orders import ANSWER_TOKENS, DEFAULT, OrderState, WorkOrder
from perdure.domain.record import replace
from perdure.services import extract_model
from perdure.services.orders import KEPT_REASON, Applied, Asked, Desk, Rejected, answer, kept, question_of, reject, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.domain.orders import Answer

ORDERS_A_ROUND = 20
RETRY_AFTER = 2 * MINUTE
MOST_DOUBLINGS = 8


@dataclass(slots=True)
class Report:
    """What a round asked, and why it ended where something was left."""

    asked: int = 0
    applied: list[Applied] = field(default_factory=list)
    refused: list[WorkOrder] = field(default_factory=list)
    stopped: str = ""

    def add(self, other: Report) -> None:
        """Add what another round did."""
        self.asked += other.asked
        self.applied += other.applied
        self.refused += other.refused
        self.stopped = other.stopped or self.stopped


def work_off(desk: Desk, worker: str, limit: int = ORDERS_A_ROUND) -> Report:
    """Let the configured model answer what waits, until nothing does, the budget ends or the model is away."""
    report = Report()
    try:
        if desk.model(DEFAULT) is None:
            report.stopped = "No model is configured."
            return report
        while report.asked < limit and not report.stopped:
            asked = take(desk, worker, _lease_of(desk))
            if asked is None:
                break
            report.asked += 1
            _ask(desk, asked, report)
    except ModelUnavailable as error:
        report.stopped = str(error)
    return report


def _lease_of(desk: Desk) -> int:
    """Long enough to ask twice; a worker that was killed holds an order no longer than that."""
    return int(2 * desk.seconds * SECOND) + 2 * MINUTE


def _ask(desk: Desk, asked: Asked, report: Report) -> None:
    """Ask one order, and once more where the answer cannot be used."""
    order: WorkOrder | None = asked.order
    question = asked.question
    while order is not None:
        model = desk.model(order.role)
        estimate = tokens.count(question.instructions) + tokens.count(question.text)
        if model is None or not _affordable(desk, order, estimate, report):
            _give_back(desk, replace(order, attempts=order.attempts - 1))
            return
        try:
            said = model.complete(question)
        except ModelUnavailable as error:
            report.stopped = kept(desk, str(error), KEPT_REASON)
            later = desk.door.clock.now() + (RETRY_AFTER << min(order.attempts - 1, MOST_DOUBLINGS))
            _give_back(desk, replace(order, due=later, reason=order.reason if order.rejected else report.stopped))
            return
        except ModelRefused as error:
            report.refused.append(_refuse(desk, order, str(error)))
            return
        except ModelInvalid as error:
            came: Applied | Rejected = reject(desk, order.id, error.answer, str(error))
        else:
            _correct(desk, order, estimate, said)
            came = answer(desk, order.id, said.text, model.name)
        order = None
        if isinstance(came, Applied):
            report.applied.append(came)
        elif came.final:
            report.refused.append(came.order)
        elif (again := question_of(desk, came.order)) is not None:
            order, question = again.order, again.question


def _affordable(desk: Desk, order: WorkOrder, estimate: int, report: Report) -> bool:
    """Count a call before it is made, so that one that is cut short is counted too; False where the day is spent."""
    today = day(desk.door.clock.now())
    with desk.door.store.unit(Reader(desk.author), write=True) as unit:
        spent = sum(row.tokens for row in unit.spending.of(today))
        if spent + estimate + ANSWER_TOKENS > desk.daily_tokens:
            report.stopped = (
                f"The budget of {desk.daily_tokens:,} tokens a day does not hold the next question: {spent:,} are spent"
                f" and it may take {estimate + ANSWER_TOKENS:,}. What waits is asked tomorrow, or raise"
                " model.daily_tokens."
            )
            return False
        unit.spending.add(today, order.role, 1, estimate)
    return True


def _correct(desk: Desk, order: WorkOrder, estimate: int, said: Answer) -> None:
    """Count what the model says that it took, in place of what was estimated."""
    took = estimate + tokens.count(said.text) if said.tokens is None else said.tokens
    with desk.door.store.unit(Reader(desk.author), write=True) as unit:
        unit.spending.add(day(desk.door.clock.now()), order.role, 0, took - estimate)


def _give_back(desk: Desk, order: WorkOrder) -> None:
    """Let an order that could not be put wait again."""
    with desk.door.store.unit(Reader(desk.author), write=True) as unit:
        unit.orders.release(replace(order, state=OrderState.WAITING, lease=0))


def _refuse(desk: Desk, order: WorkOrder, reason: str) -> WorkOrder:
    refused = replace(order, state=OrderState.REFUSED, lease=0, reason=kept(desk, reason, KEPT_REASON))
    with desk.door.store.unit(Reader(desk.author), write=True) as unit:
        unit.orders.release(refused)
    return refused


def round_of(desk: Desk, worker: str, quiet: int = extract_model.QUIET) -> Report:
    """Queue what is to be asked about the sessions, and let the model answer."""
    with desk.door.store.unit(Reader(desk.author), write=True) as unit:
        extract_model.queue(unit, desk.door.clock.now(), quiet)
    return work_off(desk, worker)
