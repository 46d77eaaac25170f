"""What a session is given with a prompt: the memories that answer it and that are new to the session."""

from __future__ import annotations

from perdure.domain import ranking
from perdure.domain.memory import Kind, Moment
from perdure.domain.packing import Budget
from perdure.domain.record import record
from perdure.services.context import Given, Sheet
from perdure.services.recall import Query, recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.ports import Unit

FIRST_PROMPT_BUDGET = Budget(tokens=1_200, characters=4_800)
LATER_PROMPT_BUDGET = Budget(tokens=400, characters=1_600)
PROMPT_CHARACTERS = 4_000
RECALLED_KINDS = (Kind.FACT, Kind.EPISODE, Kind.CASE, Kind.FORESIGHT, Kind.SKILL)
GIVEN_WITH_PROMPTS = "prompt"


@record
class PromptRules:
    """What a session's first prompt and later ones may be given, and how good an answer must be."""

    first: Budget = FIRST_PROMPT_BUDGET
    later: Budget = LATER_PROMPT_BUDGET
    floor: float = ranking.FLOOR
    strict_floor: float = ranking.STRICT_FLOOR


def with_prompt(
    unit: Unit,
    prompt: str,
    now: int,
    given: Mapping[str, str],
    rules: PromptRules | None = None,
) -> Given:
    """The memories that answer a prompt and that the session has not been given yet.

    The session's first prompt has the larger budget and the usual floor; later ones add only what is new to the
    session and passes the strict floor. A command of the host (``/``, ``!``, ``#``) asks for nothing.
    """
    asked = prompt.strip()
    if not asked or asked[0] in "/!#":
        return Given()
    first = GIVEN_WITH_PROMPTS not in given.values()
    rules = rules or PromptRules()
    budget, floor = (rules.first, rules.floor) if first else (rules.later, rules.strict_floor)
    query = Query(
        asked[:PROMPT_CHARACTERS],
        Moment(as_of=now),
        limit=12 if first else 4,
        floor=floor,
        kinds=RECALLED_KINDS,
        injectable=True,
    )
    sheet = Sheet(budget, given)
    sheet.section("Recalled for this prompt", (hit.entry for hit in recall(unit, query).hits), budget.tokens)
    return sheet.given()
