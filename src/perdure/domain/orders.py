"""Work orders: questions for a model, each with a contract that its answer must meet.

An order names what it is about and not the words: those are read when it is asked, so that what was purged or is known
to be a secret by then is not asked.
"""

from __future__ import annotations

from enum import StrEnum

from perdure.domain.record import NOTHING, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.domain.json import Json

DEFAULT, SMALL = "default", "small"
"""The roles of models: a ``small`` one is enough for a verdict or a line."""
ROLES = (DEFAULT, SMALL)
ANSWER_TOKENS = 4_096
"""What an answer may hold at most, and what is kept free of the day's budget for it."""


class OrderState(StrEnum):
    """How an order stands. A refused one is kept, with its answer and the reason, until somebody retries it."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    REFUSED = "refused"


@record
class WorkOrder:
    """A model step that is to be done for an author.

    ``about`` names what the order is about: of a kind there is one unfinished order about a thing. ``subject`` holds
    what exactly is asked, as ids and positions. ``lease`` is until when ``token`` holds it; ``attempts`` counts leases,
    ``rejected`` the answers that did not meet the contract, of which ``answer`` and ``reason`` keep the latest.
    ``cut`` says what was left out of the question, ``served`` who answered.
    """

    kind: str
    about: str
    author: str
    created: int
    role: str = DEFAULT
    project: str = ""
    subject: Mapping[str, Json] = NOTHING
    id: int = 0
    state: OrderState = OrderState.WAITING
    due: int = 0
    lease: int = 0
    token: str = ""
    attempts: int = 0
    rejected: int = 0
    cut: str = ""
    answer: str = ""
    reason: str = ""
    served: str = ""


@record
class Built:
    """What a kind of orders puts into its prompt, the JSON Schema of the answer, and what had to be left out."""

    variables: Mapping[str, str]
    contract: Mapping[str, Json]
    cut: str = ""


@record
class Question:
    """What a model is asked: instructions that never change, a text that is data, and the contract of the answer.

    Both texts say all that is needed; a backend that can be given a schema may use ``contract`` too.
    """

    instructions: str
    text: str
    contract: Mapping[str, Json]


@record
class Answer:
    """What a model said. ``tokens`` is what question and answer cost together, None where it was not said."""

    text: str
    tokens: int | None = None


@record
class Spent:
    """Calls and tokens of one role on one day."""

    role: str
    calls: int
    tokens: int
