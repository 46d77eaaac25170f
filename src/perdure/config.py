"""Settings: the only reader of configuration files and of the environment.

Later layers win: the defaults below, ``config.toml`` in the home, ``PERDURE_*`` variables, a command's flags. A
project's ``.perdure.toml`` may only narrow. Every setting is declared here once, with its default and its
description, from which ``config.toml`` and the documentation are made.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import stat
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from perdure.domain.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

AUTHOR = re.compile(r"[A-Za-z0-9._-]{1,64}")
PREFIX = "PERDURE_"
TESTS = f"{PREFIX}TEST_"
CONFIG = "config.toml"
MODEL_KEY = f"{PREFIX}MODEL_KEY"
ANTHROPIC_KEY = f"{PREFIX}ANTHROPIC_KEY"
SECRETS = (MODEL_KEY, ANTHROPIC_KEY)
"""Variables that hold a key: no settings, so that no file holds them and nothing shows them."""
MARKER = ".perdure.toml"
LARGEST = 1 << 20
MARKER_KEYS = ("project", "capture.enabled", "capture.ignore")


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CaptureSettings(_Section):
    """What is taken in from agent sessions and from git."""

    enabled: bool = Field(default=True, description="take sessions in at all")
    ignore: list[str] = Field(default=[], description="directories whose sessions are left alone, as patterns")
    history: bool = Field(default=True, description="take in the commit messages of a project's git history")
    history_months: int = Field(default=12, ge=0, description="how far back a git history is taken in, in months")
    history_commits: int = Field(default=5000, ge=0, description="how many commits of a history are taken in at most")


class BriefingSettings(_Section):
    """What a session is given at its start."""

    tokens: int = Field(default=2000, ge=200, le=5000, description="estimated tokens of a briefing at most")
    characters: int = Field(default=8000, ge=800, le=9500, description="characters of a briefing at most")
    deadline_ms: int = Field(default=150, ge=10, le=2000, description="how long a hook waits for the ledger")


class RecallSettings(_Section):
    """What answers a question, and what a prompt is given."""

    limit: int = Field(default=8, ge=1, le=100, description="answers of a recall at most")
    floor: float = Field(default=0.4, ge=0, le=1, description="the score below which nothing is an answer")
    strict_floor: float = Field(default=0.55, ge=0, le=1, description="the floor for a session's later prompts")
    first_prompt_tokens: int = Field(default=1200, ge=0, le=5000, description="tokens for a session's first prompt")
    later_prompt_tokens: int = Field(default=400, ge=0, le=5000, description="tokens for each later prompt")


class RoleSettings(_Section):
    """Which model takes which part."""

    default: str = Field(default="", description="the model that extracts and writes")
    small: str = Field(default="", description="the model for verdicts and lines; the default one unless named")


class ModelSettings(_Section):
    """The model that answers work orders. Nothing set, nothing called."""

    backend: str = Field(
        default="auto",
        pattern="^(auto|none|openai|anthropic|command|ollama)$",
        description="which backend serves: none, openai, anthropic, command, ollama; auto takes the first that is set",
    )
    url: str = Field(
        default="", description="base URL of an OpenAI-compatible server, such as http://localhost:8000/v1"
    )
    key_variable: str = Field(default="", description="the environment variable that holds that server's key")
    anthropic_key_variable: str = Field(default="", description="the environment variable that holds Anthropic's key")
    anthropic_url: str = Field(default="https://api.anthropic.com", description="where Anthropic's models are")
    ollama_url: str = Field(default="http://127.0.0.1:11434", description="where Ollama is")
    cmd: str = Field(default="", description="a program with arguments that reads a question and writes the answer")
    timeout_s: float = Field(default=120, gt=0, le=3600, description="seconds that one question may take, retries too")
    question_tokens: int = Field(default=16_000, ge=4_000, description="estimated tokens of a question at most")
    daily_tokens: int = Field(default=300_000, ge=0, description="tokens that models may take in a day (UTC)")
    background: bool = Field(default=False, description="let the worker ask the model by itself after sessions")
    roles: RoleSettings = RoleSettings()


class ConsolidateSettings(_Section):
    """When statements that are alike become one."""

    distance: float = Field(default=0.35, ge=0, lt=1, description="how far apart by their words (0 to 1) alike may be")
    group: int = Field(default=6, ge=2, le=12, description="statements in a group at most; larger ones are reported")
    groups: int = Field(default=10, ge=1, le=1000, description="groups in a run at most")
    threshold: float = Field(default=0.8, ge=0, le=1, description="how sure a verdict must be to be applied unseen")


class ReflectSettings(_Section):
    """When a project gets a page that says what is known of it."""

    least: int = Field(default=5, ge=1, description="shared statements from which on a project gets a page")
    most: int = Field(default=80, ge=1, le=1000, description="statements that a page is made from at most")


class SafetySettings(_Section):
    """What counts as a secret, beside the rules that are built in."""

    allow: list[str] = Field(default=[], description="texts that are never redacted, as regular expressions")
    patterns: dict[str, str] = Field(default={}, description="further secrets, each a kind with a regular expression")


class Settings(_Section):
    """All settings. ``author`` is who writes on this machine."""

    author: str = Field(default="", description="your name in every memory: letters, digits, . _ -")
    capture: CaptureSettings = CaptureSettings()
    briefing: BriefingSettings = BriefingSettings()
    recall: RecallSettings = RecallSettings()
    model: ModelSettings = ModelSettings()
    consolidate: ConsolidateSettings = ConsolidateSettings()
    reflect: ReflectSettings = ReflectSettings()
    safety: SafetySettings = SafetySettings()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it is in force: its dotted key, its value and the layer that the value comes from."""

    key: str
    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings in force, and where each comes from."""

    home: str
    settings: Settings
    sources: tuple[Setting, ...]


def environment() -> dict[str, str]:
    """The process's environment."""
    return dict(os.environ)


def home_directory(environ: Mapping[str, str]) -> str:
    """Where everything is kept: ``PERDURE_HOME``, or ``~/.perdure``."""
    home = os.path.expanduser(environ.get(f"{PREFIX}HOME") or "~/.perdure")
    if not os.path.isabs(home):
        raise UsageError(f"{PREFIX}HOME is '{home}'. Give an absolute path, so that it is the same everywhere.")
    return os.path.normpath(home)


def declared(section: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every setting as its dotted key and its field, sections in order of declaration."""
    for name, field in section.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from declared(field.annotation, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


def variable(key: str) -> str:
    """The environment variable of a setting: ``recall.floor`` is ``PERDURE_RECALL_FLOOR``."""
    return PREFIX + key.upper().replace(".", "_")


def load(environ: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Configuration:
    """The settings in force for this environment.

    Raises ``UsageError`` that names file, key and what is expected, with a suggestion for an unknown key.
    """
    home = home_directory(environ)
    path = os.path.join(home, CONFIG)
    layers = [
        (path, _flat(_read(path))),
        ("environment", _from_environment(environ)),
        ("flag", {key: value for key, value in (flags or {}).items() if value is not None}),
    ]
    found = {key: Setting(key, field.get_default(), "default") for key, field in declared()}
    for origin, values in layers:
        for key, value in values.items():
            if key not in found:
                raise UsageError(f"{origin}: there is no setting '{key}'.{_suggest(key, found)}")
            found[key] = Setting(key, value, origin)
    settings = _validated(found)
    if settings.author and not AUTHOR.fullmatch(settings.author):
        raise UsageError(f"The author '{settings.author}' may have 1 to 64 letters, digits, '.', '_' and '-' only.")
    for name, pattern in (*settings.safety.patterns.items(), *(("allow", each) for each in settings.safety.allow)):
        try:
            re.compile(pattern)
        except re.error as error:
            raise UsageError(f"safety: the pattern of '{name}' is invalid: {error}.") from None
    for key in ("url", "anthropic_url", "ollama_url"):
        _check_address(f"model.{key}", getattr(settings.model, key))
    return Configuration(home, settings, tuple(found.values()))


def _check_address(key: str, address: str) -> None:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.username or parts.password:
        raise UsageError(f"{key} holds a name or a password. Put a key into a variable: model.key_variable names it.")
    if address and not (parts.scheme in {"http", "https"} and parts.hostname and address.split() == [address]):
        raise UsageError(f"{key} is '{address}'. Give an address like http://localhost:8000/v1.")


def _validated(found: Mapping[str, Setting]) -> Settings:
    tree: dict[str, Any] = {}
    for key, setting in found.items():
        *sections, name = key.split(".")
        place = tree
        for section in sections:
            place = place.setdefault(section, {})
        place[name] = setting.value
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        origin = next((s.origin for name, s in found.items() if key == name or key.startswith(f"{name}.")), "settings")
        raise UsageError(f"{origin}: {key} is {first['input']!r}: {first['msg']}.") from None


def _suggest(key: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f" Did you mean '{close[0]}'?" if close else " See: perdure config show"


def _read(path: str) -> dict[str, Any]:
    try:
        told = os.stat(path)
        if not stat.S_ISREG(told.st_mode) or told.st_size > LARGEST:
            raise UsageError(f"{path} is no settings file: it is not a regular file of at most {LARGEST:,} bytes.")
        with open(path, encoding="utf-8-sig") as file:
            return tomllib.loads(file.read(LARGEST))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not valid TOML: {error}. Mend the line, or remove it.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict) and key != "safety.patterns":
            found |= _flat(value, f"{key}.")
        else:
            found[key] = value
    return found


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    names = {variable(key): key for key, _field in declared()}
    known = {*names, f"{PREFIX}HOME", *SECRETS}
    for name in environ:
        if name.startswith(PREFIX) and name not in known and not name.startswith(TESTS):
            close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
            hint = f" Did you mean '{names[close[0]]}' ({close[0]})?" if close else ""
            raise UsageError(f"The variable {name} names no setting.{hint}")
    for key, field in declared():
        text = environ.get(variable(key))
        if text is None:
            continue
        plain = field.annotation in {str, int, float, bool}
        try:
            found[key] = text if plain else json.loads(text)
        except ValueError:
            raise UsageError(f'{variable(key)} must be JSON, like ["a", "b"]; it is {text!r}.') from None
    return found


def check_marker(directory: str) -> None:
    """Complain of a project's ``.perdure.toml`` that sets what only its user may set."""
    path = os.path.join(directory, MARKER)
    for key in _flat(_read(path)):
        if key not in MARKER_KEYS:
            allowed = ", ".join(MARKER_KEYS)
            raise UsageError(f"{path}: '{key}' cannot be set by a project. It may set: {allowed}.")


def template(author: str = "") -> str:
    """A ``config.toml`` with every setting commented out at its default, and the author where there is one."""
    lines = ["# Settings of Perdure. Each line shows a default: take away the # to change it.", ""]
    section = ""
    for key, field in declared():
        head, _, name = key.rpartition(".")
        if head != section:
            section = head
            lines += ["", f"[{head}]"]
        lines += [f"# {field.description}", f"# {name} = {as_toml(field.get_default())}"]
    if author:
        lines[lines.index('# author = ""')] = f"author = {as_toml(author)}"
    return "\n".join(lines) + "\n"


def as_toml(value: Any) -> str:  # noqa: ANN401 - any setting
    """A value as it stands in a TOML file."""
    return "{}" if value == {} else json.dumps(value)


def for_hook(configuration: Configuration, worker: list[str]) -> dict[str, Any]:
    """The flat settings that ``hook.json`` holds, so that a hook parses no TOML and validates nothing."""
    settings = configuration.settings
    recall, briefing = settings.recall, settings.briefing
    return {
        "version": 1,
        "author": settings.author,
        "capture": settings.capture.enabled,
        "ignore": settings.capture.ignore,
        "allow": settings.safety.allow,
        "patterns": settings.safety.patterns,
        "deadline_ms": briefing.deadline_ms,
        "budgets": {
            "start": [briefing.tokens, briefing.characters],
            "first_prompt": [recall.first_prompt_tokens, recall.first_prompt_tokens * 4],
            "later_prompt": [recall.later_prompt_tokens, recall.later_prompt_tokens * 4],
        },
        "floors": [recall.floor, recall.strict_floor],
        "worker": worker,
    }
