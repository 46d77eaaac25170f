from __future__ import annotations

import json
import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.cli import stdin
from perdure.domain.access import Reader
from perdure.domain.errors import UsageError

pytestmark = pytest.mark.req("cli.objects")


@pytest.fixture
def tell(call):
    """Run a command with an object on standard input; gives its exit code and its answer."""

    def told(command, data):
        code, out, err = call(
            command, "--json", "-", data=data if isinstance(data, bytes) else json.dumps(data).encode()
        )
        assert err == ""
        return code, json.loads(out)

    return told


def remembered(tell, **told):
    code, answer = tell("remember", told)
    assert (code, answer["outcome"]) == (0, "written"), answer
    return answer["memory"]


def test_a_statement_with_all_its_options_is_remembered_from_an_object(tell):
    name = remembered(
        tell,
        text="- Deploys happen on Mondays",
        title="Deploys",
        type="procedural",
        importance=1,
        confidence=0.25,
        private=True,
        **{"valid-from": "2026-01-01T00:00:00+00:00", "valid_to": "2026-02-01T00:00:00+00:00"},
        tag=["deploy", "monday"],
    )
    code, shown = tell("show", {"memory": name})

    expected = {
        "id": name,
        "body": "- Deploys happen on Mondays",
        "title": "Deploys",
        "type": "procedural",
        "importance": 1.0,
        "confidence": 0.25,
        "scope": "private",
        "valid_from": "2026-01-01T00:00:00+00:00",
        "valid_to": "2026-02-01T00:00:00+00:00",
        "tags": ["deploy", "monday"],
    }
    assert (code, {key: shown[key] for key in expected}) == (0, expected)


def test_each_command_takes_an_object_and_answers_as_it_does_otherwise(tell, call):
    red = remembered(tell, text="the pier is red", tag="paint")
    code, answer = tell("supersede", {"memory": red, "text": "the pier is blue", "valid_from": "2026-05-01"})
    blue = answer["memory"]

    assert (code, answer["closed"]) == (0, [red])
    code, answer = tell("recall", {"question": "pier", "limit": 1, "kind": ["fact"], "superseded": False})
    assert [(hit["id"], hit["replaces"]) for hit in answer["hits"]] == [(blue, [red])]
    assert tell("history", {"memory": red}) == (0, json.loads(call("history", "--json", red)[1]))
    assert tell("show", {"memory": blue}) == (0, json.loads(call("show", "--json", blue)[1]))
    assert tell("why", {"question": red}) == (0, json.loads(call("why", red, "--json")[1]))
    assert tell("mark", {"memory": blue, "state": "expired", "at": None})[1]["outcome"] == "written"
    assert tell("show", {"memory": blue})[1]["state"] == "expired"


@pytest.mark.parametrize("text", ["-", "--", "--json", "-rf", " x ", "港の料金", "a\nb", "🎉", "\\n"])
def test_a_text_in_an_object_is_only_a_text(tell, text):
    assert tell("show", {"memory": remembered(tell, text=text)})[1]["body"] == text.strip()


def test_a_dash_without_json_is_a_text_on_standard_input(call):
    code, out, _err = call("remember", "-", data=b'{"text": "x"}')

    assert (code, out.startswith("Remembered as ")) == (0, True)
    assert json.loads(call("recall", "text", "--json")[1])["hits"][0]["body"] == '{"text": "x"}'


def test_a_dash_among_words_is_a_word(call):
    assert call("remember", "open", "-", "closed", "--json")[0] == 0
    assert json.loads(call("recall", "open", "--json")[1])["hits"][0]["body"] == "open - closed"


BAD_OBJECTS = {
    "no object": (b"[]", 2, "must hold one JSON object, and holds a list"),
    "a text": (b'"x"', 2, "must hold one JSON object, and holds a text"),
    "nothing": (b"", 2, "is not a JSON object"),
    "null": (b"null", 2, "holds null"),
    "two objects": (b'{"text": "x"} {}', 2, "is not a JSON object: Extra data at line 1, column 15"),
    "torn": (b'{"text": "x', 2, "is not a JSON object"),
    "no UTF-8": (b'{"text": "\xff"}', 2, "is not UTF-8: byte 10"),
    "UTF-16": ('{"text": "x"}'.encode("utf-16"), 2, "is not UTF-8"),
    "half a character": (rb'{"text": "\ud800"}', 2, "'text' holds half a character"),
    "half a character in a list": (rb'{"text": "x", "tag": ["\udc00"]}', 2, "'tag' holds half a character"),
    "a key twice": (b'{"text": "x", "text": "y"}', 2, "'text' stands twice"),
    "a key in two spellings": (b'{"text": "x", "valid-to": "2026-01-01", "valid_to": "2026-01-01"}', 2, "stands twice"),
    "too large": (b'{"text": "' + b"x" * 1_000_000 + b'"}', 2, "more than 1,000,000 bytes"),
    "too long a text": (b'{"text": "' + b"word " * 13_000 + b'"}', 4, "a memory holds at most 64,000"),
    "too deep": (b'{"text": ' + b"[" * 400_000, 2, "nested too deeply"),
    "a number of many digits": (b'{"text": "x", "importance": ' + b"9" * 5_000 + b"}", 2, "number that is too large"),
    "a number past all floats": (b'{"text": "x", "importance": ' + b"9" * 400 + b"}", 2, "'importance' is too large"),
    "NaN": (b'{"text": "x", "confidence": NaN}', 2, "NaN is no number in JSON"),
    "infinity": (b'{"text": "x", "confidence": -Infinity}', 2, "-Infinity is no number in JSON"),
    "infinity in digits": (b'{"text": "x", "confidence": 1e999}', 4, "confidence must lie between 0 and 1"),
    "out of range": (b'{"text": "x", "importance": -0.1}', 4, "importance must lie between 0 and 1"),
    "an unknown key": (
        b'{"text": "x", "titel": "y"}',
        2,
        "'titel' is no option of this command. Did you mean 'title'?",
    ),
    "a strange key": (b'{"text": "x", "": "y"}', 2, "'' is no option of this command. There are: text, title, type"),
    "the key json": (b'{"text": "x", "json": true}', 2, "'json' is no option"),
    "no text": (b'{"title": "x"}', 2, "Missing argument 'TEXT...'"),
    "a text that is null": (b'{"text": null}', 2, "Missing argument 'TEXT...'"),
    "a text that is a number": (b'{"text": 5}', 2, "'text' must be a text, and is a number."),
    "a text that is a list": (b'{"text": ["x"]}', 2, "'text' must be a text, and is a list."),
    "an empty text": (b'{"text": " "}', 4, "There is nothing to record"),
    "a number that is a text": (
        b'{"text": "x", "importance": "1"}',
        2,
        "'importance' must be a number, and is a text.",
    ),
    "a number that is true": (b'{"text": "x", "importance": true}', 2, "must be a number, and is true or false."),
    "a flag that is a text": (b'{"text": "x", "private": "no"}', 2, "'private' must be true or false, and is a text."),
    "a tag that is an object": (
        b'{"text": "x", "tag": {}}',
        2,
        "'tag' must be a text or a list of texts, and is an ob",
    ),
    "a tag that is a number": (b'{"text": "x", "tag": [1]}', 2, "'tag' must be a text, and is a number."),
    "an unknown type": (b'{"text": "x", "type": "semantics"}', 2, "'semantics' is not one of 'preference', 'semantic'"),
    "no such day": (b'{"text": "x", "valid_from": "2026-02-30"}', 2, "'2026-02-30' is not a date"),
    "an end before the start": (
        b'{"text": "x", "valid_from": "2026-02-02", "valid_to": "2026-02-01"}',
        4,
        "valid-to lies before valid-from",
    ),
    "an unknown project": (b'{"text": "x", "project": "nowhere"}', 3, "There is no project 'nowhere'"),
    "a project without a name": (b'{"text": "x", "project": ""}', 2, "Name a project with --project"),
    "a project and none": (b'{"text": "x", "project": "ferry", "global": true}', 2, "not both"),
    "another's project": (b'{"text": "x", "project": "ferry"}', 4, "You cannot share with project 'ferry'"),
}


@pytest.mark.req("cli.objects-refused")
@pytest.mark.parametrize("kind", BAD_OBJECTS)
def test_a_bad_object_is_answered_with_one_sentence_and_its_code_and_nothing_is_written(tell, rows, kind):
    data, expected, says = BAD_OBJECTS[kind]
    remembered(tell, text="the pier is red")
    before = rows()

    code, answer = tell("remember", data)
    assert (code, says in answer["reason"], answer["outcome"]) == (
        expected,
        True,
        "denied" if expected == 4 else "error",
    ), answer
    assert "\n" not in answer["reason"]
    assert rows() == before


@pytest.mark.req("cli.objects-refused")
def test_a_statement_is_superseded_once(tell, rows):
    red = remembered(tell, text="the pier is red")
    tell("supersede", {"memory": red, "text": "the pier is blue"})
    before = rows()

    code, answer = tell("supersede", {"memory": red, "text": "the pier is green"})
    assert (code, answer["outcome"]) == (4, "denied")
    assert "is already superseded" in answer["reason"]
    assert rows() == before


@pytest.mark.req("cli.objects-refused")
@pytest.mark.parametrize(
    ("command", "more"),
    [("supersede", {"text": "x"}), ("mark", {"state": "expired"}), ("show", {}), ("history", {})],
)
def test_an_id_that_one_may_not_read_is_answered_as_one_that_is_missing(app, tell, rows, command, more):
    from perdure.domain.memory import Scope
    from perdure.testing.fakes import Scribe, statement

    with app.store.unit(Reader("ben"), write=True) as unit:
        said, scribe = statement("the pier is red"), Scribe(after=0xABCD)
        hidden = scribe.add(unit, said, author="ben", project="ferry", scope=Scope.PROJECT).memory.id
    missing = hidden.replace("abce", "abcf")
    before = rows()

    answers = [tell(command, {"memory": name, **more}) for name in (hidden, missing)]
    assert answers[0][0] == 3
    assert [
        answer["reason"].replace(name, "ID") for (_code, answer), name in zip(answers, (hidden, missing), strict=True)
    ] == ["There is no memory 'ID'. Use the eight digits that perdure recall prints."] * 2
    assert rows() == before


@pytest.mark.req("cli.objects-refused")
def test_options_beside_an_object_are_refused(call, rows):
    before = rows()
    code, out, err = call("remember", "--json", "-", "--private", data=b'{"text": "x"}')

    assert (code, json.loads(out)["reason"], err) == (
        2, "With --json - all stands in the object on standard input: --private too.", "",
    )  # fmt: skip
    assert rows() == before


@pytest.mark.req("cli.objects-refused")
@pytest.mark.parametrize("command", ["supersede", "mark", "show", "history", "recall", "why"])
def test_every_command_names_what_its_object_lacks_or_has_too_much(tell, command):
    assert tell(command, {})[0] == 2
    code, answer = tell(command, {"colour": 1})
    assert (code, answer["reason"].startswith("'colour' is no option of this command. ")) == (2, True)


@pytest.mark.req("cli.json-errors")
@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("show", "--json", "abcd1234"), 3, "NotFound"),
        (("remember", "--json"), 2, "UsageError"),
        (("recall", "x", "--as-of", "soon", "--json"), 2, "UsageError"),
        (("nonsense", "--json"), 2, "UsageError"),
        (("project", "remove-member", "ana", "ferry", "--json"), 4, "Refused"),
    ],
)
def test_a_program_reads_errors_as_json_with_the_exit_code_of_their_class(call, arguments, code, error):
    left, out, err = call(*arguments)

    told = json.loads(out)
    assert (left, err, {**told, "reason": ""}) == (
        code, "", {"outcome": "error", "error": error, "reason": "", "code": code},
    )  # fmt: skip
    assert told["reason"]


@pytest.mark.req("cli.json-errors")
def test_a_person_reads_errors_as_sentences(call):
    assert call("show", "abcd1234") == (
        3, "", "perdure: There is no memory 'abcd1234'. Use the eight digits that perdure recall prints.\n",
    )  # fmt: skip
    assert call("remember", "--", "--json")[0] == 0


@pytest.mark.req("cli.text")
def test_a_text_on_standard_input_has_a_limit_and_bytes_that_are_no_text_are_replaced(call):
    assert call("remember", "-", data=b"x" * 1_000_001)[0] == 2
    assert call("remember", "-", data=b"caf\xe9 au lait")[0] == 0
    assert call("remember", "--title", "\udce9", "--tag", "\udce9", "--", "tea \udce9")[0] == 0
    assert json.loads(call("recall", "lait", "--json")[1])["hits"][0]["body"] == "caf\N{REPLACEMENT CHARACTER} au lait"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(st.binary(max_size=60) | JSON.map(json.dumps).map(str.encode))
def test_any_bytes_are_an_object_or_a_sentence(data):
    try:
        said = "." if isinstance(stdin.parse(data), dict) else "no object"
    except UsageError as error:
        said = str(error)
    assert said.endswith(".")


@pytest.mark.req("cli.text")
def test_a_closed_standard_input_is_said_in_a_sentence(call, monkeypatch):
    code, _out, err = call("remember", "-", data=None)

    assert (code, err) == (
        2, "perdure: Standard input is closed. Give the text itself, or let something be read.\n",
    )  # fmt: skip


@pytest.fixture
def zone(monkeypatch):
    """Live in a time zone for the length of a test."""

    def lived_in(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    usual = os.environ["TZ"]
    yield lived_in
    os.environ["TZ"] = usual
    time.tzset()


@pytest.mark.req("cli.times")
@pytest.mark.parametrize("place", ["Asia/Tokyo", "America/New_York"])
def test_the_first_and_the_last_day_of_all_are_times_in_utc_and_a_sentence_elsewhere(tell, call, zone, place):
    zone(place)
    ends = ("0001-01-01", "9999-12-31T23:59:59", "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00")
    answers = [tell("remember", {"text": f"lamp {number}", "valid_from": at}) for number, at in enumerate(ends)]

    assert [code for code, _answer in answers] == [2, 2, 0, 0]
    assert answers[0][1]["reason"] == "'0001-01-01T00:00:00' lies outside the years 1 to 9999 in UTC."
    for _code, answer in answers[2:]:
        for command in ("show", "why", "history"):
            assert call(command, answer["memory"])[0] == 0
