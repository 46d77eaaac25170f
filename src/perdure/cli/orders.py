"""Commands about work orders: what a model is to be asked, and who answers it."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from perdure.app import open_app
from perdure.cli.options import json_option
from perdure.cli.output import as_json, clean, note, say
from perdure.domain.change import Written
from perdure.domain.errors import ModelUnavailable, Refused, UsageError
from perdure.domain.instants import MINUTE, day, iso
from perdure.domain.memory import handle
from perdure.domain.orders import ROLES, OrderState
from perdure.domain.record import as_dict
from perdure.services import asking, orders
from perdure.services.orders import Rejected

if TYPE_CHECKING:
    from typing import Any

    from perdure.app import App
    from perdure.domain.orders import Spent, WorkOrder
    from perdure.services.asking import Report
    from perdure.services.orders import Applied

HOST = "the host's agent"
LONGEST = 1 << 20
OPEN = (OrderState.WAITING, OrderState.LEASED, OrderState.REFUSED)
SHOWN = 50
WORDS = {"Written": "new", "Unchanged": "known already", "Parked": "for review", "Denied": "not allowed"}

order_argument = click.argument("order_id", metavar="ORDER", type=int)


@click.command("next")
@json_option
def next_command(*, json_output: bool) -> None:
    """Take the next work order, and print the question. Answer it within half an hour, with: perdure work done."""
    app = open_app()
    app.require()
    asked = orders.take(app.desk, "next")
    if asked is None:
        if json_output:
            as_json({"order": None})
        else:
            say("No work order waits.")
        return
    order, question = asked.order, asked.question
    if json_output:
        told = {"order": order.id, "kind": order.kind, "project": order.project, "until": iso(order.lease)}
        as_json({**told, "cut": order.cut, **as_dict(question)})
        return
    say(question.instructions)
    say()
    say(question.text)
    say()
    if order.cut:
        note(f"The question was cut: {order.cut}.")
    minutes = orders.HANDED_FOR // MINUTE
    say(
        f"This is work order {order.id}. Answer within {minutes} minutes, on the standard input of:"
        f" perdure work done {order.id}"
    )


@click.command("done")
@order_argument
@click.argument("answer", required=False)
@json_option
def done_command(order_id: int, answer: str | None, *, json_output: bool) -> None:
    """Bring the answer to a work order, as an argument or on standard input.

    An answer that does not meet the contract is said to be so, once; after a second one the order is refused, and kept.
    """
    app = open_app()
    app.require()
    if answer is None or answer == "-":
        answer = sys.stdin.buffer.read(LONGEST).decode("utf-8", "replace")
    came = orders.answer(app.desk, order_id, answer, HOST)
    if isinstance(came, Rejected):
        if json_output:
            as_json({"outcome": "rejected", "order": order_id, "reason": clean(app, came.reason), "final": came.final})
            sys.exit((Refused if came.final else UsageError).exit_code)
        if came.final:
            raise Refused(
                f"Work order {order_id} is refused after a second answer that cannot be used: {came.reason}."
                f" It is kept. To have it asked again: perdure work retry {order_id}"
            )
        raise UsageError(f"The answer cannot be used: {came.reason}. Answer once more: perdure work done {order_id}")
    if json_output:
        as_json({"outcome": "applied", "order": order_id, "changes": _changes(app, came)})
        return
    say(f"Work order {order_id} is done: {_told([came])}.")
    for outcome in came.outcomes:
        if isinstance(outcome, Written):
            say(f"  {handle(outcome.memory)}", dim=True)


@click.command("retry")
@order_argument
@json_option
def retry_command(order_id: int, *, json_output: bool) -> None:
    """Let a refused work order be asked once more."""
    app = open_app()
    app.require()
    order = orders.retry(app.desk, order_id)
    if json_output:
        as_json(_order_json(app, order))
        return
    say(f"Work order {order_id} waits again.")


@click.command("ask")
@json_option
def ask_command(*, json_output: bool) -> None:
    """Have the configured model answer the work orders that wait."""
    app = open_app()
    app.require()
    report = asking.work_off(app.desk, "ask")
    if json_output:
        as_json(asked_json(report))
        return
    say_asked(app, report)


@click.command("orders")
@click.argument("order_id", metavar="[ORDER]", type=int, required=False)
@click.option("--all", "everything", is_flag=True, help="Also those that are done.")
@json_option
def orders_command(order_id: int | None, *, everything: bool, json_output: bool) -> None:
    """List the work orders that wait or were refused, or show one with its answer and what was wrong with it."""
    app = open_app()
    app.require()
    if order_id is not None:
        _show(app, orders.find(app.desk, order_id), json_output=json_output)
        return
    found = orders.listed(app.desk, tuple(OrderState) if everything else OPEN, SHOWN)
    if json_output:
        as_json([_order_json(app, order) for order in found])
        return
    if not found:
        say("No work order waits." if not everything else "There are no work orders.")
    for order in found:
        say(_line(app, order))


def _show(app: App, order: WorkOrder, *, json_output: bool) -> None:
    if json_output:
        as_json(_order_json(app, order))
        return
    say(_line(app, order))
    for name in ("about", "role", "cut", "served"):
        if getattr(order, name):
            say(f"{name:<9}  {getattr(order, name)}")
    say(f"attempts   {order.attempts}, answers that could not be used: {order.rejected}")
    if order.answer:
        say("answer")
        say(clean(app, order.answer))


def _line(app: App, order: WorkOrder) -> str:
    reason = f": {clean(app, order.reason)}" if order.reason else ""
    return f"{order.id:>5}  {order.state:<8}  {order.kind:<12}  {order.project or '-'}{reason}"


def _order_json(app: App, order: WorkOrder) -> dict[str, Any]:
    told = as_dict(order)
    del told["token"]
    held = order.state is OrderState.LEASED
    return told | {
        "subject": dict(order.subject),
        "state": order.state.value,
        "created": iso(order.created),
        "due": iso(order.due),
        "lease": iso(order.lease) if held else None,
        "answer": clean(app, order.answer),
        "reason": clean(app, order.reason),
    }


def _changes(app: App, came: Applied) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [{"outcome": type(each).__name__.lower(), **as_dict(each)} for each in came.outcomes]
    return [{name: app.redactor.redact_value(value) for name, value in each.items()} for each in told]


def _told(came: list[Applied]) -> str:
    """What came of the changes, counted."""
    counts = Counter(type(each).__name__ for applied in came for each in applied.outcomes)
    return ", ".join(f"{count} {WORDS.get(name, name.lower())}" for name, count in counts.items()) or "nothing to keep"


def asked_json(report: Report) -> dict[str, Any]:
    """What a round asked, for programs."""
    counts = Counter(type(each).__name__.lower() for came in report.applied for each in came.outcomes)
    refused = [{"order": order.id, "reason": order.reason} for order in report.refused]
    answered = {"asked": report.asked, "answered": len(report.applied), "refused": refused}
    return {**answered, "outcomes": dict(counts), "stopped": report.stopped}


def say_asked(app: App, report: Report) -> None:
    """What a round asked, for people."""
    say(f"Work orders: {report.asked} asked, {len(report.applied)} answered ({_told(report.applied)}).")
    for order in report.refused:
        note(f"Work order {order.id} was refused: {clean(app, order.reason)}")
    if report.stopped:
        note(clean(app, report.stopped))
        if not app.model_is_configured:
            note("They wait for whoever takes them: perdure work next")


@click.command("status")
@json_option
def status_command(*, json_output: bool) -> None:
    """Say which model serves, what waits, what was spent today, and what failed and why."""
    app = open_app()
    app.require()
    found = orders.status(app.desk, day(app.clock.now()))
    models = {role: _model_of(app, role) for role in ROLES}
    chosen = app.settings.model
    if json_output:
        as_json(
            {
                "models": models,
                "background": chosen.background,
                "orders": {state.value: found.counts.get(state, 0) for state in OrderState},
                "spent": [as_dict(row) for row in found.spent],
                "daily_tokens": chosen.daily_tokens,
                "latest": [_order_json(app, order) for order in found.latest],
                "failed": [_order_json(app, order) for order in found.failed],
            }
        )
        return
    for role, name in models.items():
        say(f"{role:<10} {name}")
    say(f"background {'on' if chosen.background else 'off'}")
    say(f"orders     {', '.join(f'{found.counts.get(state, 0)} {state}' for state in OrderState)}")
    say(f"spent      {_spent(found.spent, chosen.daily_tokens)}")
    for order in found.latest:
        say(f"served     {order.id} {order.kind}: {order.served}", dim=True)
    for order in found.failed:
        say(f"{'refused' if order.state is OrderState.REFUSED else 'failed':<10} {_line(app, order).strip()}")


def _model_of(app: App, role: str) -> str:
    try:
        model = app.model(role)
    except ModelUnavailable as error:
        return f"(not to be used) {error}"
    return "(none configured)" if model is None else model.name


def _spent(rows: tuple[Spent, ...], budget: int) -> str:
    parts = "; ".join(f"{row.role} {row.tokens:,} in {row.calls} calls" for row in rows)
    return f"{sum(row.tokens for row in rows):,} of {budget:,} tokens today{f' ({parts})' if parts else ''}"


order_commands = (next_command, done_command, ask_command, orders_command, retry_command, status_command)
