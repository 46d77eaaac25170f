"""Models and the work orders that they answer."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "models.silent": Requirement(
        "No model is reached unless its owner configured one, and none in the background unless they said so.",
        "design 4; spec/facts.md, what Perdure does",
    ),
    "models.selection": Requirement(
        "URL, then Anthropic's key, then a command, then a model's name alone decide which backend serves; "
        "what is missing is said.",
        "design 11; spec/facts.md 6",
    ),
    "models.protocols": Requirement(
        "OpenAI-compatible servers, Anthropic and Ollama are asked each in its own protocol.",
        "design 4; facts, work orders",
    ),
    "models.errors": Requirement(
        "A model that is away, refuses or answers what cannot be used is one of three errors that say what happened.",
        "design 8",
    ),
    "models.retries": Requirement(
        "Busy and failing servers are asked again, Retry-After is honoured, and one time limit bounds it all.",
        "facts, work orders",
    ),
    "models.keys": Requirement(
        "A key comes from the environment alone and is shown by nothing.",
        "facts, work orders; settings",
    ),
    "models.command": Requirement(
        "Any program can be the model: without a shell, within a time limit, and without filling the memory itself.",
        "facts, work orders: PERDURE_MODEL_CMD",
    ),
    "models.prompts": Requirement(
        "Each prompt is a file with a fixed set of variables; a missing or unknown one is an error.",
        "design 11",
    ),
    "models.answers": Requirement(
        "Thoughts, fences and words around the JSON are no part of an answer; no JSON is no answer.",
        "spec/facts.md 6",
    ),
    "models.contract": Requirement(
        "An answer that does not meet its contract is asked for once more with what is wrong, then the order is "
        "refused and kept, can be looked at and retried; nothing of it is applied.",
        "facts, work orders",
    ),
    "models.queue": Requirement(
        "Orders are leased and never lost: one whose worker was killed is taken again, and a late answer counts unless "
        "there was another.",
        "design 4; facts, work orders",
    ),
    "models.budget": Requirement(
        "A day's tokens are counted by role, and the call that would exceed the budget is not made.",
        "facts, work orders",
    ),
    "models.bounds": Requirement(
        "A question has at most so many tokens; what was left out is said.",
        "facts, work orders",
    ),
    "models.extract": Requirement(
        "A model finds at most six facts in a session's turns, clamped, as its own word, with their sources.",
        "spec/facts.md 6; spec/pipeline.md phase 1",
    ),
    "models.host": Requirement(
        "The host's own agent can take the next order and bring its answer.",
        "design 4",
    ),
    "models.status": Requirement(
        "What serves, what waits, what was spent and what failed and why can be asked in one command.",
        "facts, work orders",
    ),
}
