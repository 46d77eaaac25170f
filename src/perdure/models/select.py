"""Which backend serves: the first that is configured, and none where nothing is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perdure.domain.errors import ModelUnavailable
from perdure.domain.orders import DEFAULT, SMALL
from perdure.domain.record import record
from perdure.models.anthropic import Anthropic
from perdure.models.command import Command
from perdure.models.ollama import Ollama
from perdure.models.openai import OpenAI

if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.models.command import Run
    from perdure.models.http import Deadlines
    from perdure.models.key import Key
    from perdure.ports import Model

AUTO, NONE, OPENAI, ANTHROPIC, COMMAND, OLLAMA = "auto", "none", "openai", "anthropic", "command", "ollama"


@record
class Wanted:
    """What is configured. ``models`` names one for each role, ``command`` is a program with its arguments.

    ``tokens`` is what a question may have, ``timeout`` the seconds that one may take in all. The two ``variable`` are
    those that should hold a key, where one is named.
    """

    backend: str
    url: str
    key: Key
    anthropic_url: str
    anthropic_key: Key
    ollama_url: str
    command: tuple[str, ...]
    models: Mapping[str, str]
    tokens: int
    timeout: float
    variable: str = ""
    anthropic_variable: str = ""


@record
class Means:
    """How backends reach the world: the environment of programs, what runs one, and what starts a time limit."""

    environ: Mapping[str, str]
    run: Run
    deadline: Deadlines


def backend_of(wanted: Wanted) -> str:
    """The backend that the configuration means; ``none`` where it means none."""
    if wanted.backend != AUTO:
        return wanted.backend
    if wanted.url:
        return OPENAI
    if wanted.anthropic_key or wanted.anthropic_variable:
        return ANTHROPIC
    if wanted.command:
        return COMMAND
    return OLLAMA if any(wanted.models.values()) else NONE


def model_for(wanted: Wanted, role: str, means: Means) -> Model | None:
    """The model that serves a role, None where none is configured.

    Nothing is reached by this. Raises ``ModelUnavailable`` with what is missing where a backend is configured by half.
    """
    backend = backend_of(wanted)
    if backend == NONE:
        return None
    if lacking := _lacking(wanted, backend):
        raise ModelUnavailable(lacking)
    named = _named(wanted, role)
    if backend == OPENAI:
        return OpenAI(wanted.url, named, wanted.key, wanted.timeout, means.deadline)
    if backend == ANTHROPIC:
        return Anthropic(wanted.anthropic_url, named, wanted.anthropic_key, wanted.timeout, means.deadline)
    if backend == OLLAMA:
        return Ollama(wanted.ollama_url, named, wanted.tokens, wanted.timeout, means.deadline)
    return Command(wanted.command, means.environ, wanted.timeout, means.run)


def _named(wanted: Wanted, role: str) -> str:
    """The model of a role; where a role has none, the other's."""
    return wanted.models.get(role) or wanted.models.get(DEFAULT) or wanted.models.get(SMALL) or ""


def _lacking(wanted: Wanted, backend: str) -> str:
    """What a backend still needs, in a sentence that says what to do; empty where nothing is missing."""
    unset = "The variable {}, which should hold the model's key, is not set."
    if backend in {OPENAI, OLLAMA} and not _named(wanted, DEFAULT):
        return "No model is named. Set model.roles.default."
    if backend == OPENAI:
        if not wanted.url:
            return "No server is named. Set model.url."
        return unset.format(wanted.variable) if wanted.variable and not wanted.key else ""
    if backend == ANTHROPIC and not wanted.anthropic_key:
        if wanted.anthropic_variable:
            return unset.format(wanted.anthropic_variable)
        return "There is no key. Name its variable in model.anthropic_key_variable, or set PERDURE_ANTHROPIC_KEY."
    return "No program is named. Set model.cmd." if backend == COMMAND and not wanted.command else ""
