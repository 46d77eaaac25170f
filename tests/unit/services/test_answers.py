from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.errors import ModelInvalid
from perdure.services import answers

pytestmark = pytest.mark.req("models.answers")

LIST: dict[str, Any] = {"type": "array", "maxItems": 3, "items": {"type": "object", "required": ["n"]}}
OBJECT: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}, "required": ["n"]}
LINE: dict[str, Any] = {"type": "string", "maxLength": 20, "pattern": "^[^\\n]+$"}


@pytest.mark.parametrize(
    "text",
    [
        '[{"n": 1}]',
        '  \n[{"n": 1}]\n',
        '```json\n[{"n": 1}]\n```',
        'Here you are:\n```\n[{"n": 1}]\n```\nAnything else?',
        'Sure! [{"n": 1}] That is all.',
        '<think>Perhaps [{"n": 2}]?</think>[{"n": 1}]',
        '<THINKING>\nhm\n</THINKING>\n\n```json\n[{"n": 1}]```',
        'the beginning was cut away [2]</think>\n[{"n": 1}]',
        '<think>one</think> <think>two [</think> [{"n": 1}]',
    ],
)
def test_thoughts_fences_and_words_around_are_no_part_of_an_answer(text):
    assert answers.read(text, LIST) == [{"n": 1}]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I found nothing worth keeping in this session.",
        '<think>[{"n": 1}]',
        '[{"n": 1}',
        '[{"n": 1},]',
        '[{"n": NaN}]',
        '[{"n": -Infinity}]',
        "]",
        "] [",
        "[" * 50_000,
        '[{"n": ' + "1" * 10_000 + "}]",
    ],
)
def test_what_holds_no_json_is_no_answer_and_is_kept(text):
    with pytest.raises(ModelInvalid, match="there is no JSON array in the answer") as caught:
        answers.read(text, LIST)

    assert caught.value.answer == text


@pytest.mark.parametrize(
    ("text", "contract", "says"),
    [
        ('{"n": 1}', LIST, "must be array"),
        ('[{"m": 1}]', LIST, r"the answer\[0\] must contain \['n'\] properties"),
        ('[{"n": 1}, {"n": 1}, {"n": 1}, {"n": 1}]', LIST, "must contain less than or equal to 3 items"),
        ('{"n": 4}', OBJECT, r"the answer\.n must be smaller than or equal to 3"),
        ('{"n": true}', OBJECT, r"the answer\.n must be integer"),
        ("one\ntwo", LINE, "must match pattern"),
        ("a" * 21, LINE, "must be shorter than or equal to 20 characters"),
        ("<think>only</think>", LINE, "must match pattern"),
    ],
)
def test_what_does_not_meet_the_contract_is_told_what_is_wrong(text, contract, says):
    with pytest.raises(ModelInvalid, match=says):
        answers.read(text, contract)


def test_an_object_and_a_line_are_read_as_well():
    assert answers.read('So: {"n": 2}.', OBJECT) == {"n": 2}
    assert answers.read("<think>hm</think>\n a line \n", LINE) == "a line"
    assert answers.read("```\na line\n```", LINE) == "a line"


def test_an_answer_is_read_to_a_bound():
    with pytest.raises(ModelInvalid, match="200,001 characters"):
        answers.read("[" + " " * (answers.LONGEST - 1) + "]", LIST)


@given(st.lists(st.fixed_dictionaries({"n": st.integers() | st.text()}), max_size=3), st.text(), st.booleans())
def test_any_value_comes_back_as_it_was(value, around, fenced):
    told = json.dumps(value)
    text = f"```json\n{told}\n```" if fenced else told
    around = "".join(sign for sign in around if sign not in "[]<`")

    assert answers.read(f"<think>{around}</think>\n{text}", LIST) == value


@given(st.text() | st.text(alphabet='[]{}"<think>/`\n1,n: '))
def test_any_text_is_an_answer_or_a_model_s_mistake(text):
    with suppress(ModelInvalid):
        assert isinstance(answers.read(text, LIST), list)
