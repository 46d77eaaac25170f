"""From what a model said to a value that meets the contract."""

from __future__ import annotations

import json
import re

from perdure.domain.errors import ModelInvalid
from perdure.safety.defang import defang

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import NoReturn

    from perdure.domain.json import Json

LONGEST = 200_000
"""Characters of an answer that are looked at. A contract asks for a few thousand."""
COMPLAINT = 300

_THOUGHT = re.compile(r"<(think|thinking)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_FENCED = re.compile(r"```[^\n`]*\n(.*?)\n?```", re.DOTALL)
_BRACKETS = {"array": ("[", "]"), "object": ("{", "}")}


def read(text: str, contract: Mapping[str, Json]) -> Json:
    """The value in an answer. Thoughts, code fences and words around the JSON are no part of it.

    A contract of type ``string`` takes the words themselves. Raises ``ModelInvalid`` that says what is wrong.
    """
    if len(text) > LONGEST:
        raise ModelInvalid(f"the answer has {len(text):,} characters, and {LONGEST:,} are the most", text)
    said = without_thoughts(text)
    if contract.get("type") == "string":
        fenced = _FENCED.fullmatch(said)
        value: Json = (fenced[1] if fenced else said).strip()
    else:
        value = _json(said, _BRACKETS[str(contract["type"])], text)
    _hold(value, contract, text)
    return value


def without_thoughts(text: str) -> str:
    """The text without what the model thought aloud; a thought whose beginning was cut away counts too."""
    text = _THOUGHT.sub("", text)
    ends = list(_THOUGHT_END.finditer(text))
    return text[ends[-1].end() :].strip() if ends else text.strip()


def _json(said: str, brackets: tuple[str, str], text: str) -> Json:
    opening, closing = brackets
    for part in _candidates(said, opening, closing):
        try:
            found: Json = json.loads(part, parse_constant=_refuse)
        except (ValueError, RecursionError):
            continue
        return found
    what = "array" if opening == "[" else "object"
    raise ModelInvalid(f"there is no JSON {what} in the answer", text)


def _candidates(said: str, opening: str, closing: str) -> Iterator[str]:
    """Where the JSON may be, the most likely place first."""
    yield said
    for fenced in _FENCED.finditer(said):
        yield fenced[1]
    begin, end = said.find(opening), said.rfind(closing)
    if 0 <= begin < end:
        yield said[begin : end + 1]


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _hold(value: Json, contract: Mapping[str, Json], text: str) -> None:
    """Hold a value to a JSON Schema. fastjsonschema: one small pure module, and the schemas are our own."""
    import fastjsonschema

    try:
        fastjsonschema.compile(dict(contract), use_default=False)(value)
    except fastjsonschema.JsonSchemaValueException as error:
        told = re.sub(r"^data\b", "the answer", error.message)
        raise ModelInvalid(defang(told)[:COMPLAINT], text) from None
