from __future__ import annotations

import json

import pytest

from perdure.hosts import jsontext

pytestmark = pytest.mark.req("hosts.claude-install")


@pytest.mark.parametrize(
    ("text", "path", "value", "key", "expected"),
    [
        ("{}", (), 1, "a", '{\n  "a": 1\n}'),
        ('{"l": []}', ("l",), {"b": [1]}, "", '{"l": [{"b": [1]}]}'),
        ('{"l": [1]}', ("l",), 2, "", '{"l": [1, 2]}'),
        ('{"l":[1,2]}', ("l",), 3, "", '{"l":[1,2, 3]}'),
        ('{"l": [1 ,2]}', ("l",), 3, "", '{"l": [1 ,2, 3]}'),
        ('{\n  "l": [\n    1\n  ]\n}', ("l",), [2], "", '{\n  "l": [\n    1,\n    [\n      2\n    ]\n  ]\n}'),
        ('{\n  "o": {}\n}', ("o",), 1, "k", '{\n  "o": {\n    "k": 1\n  }\n}'),
        ('{\n\n\n  "a": 1\n}', (), 2, "b", '{\n\n\n  "a": 1,\n  "b": 2\n}'),
        ('{"a": {"x": 1}, "a": {}}', ("a",), 2, "y", '{"a": {"x": 1}, "a": {"y": 2}}'),
        ('{"a": "}]\\"{["}', (), 2, "é", '{"a": "}]\\"{[", "é": 2}'),
    ],
)
def test_a_value_is_put_in_in_the_style_of_what_surrounds_it(text, path, value, key, expected):
    assert jsontext.insert(text, path, value, key) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('{"a": 1}', ("a",), "{}"),
        ('{ "a": 1, "b": 2 }', ("a",), '{ "b": 2 }'),
        ('{ "a": 1, "b": 2 }', ("b",), '{ "a": 1 }'),
        ('{"l": [1, 2 , 3]}', ("l", 1), '{"l": [1 , 3]}'),
        ('{\n  "a": 1,\n  "b": 2\n}', ("b",), '{\n  "a": 1\n}'),
        ('{"a": 1, "b": 2, "a": 3}', ("a",), '{"a": 1, "b": 2}'),
    ],
)
def test_a_value_is_taken_out_with_its_comma(text, path, expected):
    assert jsontext.remove(text, path) == expected


def test_a_text_is_put_in_the_place_of_another():
    text = '\ufeff{"l": [{"c": "old"}], "c": "old"}'

    assert jsontext.replace(text, ("l", 0, "c"), 'new "é"') == '\ufeff{"l": [{"c": "new \\"é\\""}], "c": "old"}'


def test_what_was_put_in_can_be_parsed():
    text = jsontext.insert('{"a": [1]}', ("a",), {"x": None})

    assert jsontext.parse(text, "f") == json.loads(text) == {"a": [1, {"x": None}]}
