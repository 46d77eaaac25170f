from __future__ import annotations

import json

import pytest

from perdure.domain import tokens
from perdure.domain.access import Reader
from perdure.domain.change import Unchanged, Written
from perdure.domain.errors import Conflict, ModelInvalid, ModelRefused, ModelUnavailable, NotFound
from perdure.domain.instants import DAY, HOUR, MINUTE, SECOND, day
from perdure.domain.ledger import Criteria
from perdure.domain.memory import Channel, Kind, Scope, Trust, Type
from perdure.domain.orders import Answer, OrderState, Spent
from perdure.domain.record import replace
from perdure.domain.session import Role, Session, SessionRef, Turn
from perdure.models import prompting
from perdure.services import asking, extract_model, orders
from perdure.services.orders import Applied, Desk, Rejected
from perdure.testing.fakes import START
from tests.unit.services.conftest import reader

pytestmark = pytest.mark.req("models.contract")

SECRET = "ghp_" + "n0tReal9PerdureTest0nlyQw7ZxK2mVb4X7"
LONG = "We keep money in whole cents, since the price table once lost a cent in every discount. " * 8


def item(content="Money is kept in whole cents.", **told):
    return {"type": "semantic", "content": content, "importance": 0.6, "confidence": 0.7, "sources": [1]} | told


def says(*items):
    return json.dumps(list(items))


class FakeModel:
    """Answers with what it is given in turn, or raises it."""

    name = "fake: m"

    def __init__(self, *script):
        self.script = list(script)
        self.asked = []

    def complete(self, question):
        self.asked.append(question)
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(said, Exception):
            raise said
        return Answer(said, 1_000)


@pytest.fixture
def model():
    return FakeModel(says(item()))


@pytest.fixture
def desk(door, model):
    return Desk(door, "ana", lambda _role: model, prompting.render)


@pytest.fixture
def session(store):
    """Record a session's turns, each a hundred bytes long, a minute apart, from START on."""

    def recorded(*texts, name="s1", author="ana", ended=False, at=START, parent="", before=0):
        turns = []
        for number, text in enumerate(texts, before):
            role = text[0] if isinstance(text, tuple) else (Role.USER, Role.ASSISTANT)[number % 2]
            words = text[1] if isinstance(text, tuple) else text
            turns.append(Turn(f"{name}-{number}", role, at + number * MINUTE, words, number * 100))
        with store.unit(reader(author), write=True) as unit:
            ref = SessionRef("fake", name, f"/{name}", "/w", parent)
            known = unit.sessions.register(Session(f"id-{name}", ref, "ferry", author, started=at))
            end = at + (before + len(texts)) * MINUTE if ended else None
            unit.sessions.grow(known.id, (before + len(texts)) * 100, end)
            unit.sessions.record(known, turns)
            unit.sessions.advance(known, (before + len(texts)) * 100)
        return known.id

    return recorded


@pytest.fixture
def queue(store, clock):
    def queued(now=None, quiet=0, author="ana"):
        with store.unit(Reader(author), write=True) as unit:
            return extract_model.queue(unit, clock.at if now is None else now, quiet)

    return queued


@pytest.fixture
def order(store):
    def found(order_id=1):
        with store.unit(Reader("ana")) as unit:
            return unit.orders.get(order_id)

    return found


@pytest.fixture
def facts(store):
    def found():
        with store.unit(reader()) as unit:
            return [
                entry for entry in reversed(unit.memories.heads(Criteria())) if entry.memory.kind is not Kind.EPISODE
            ]

    return found


@pytest.fixture
def waiting(session, queue, clock):
    """A session that is over, and its order."""
    session(LONG, "Noted.", "We said so already.")
    clock.pass_by(DAY)
    assert queue() == 1


@pytest.mark.req("models.extract")
def test_what_a_model_finds_is_kept_as_its_own_word_clamped_and_with_its_sources(waiting, desk, model, facts):
    model.script = [
        says(
            item(importance=1, confidence=1.0, sources=[1, 3, 1]),
            item("Ana wants prices in the tests to be odd numbers.", type="preference"),
            item("The price table moves to the depot in May.", type="prospective"),
            item("The rounding was found in March.", type="episodic"),
            item("Run the price tests before a release.", type="procedural"),
        )
    ]

    report = asking.work_off(desk, "w")

    assert (report.asked, len(report.applied), report.refused, report.stopped) == (1, 1, [], "")
    found = facts()
    assert {entry.revision.statement.type for entry in found} == set(extract_model.SORTS)
    cents = next(entry for entry in found if "cents" in entry.revision.statement.body)
    said = cents.revision.statement
    assert (said.importance, said.confidence, said.valid_from) == (0.7, 0.8, START + 2 * MINUTE)
    assert said.attrs["turns"] == ["s1-0", "s1-2"]
    assert (cents.memory.scope, cents.memory.project) == (Scope.PROJECT, "ferry")
    origin = cents.revision.provenance
    assert (origin.channel, origin.trust, origin.session) == (Channel.ASSISTANT_INFERENCE, Trust.MODEL, "id-s1")
    assert LONG.startswith(origin.excerpt)
    preference = next(entry for entry in found if entry.revision.statement.type is Type.PREFERENCE)
    assert preference.memory.scope is Scope.PRIVATE
    plan = next(entry for entry in found if entry.revision.statement.type is Type.PROSPECTIVE)
    assert plan.memory.kind is Kind.FORESIGHT


@pytest.mark.req("models.extract")
def test_only_what_user_and_assistant_said_is_asked_each_turn_cut_and_numbered(session, queue, desk):
    session("x" * 5_000, "Done.", (Role.TOOL, "rm -rf /"), (Role.USER, "Thanks"))
    queue()

    text = orders.take(desk, "w").question.text

    assert f"[1] user, 2024-10-04 00:00: {'x' * 2_000} [...]\n" in text
    assert "[2] assistant, 2024-10-04 00:01: Done.\n" in text
    assert "[3] user, 2024-10-04 00:03: Thanks\n" in text
    assert "rm -rf" not in text
    assert text.startswith('Project: ferry\n\n<perdure-memory kind="transcript"')


@pytest.mark.req("models.extract")
def test_a_secret_that_was_let_in_is_not_asked(session, queue, desk):
    session(f"{LONG} The token is {SECRET}.", "Noted.")
    queue()

    assert SECRET not in str(orders.take(desk, "w"))


@pytest.mark.req("models.extract")
def test_a_session_in_which_little_was_said_is_not_asked_about(session, queue):
    session("x" * 300, "y" * 199, (Role.TOOL, LONG))

    assert queue() == 0


@pytest.mark.req("models.extract")
@pytest.mark.parametrize(("ended", "later", "queued"), [(False, HOUR, 1), (False, 20 * MINUTE, 0), (True, 0, 1)])
def test_a_session_is_asked_about_when_it_ended_or_has_been_quiet(session, queue, ended, later, queued):
    session(LONG, "Noted.", ended=ended)

    assert queue(START + MINUTE + later, extract_model.QUIET) == queued


@pytest.mark.req("models.extract")
def test_others_sessions_and_subagents_are_not_asked_about(session, queue):
    session(LONG, name="theirs", author="ben")
    session(LONG, name="agent", parent="s1")

    assert queue(author="ana") == 0


@pytest.mark.req("models.extract")
def test_a_session_that_grew_is_asked_about_what_is_new(waiting, session, queue, desk, order, model):
    assert queue() == 0
    asking.work_off(desk, "w")
    assert queue() == 0
    session("One more word.", before=3)
    assert queue() == 0
    session(f"Another thing: {LONG}", before=4)

    assert queue() == 1
    asking.work_off(desk, "w")

    assert (order(1).state, order(2).state) == (OrderState.DONE, OrderState.DONE)
    assert order(2).subject == {"since": 300, "until": 500}
    assert "price table" in model.asked[1].text
    assert "We said so already" not in model.asked[1].text


@pytest.mark.req("models.extract")
def test_what_waits_is_asked_together_with_what_came_since(waiting, session, queue, order):
    session(LONG, before=3)

    assert queue() == 1
    assert order(1).subject == {"since": 0, "until": 400}
    assert order(2) is None


@pytest.mark.req("models.extract")
def test_nothing_is_written_twice(waiting, desk, store, facts):
    order = orders.take(desk, "w").order
    for kinds in ([Written], [Unchanged]):
        with store.unit(reader(), write=True) as unit:
            assert [type(each) for each in extract_model.apply(desk.door, unit, order, [item()])] == kinds

    assert len(facts()) == 1


@pytest.mark.parametrize(
    "bad",
    [
        "I could not find anything of note.",
        '[{"type": "semantic", "content": "Money is',
        says(*[item()] * 7),
        says(item(type="summary")),
        says(item(content="")),
        says(item(importance=1.5)),
        '[{"type": "semantic", "content": "x", "importance": NaN, "confidence": 1, "sources": [1]}]',
        says(item(sources=[])),
        says(item(sources=[0])),
        says(item(), item("Another.", sources=[4])),
        says(item(sources=["1"])),
        says({"content": "no type"}),
        '{"items": []}',
    ],
)
def test_an_answer_that_cannot_be_used_is_asked_for_once_more_and_nothing_of_it_is_kept(
    waiting, desk, model, facts, order, bad
):
    model.script = [bad, says(item())]

    report = asking.work_off(desk, "w")

    assert (report.asked, len(report.applied), len(model.asked)) == (1, 1, 2)
    assert "Your last answer" not in model.asked[0].text
    reason = model.asked[1].text.rpartition("could not be used: ")[2]
    assert reason.partition("\n")[0]
    assert [entry.revision.statement.body for entry in facts()] == ["Money is kept in whole cents."]
    done = order()
    assert (done.state, done.served, done.answer, done.reason) == (OrderState.DONE, "fake: m", "", "")


def test_after_a_second_such_answer_the_order_is_refused_and_kept_and_can_be_retried(
    waiting, desk, model, facts, order
):
    model.script = ["No.", f"Still no: {SECRET}\u202e"]

    report = asking.work_off(desk, "w")

    (refused,) = report.refused
    assert (refused.state, refused.rejected, refused.reason) == (
        OrderState.REFUSED,
        2,
        "there is no JSON array in the answer",
    )
    assert refused == order()
    assert refused.answer.startswith("Still no: ")
    assert SECRET not in refused.answer
    assert "\u202e" not in refused.answer
    assert asking.work_off(desk, "w").asked == 0
    assert facts() == []

    model.script = [says(item())]
    assert orders.retry(desk, 1).state is OrderState.WAITING
    assert len(asking.work_off(desk, "w").applied) == 1
    assert "Your last answer" not in model.asked[-1].text
    with pytest.raises(Conflict, match="answered already by fake: m"):
        orders.retry(desk, 1)


def test_only_what_was_refused_is_retried(waiting, desk, session, queue, model, order):
    with pytest.raises(Conflict, match="was not refused"):
        orders.retry(desk, 1)
    with pytest.raises(NotFound, match="no work order 7"):
        orders.retry(desk, 7)
    model.script = ["No."]
    asking.work_off(desk, "w")
    session(LONG, before=3)
    queue()
    with pytest.raises(Conflict, match="Work order 2 asks about the same"):
        orders.retry(desk, 1)


def test_an_answer_that_a_backend_cannot_read_counts_as_one(waiting, desk, model, order):
    model.script = [ModelInvalid("The answer was cut off.", '[{"typ'), says()]

    assert len(asking.work_off(desk, "w").applied) == 1
    assert "could not be used: The answer was cut off." in model.asked[1].text


@pytest.mark.req("models.errors")
def test_a_model_that_refuses_is_not_asked_again(waiting, desk, model, order):
    model.script = [ModelRefused(f"The server answered 400: {SECRET}.")]

    report = asking.work_off(desk, "w")

    assert (len(model.asked), [each.id for each in report.refused]) == (1, [1])
    assert order().state is OrderState.REFUSED
    assert SECRET not in order().reason


@pytest.mark.req("models.errors")
def test_while_a_model_is_away_what_waits_goes_on_waiting_longer_each_time(session, queue, desk, model, order, clock):
    for name in ("s1", "s2"):
        session(LONG, name=name)
    queue()
    clock.step = 0
    model.script = [ModelUnavailable("It cannot be reached.")]

    report = asking.work_off(desk, "w")

    assert (report.asked, report.stopped, len(model.asked)) == (1, "It cannot be reached.", 1)
    first, second = order(1), order(2)
    assert (first.state, first.reason, first.due) == (
        OrderState.WAITING,
        "It cannot be reached.",
        clock.at + 2 * MINUTE,
    )
    assert second.attempts == 0
    for _ in range(3):
        clock.pass_by(DAY)
        asking.work_off(desk, "w")
        asking.work_off(desk, "w")
    assert {order(number).state for number in (1, 2)} == {OrderState.WAITING}
    assert order(1).due == clock.at + 16 * MINUTE
    model.script = [says()]
    clock.pass_by(DAY)
    assert len(asking.work_off(desk, "w").applied) == 2


@pytest.mark.req("models.silent")
def test_without_a_model_what_waits_is_not_touched(waiting, door, order):
    before = order()

    report = asking.round_of(Desk(door, "ana", lambda _role: None, prompting.render), "w")

    assert (report.asked, report.stopped) == (0, "No model is configured.")
    assert order() == before


@pytest.mark.req("models.queue")
def test_an_order_whose_worker_was_killed_is_taken_again_but_not_for_ever(waiting, desk, order, clock):
    taken = []
    while (asked := orders.take(desk, "w", 5 * MINUTE)) is not None:
        taken.append(asked.order.attempts)
        assert orders.take(desk, "other") is None
        clock.pass_by(5 * MINUTE)

    assert taken == [1, 2, 3, 4, 5]
    assert (order().state, order().reason) == (OrderState.REFUSED, "It was taken 5 times and never answered.")


@pytest.mark.req("models.queue")
def test_a_late_answer_counts_unless_there_was_another(waiting, desk, facts, clock):
    late = orders.take(desk, "w", SECOND).order
    clock.pass_by(HOUR)
    held = orders.take(desk, "other").order

    assert isinstance(orders.answer(desk, late.id, says(item()), "the late one"), Applied)
    with pytest.raises(Conflict, match="Work order 1 was answered already by the late one"):
        orders.answer(desk, held.id, says(item("Something else.")), "the other")
    assert len(facts()) == 1


@pytest.mark.req("models.queue")
def test_a_refused_order_takes_a_good_answer_too(waiting, desk, model, order):
    model.script = ["No."]
    asking.work_off(desk, "w")

    assert isinstance(orders.answer(desk, 1, says(item()), "a person"), Applied)
    assert order().state is OrderState.DONE


@pytest.mark.req("models.queue")
def test_orders_of_others_are_not_there(waiting, desk):
    theirs = replace(desk, author="ben")

    assert orders.take(theirs, "w") is None
    for act in (lambda: orders.answer(theirs, 1, "[]", "x"), lambda: orders.find(theirs, 1)):
        with pytest.raises(NotFound, match="no work order 1"):
            act()


@pytest.mark.req("models.queue")
def test_what_there_is_nothing_left_to_ask_about_is_done(waiting, desk, order, store):
    known = order()
    with store.unit(Reader("ana"), write=True) as unit:
        unit.orders.put(replace(known, about="purged", due=0))

    assert isinstance(orders.answer(desk, 2, "anything", "x"), Applied)
    assert orders.take(desk, "w").order.id == 1
    assert order(2).reason == orders.NOTHING_LEFT


@pytest.mark.req("models.bounds")
def test_a_question_is_cut_to_its_bound_from_the_beginning_and_says_so(session, queue, desk, order):
    session(*(f"Number {number}: {LONG}" for number in range(60)))
    queue()
    small = replace(desk, question_tokens=3_000)

    asked = orders.take(small, "w")

    cut = asked.order.cut
    assert cut.startswith("the first ")
    assert order().cut == cut
    assert f"[{cut}]" in asked.question.text
    assert "Number 59" in asked.question.text
    assert "Number 0:" not in asked.question.text
    assert tokens.count(asked.question.instructions + asked.question.text) <= 3_000


@pytest.mark.req("models.bounds")
def test_a_source_that_was_cut_away_is_none(session, queue, desk):
    session(*(f"Number {number}: {LONG}" for number in range(60)))
    queue()
    small = replace(desk, question_tokens=3_000)
    order_id = orders.take(small, "w").order.id

    assert isinstance(orders.answer(small, order_id, says(item(sources=[1])), "x"), Rejected)
    assert isinstance(orders.answer(small, order_id, says(item(sources=[60])), "x"), Applied)


@pytest.mark.req("models.bounds")
def test_of_a_long_session_the_last_sixty_thousand_characters_are_asked(session, queue, desk):
    session(*(["x" * 1_900] * 40))
    queue()

    asked = orders.take(replace(desk, question_tokens=1_000_000), "w")

    assert 55_000 < len(asked.question.text) < 62_000
    assert asked.order.cut == "the first 9 of 40 turns were left out"


@pytest.mark.req("models.bounds")
def test_a_bound_that_holds_no_question_refuses_the_order(waiting, desk, order):
    assert orders.take(replace(desk, question_tokens=100), "w") is None
    assert (order().state, order().attempts) == (OrderState.REFUSED, 1)
    assert "Raise model.question_tokens" in order().reason


@pytest.mark.req("models.budget")
def test_what_a_model_took_is_counted_by_role(waiting, desk, model, store, clock):
    asking.work_off(desk, "w")

    with store.unit(Reader("ana")) as unit:
        assert list(unit.spending.of(day(clock.at))) == [Spent("default", 1, 1_000)]


@pytest.mark.req("models.budget")
def test_a_call_that_is_cut_short_is_counted_too(waiting, desk, model, store, clock):
    model.script = [KeyboardInterrupt()]

    class Killed(FakeModel):
        def complete(self, question):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asking.work_off(replace(desk, model=lambda _role: Killed()), "w")
    with store.unit(Reader("ana")) as unit:
        (spent,) = unit.spending.of(day(clock.at))
    assert spent.calls == 1
    assert spent.tokens > 300


@pytest.mark.req("models.budget")
def test_the_call_that_would_exceed_the_day_s_budget_is_not_made_and_said(session, queue, desk, model, order, clock):
    for name in ("s1", "s2"):
        session(LONG, name=name)
    queue()
    model.script = [says()]

    report = asking.work_off(replace(desk, daily_tokens=6_000), "w")

    assert (len(model.asked), len(report.applied)) == (1, 1)
    assert report.stopped.startswith(
        "The budget of 6,000 tokens a day does not hold the next question: 1,000 are spent and it may take "
    )
    assert (order(2).state, order(2).attempts) == (OrderState.WAITING, 0)
    clock.pass_by(DAY)
    assert len(asking.work_off(replace(desk, daily_tokens=6_000), "w").applied) == 1


@pytest.mark.req("models.budget")
def test_a_budget_of_nothing_asks_nothing(waiting, desk, model):
    assert asking.work_off(replace(desk, daily_tokens=0), "w").asked == 1
    assert model.asked == []


@pytest.mark.req("models.status")
def test_how_the_orders_stand_can_be_asked(waiting, desk, model, session, queue, clock):
    asking.work_off(desk, "w")
    session(LONG, name="s2")
    queue()
    model.script = ["No."]
    asking.work_off(desk, "w")

    found = orders.status(desk, day(clock.at))

    assert found.counts == {OrderState.DONE: 1, OrderState.REFUSED: 1}
    assert [(each.id, each.served) for each in found.latest] == [(1, "fake: m")]
    assert [(each.id, each.reason) for each in found.failed] == [(2, "there is no JSON array in the answer")]
    assert found.spent == (Spent("default", 3, 3_000),)


@pytest.mark.req("models.prompts")
@pytest.mark.parametrize("kind", sorted(orders.STEPS))
def test_every_kind_of_orders_has_a_prompt(kind):
    assert kind in prompting.VARIABLES
