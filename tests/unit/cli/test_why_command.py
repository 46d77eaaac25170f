from __future__ import annotations

import json

import pytest
import time_machine

from perdure.domain.access import Reader
from perdure.domain.memory import Channel, Provenance, Trust
from perdure.testing.fakes import START, Scribe, statement

pytestmark = pytest.mark.req("why.command")

JANUARY, MAY, JUNE = (f"2026-{month:02}-05T10:00:00+00:00" for month in (1, 5, 6))


@pytest.fixture
def said(call):
    """Run a command at a time and give what it printed."""

    def printed(at, *arguments, code=0):
        with time_machine.travel(at, tick=False):
            left, out, err = call(*arguments)
        assert left == code, err
        return out + err

    return printed


@pytest.fixture
def timeout(said):
    """The timeout was 30 minutes from January on, and 15 from May on; gives both names."""
    old = json.loads(said(JANUARY, "remember", "The session timeout is 30 minutes", "--json"))["memory"]
    new = json.loads(said(MAY, "supersede", old, "The session timeout is 15 minutes", "--json"))["memory"]
    return old, new


def short(name):
    return name[-12:-4]


def test_what_was_believed_on_a_date_and_why_it_changed_is_one_command(said, timeout):
    old, new = map(short, timeout)

    assert said(JUNE, "why", "session", "timeout", "--as-of", "2026-03-05") == (
        f"On 2026-03-05 you believed: The session timeout is 30 minutes [{old}]\n"
        f"    It changed on 2026-05-05 10:00: superseded by {new}.\n"
        f"    {new}: The session timeout is 15 minutes\n"
        "\n"
        f"2026-01-05 10:00  {old}  recorded  <- believed then\n"
        "    The session timeout is 30 minutes\n"
        "    holds from 2026-01-05 10:00\n"
        "    by ana, by hand\n"
        "Recorded after 2026-03-05:\n"
        f"2026-05-05 10:00  {new}  recorded, in place of {old}\n"
        "    The session timeout is 15 minutes\n"
        "    holds from 2026-05-05 10:00\n"
        "    by ana, by hand\n"
        f"2026-05-05 10:00  {old}  superseded by {new}\n"
        "    holds from 2026-01-05 10:00 to 2026-05-05 10:00\n"
        "    by ana, by hand\n"
    )


def test_each_way_of_asking_for_a_time_says_what_it_answers(said, timeout):
    old, new = map(short, timeout)

    def first(*options):
        return said(JUNE, "why", old, *options).splitlines()[0]

    assert [
        first("--known-at", "2026-05-06"),
        first("--known-at", "2026-05-05T12:30"),
        first("--known-at", "2026-03-05", "--as-of", "2026-02-01"),
        first("--known-at", "2026-01-01"),
        first(),
    ] == [
        f"On 2026-05-06 you believed: The session timeout is 15 minutes [{new}]",
        f"On 2026-05-05 12:30 you believed: The session timeout is 15 minutes [{new}]",
        f"On 2026-03-05 you believed of 2026-02-01: The session timeout is 30 minutes [{old}]",
        "On 2026-01-01 you believed: nothing about this.",
        f"2026-01-05 10:00  {old}  recorded",
    ]
    assert "    It still stands.\n" in said(JUNE, "why", old, "--known-at", "2026-05-06")


def test_what_was_learned_later_of_a_date_is_told_beside_what_was_believed_on_it(said):
    name = short(
        json.loads(said(MAY, "remember", "The session timeout is 30 minutes", "--valid-from", "2026-01-01", "--json"))[
            "memory"
        ]
    )

    assert said(JUNE, "why", name, "--as-of", "2026-03-05").splitlines()[:3] == [
        "On 2026-03-05 you believed: nothing about this.",
        f"As known now, on 2026-03-05 this held: The session timeout is 30 minutes [{name}]",
        "    It still stands.",
    ]


def test_all_that_happened_to_a_statement_is_said_in_words(said, timeout):
    _old, new = timeout
    for command in (("pin", new), ("pin", "--off", new), ("feedback", new, "helped", "--note", "an hour saved")):
        said(JUNE, *command)
    said(JUNE, "mark", new, "expired")
    said(JUNE, "undo")
    said(JUNE, "forget", new)

    told = said(JUNE, "why", new)
    assert [line.split(f"{short(new)}  ")[1] for line in told.splitlines() if f"  {short(new)}  " in line] == [
        f"recorded, in place of {short(timeout[0])}",
        "pinned",
        "unpinned",
        "helped",
        "marked expired",
        "brought back: a change was undone",
        "forgotten",
    ]
    assert '    "helped: an hour saved"\n' in told


def test_what_was_undone_is_told_as_taken_back(said, timeout):
    old, new = map(short, timeout)
    said(JUNE, "undo")

    assert said(JUNE, "why", old).splitlines()[11:] == [
        f"2026-06-05 10:00  {old}  brought back: a change was undone",
        "    holds from 2026-01-05 10:00",
        "    by ana, by hand",
        f"2026-06-05 10:00  {new}  taken back: a change was undone",
        "    holds from 2026-05-05 10:00 to 2026-06-05 10:00",
        "    by ana, by hand",
    ]
    said(JUNE, "undo", "3")
    assert f"{old}  superseded again: a change was undone" in said(JUNE, "why", old)


def test_source_and_reason_are_told_and_no_secret_leaves(app, said):
    secret = "ghp_" + "n0tReal9PerdureTest0nlyQw7ZxK2mVb4X7"
    from perdure.domain.ledger import AuditRow

    with app.store.unit(Reader("ana"), write=True) as unit:
        number = unit.changes.begin(AuditRow(START, "ana", "add", "m", "hand", f"it names\x1b[1m {secret}"))
        origin = Provenance(Channel.USER_MESSAGE, Trust.USER, "s1", f"we  said\n{secret}")
        told = Scribe(after=0xABCD).add(
            unit, statement("the lamp is red\nand small", title="Lamp"), provenance=origin, change=number
        )

    out = said(JUNE, "why", told.memory.id)
    assert secret not in out + said(JUNE, "why", told.memory.id, "--json")
    lines = out.splitlines()
    assert lines[1:5] == [
        "    Lamp: the lamp is red",
        "    and small",
        "    holds from 1970-01-01 00:00",
        "    by ana, said in a session, session s1",
    ]
    assert lines[5].startswith('    "we said ')
    assert lines[6].startswith("    because: it names ")


@pytest.mark.req("why.reason")
def test_a_change_that_a_rule_made_is_told_with_its_reason_once(said):
    said(JANUARY, "remember", "The session timeout is 30 minutes")
    said(MAY, "remember", "The session timeout is 15 minutes")

    lines = said(JUNE, "why", "session timeout", "--known-at", "2026-03-05").splitlines()
    (reason,) = [line for line in lines if line.startswith("    because: ")]
    assert lines[-1] == reason
    assert "session timeout" in reason
    assert lines[1].endswith(f"Because: {reason.removeprefix('    because: ')}")


def test_a_program_gets_the_whole_chain(said, timeout):
    old, new = timeout
    told = json.loads(said(JUNE, "why", old, "--as-of", "2026-03-05", "--json"))
    chain = [
        {key: each[key] for key in ("id", "cause", "action", "reason", "others", "believed", "after")}
        for each in told["revisions"]
    ]

    assert chain == [
        {"id": old, "cause": "added", "action": "add", "reason": "", "others": [], "believed": True, "after": False},
        {
            "id": new, "cause": "added", "action": "supersede", "reason": "",
            "others": [old], "believed": False, "after": True,
        },
        {
            "id": old, "cause": "superseded", "action": "supersede", "reason": "",
            "others": [new], "believed": False, "after": True,
        },
    ]  # fmt: skip
    (belief,) = told["beliefs"]
    assert (belief["as_of"], belief["known_at"]) == ("2026-03-05T00:00:00+00:00",) * 2
    assert [(each["id"], each["ended_by"]) for each in belief["statements"]] == [
        (old, told["revisions"][2]["revision"])
    ]
    assert {key: told[key] for key in ("memory", "also", "left_out", "nothing")} == {
        "memory": old, "also": [], "left_out": 0, "nothing": None,
    }  # fmt: skip


def test_what_else_answers_the_question_is_named(said, timeout):
    other = short(json.loads(said(MAY, "remember", "The session cookie is signed", "--json"))["memory"])

    out = said(JUNE, "why", "session")
    assert [line for line in out.splitlines() if line.startswith("See also")] == [
        f"See also {short(timeout[1])}: The session timeout is 15 minutes"
    ]
    assert f"{other}  recorded" in out
    assert "See also" not in said(JUNE, "why", "timeout")


@pytest.mark.parametrize(
    ("asked", "code", "says"),
    [
        (("zebra",), 0, "Nothing stored answers this"),
        ((" ",), 0, "There is nothing to look for in this question."),
        (("deadbeef",), 3, "There is no memory 'deadbeef'."),
        (("session", "--project", "nowhere"), 3, "There is no project 'nowhere'"),
        (("session", "--as-of", "2026-02-30"), 2, "'2026-02-30' is not a date"),
        (("session", "--known-at", "soon"), 2, "'soon' is not a date"),
    ],
)
def test_no_answer_is_said_as_recall_says_it(said, timeout, asked, code, says):
    assert says in said(JUNE, "why", *asked, code=code)


def test_nothing_is_told_to_programs_in_the_same_shape(said, timeout):
    told = json.loads(said(JUNE, "why", "zebra", "--json"))

    assert told == {
        "memory": None,
        "beliefs": [],
        "revisions": [],
        "also": [],
        "left_out": 0,
        "nothing": {"reason": "nothing passed", "best": 0.0},
    }


def test_a_word_that_could_be_an_id_and_is_none_is_a_question(said):
    said(MAY, "remember", "Port 8080 is for the pier")

    assert "Port 8080 is for the pier" in said(JUNE, "why", "8080")


def test_to_ask_why_is_to_read(app, said, timeout):
    said(JUNE, "why", timeout[0])

    with app.store.unit(Reader("ana")) as unit:
        assert [unit.access.reads(name) for name in timeout] == [1, 0]
