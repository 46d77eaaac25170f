from __future__ import annotations

import json

import pytest

from perdure.domain import drafts
from perdure.domain.access import Reader
from perdure.domain.instants import DAY
from perdure.domain.memory import LATEST, handle
from perdure.domain.proposal import Action, Member, Proposal, Standing
from perdure.domain.record import replace
from perdure.testing.fakes import START, Scribe, SequentialIds, draft, statement

pytestmark = pytest.mark.req("review.command")

ANA = Reader("ana")
SECRET = "ghp_" + "n0tReal9PerdureTest0nlyQw7ZxK2mVb4X7"
OLD, NEW = "The session timeout is 30 minutes", "The session timeout is 15 minutes"


@pytest.fixture
def propose(app):
    """Queue a proposal about statements of these words; gives its short name and those of its members."""
    scribe, ids = Scribe(after=0xABC0), SequentialIds(after=0xDEF0)

    def proposed(action, *said, body="", **changes):
        with app.store.unit(ANA, write=True) as unit:
            entries = [scribe.add(unit, statement(each, valid_from=START)) for each in said]
            members = tuple(Member(each.memory.id, each.revision.id) for each in entries)
            asked = Proposal(ids.new(), "ana", action, members, 0.6, "Both say the timeout.", START + DAY)
            if body:
                asked = replace(asked, draft=drafts.to_json(draft(body)))
            name = unit.proposals.put(replace(asked, **changes))
        return [name.rpartition("-")[2][:8], *(handle(each.memory.id) for each in entries)]

    return proposed


@pytest.fixture
def timeout(propose):
    return propose(Action.SUPERSEDE, OLD, NEW)


def standing(app, name):
    with app.store.unit(ANA) as unit:
        return unit.proposals.get(unit.proposals.resolve(name, 1)[0]).standing


def test_an_empty_queue_says_so(call):
    assert call("review") == (0, "Nothing waits for you.\n", "")
    assert call("review", "list") == (0, "Nothing waits for you.\n", "")
    assert json.loads(call("review", "--json")[1]) == {"waiting": 0, "proposals": []}
    assert json.loads(call("review", "stale", "--json")[1]) == []
    assert "to decide" not in call("status")[1]


def test_what_waits_is_listed_where_there_is_no_terminal(call, propose, timeout):
    (merge, *_members) = propose(
        Action.MERGE, "The lamp is red", "Red is the lamp", body="The lamp is red.", confidence=0.7
    )

    assert call("review")[1] == (
        f"{merge}  0.70  The lamp is red and 1 more\n"
        "                would become: The lamp is red.\n"
        f"{timeout[0]}  0.60  {OLD}\n"
        f"                gives way to: {NEW}\n"
        "Decide: perdure review\n"
    )
    told = json.loads(call("review", "list", "--limit", "1", "--json")[1])
    assert (told["waiting"], [each["handle"] for each in told["proposals"]]) == (2, [merge])
    assert "review     2 to decide: perdure review\n" in call("status")[1]
    assert json.loads(call("status", "--json")[1])["proposals"] == 2


def test_of_thousands_a_few_are_listed_and_the_rest_is_counted(app, call, propose):
    _name, *_pair = propose(Action.SUPERSEDE, OLD, NEW)
    ids = SequentialIds(after=0x90000)
    with app.store.unit(ANA, write=True) as unit:
        first = unit.proposals.pending(1)[0]
        for number in range(3_000):
            members = (first.members[0], Member(first.members[1].memory, f"r{number}"))
            unit.proposals.put(replace(first, id=ids.new(), members=members, confidence=0.5))

    out = call("review", "list", "--limit", "1")[1]

    assert out.splitlines()[-1] == "And 3,000 more: perdure review list --limit 3001"
    assert call("review", "list", "--limit", "0")[0] == 2


@pytest.mark.req("review.show")
def test_what_an_approval_would_change_is_shown(call, timeout):
    name, old, new = timeout

    assert call("review", "show", name)[1] == (
        f"{name}  supersede, 0.60 sure, found 2024-10-05\n"
        "  Both say the timeout.\n"
        f"  {old}  2024-10-04  ana\n"
        f"  - {OLD}\n"
        f"  {new}  2024-10-04  ana\n"
        f"  + {NEW}\n"
        f"Decide: perdure review approve {name}, or perdure review reject {name}\n"
    )


@pytest.mark.req("review.show")
def test_all_members_of_a_merge_are_shown_against_the_draft(call, propose):
    name, one, other = propose(Action.MERGE, "The lamp is red", "Red is the lamp", body="The lamp: red.")

    assert call("review", "show", name)[1].splitlines()[2:8] == [
        f"  {one}  2024-10-04  ana",
        "  - The lamp is red",
        f"  {other}  2024-10-04  ana",
        "  - Red is the lamp",
        "  (not recorded yet)  2024-10-05  ana",
        "  + The lamp: red.",
    ]


@pytest.mark.req("review.show")
def test_a_program_is_told_a_proposal_whole(app, call, timeout):
    name, old, new = timeout
    with app.store.unit(ANA) as unit:
        proposal = unit.proposals.pending(1)[0]
        entries = [unit.memories.get(member.memory, LATEST) for member in proposal.members]
    common = {"author": "ana", "project": "", "state": "active", "valid_from": "2024-10-04T00:00:00+00:00"}

    assert json.loads(call("review", "show", name, "--json")[1]) == {
        "id": proposal.id,
        "handle": name,
        "action": "supersede",
        "standing": "pending",
        "confidence": 0.6,
        "reason": "Both say the timeout.",
        "created": "2024-10-05T00:00:00+00:00",
        "members": [
            {"id": entries[0].memory.id, "handle": old, **common, "text": OLD},
            {"id": entries[1].memory.id, "handle": new, **common, "text": NEW},
        ],
        "new": NEW,
        "stale": "",
        "hindrance": "",
        "note": "",
        "resolved": None,
        "change": None,
        "undone": None,
    }


@pytest.mark.req("review.show")
def test_no_secret_and_no_command_to_the_terminal_leaves(call, propose):
    bad = f"timeout\x1b]0;owned\x07 \x9b31m{SECRET}\u202e"
    name, *_members = propose(
        Action.REPEAT, f"{bad} old", reason=bad, draft={"kind": "fact", "title": bad, "body": f"{bad} new"}
    )
    call("review", "reject", name, "--note", bad)

    for arguments in (("show", name), ("show", name, "--json")):
        code, out, _err = call("review", *arguments)
        assert (code, "timeout" in out) == (0, True)
        for part in (SECRET, "\x1b", "\x9b", "\u202e", "\\u001b"):
            assert part not in out


def test_several_are_approved_and_each_is_answered_for(app, call, propose, timeout):
    repeat = propose(Action.REPEAT, "Backups run at noon", body="Backups are run at noon")

    code, out, err = call("review", "approve", timeout[0], "deadbeef", repeat[0], repeat[0])

    assert code == 3
    assert out.splitlines()[0] == f"{timeout[0]}: done. {timeout[1]} gave way to {timeout[2]}."
    assert out.splitlines()[1].startswith(f"{repeat[0]}: done. {repeat[1]} gave way to ")
    assert err == "deadbeef: There is no proposal 'deadbeef'. See: perdure review list\n"
    assert [standing(app, name) for name in (timeout[0], repeat[0])] == [Standing.APPROVED] * 2


def test_a_program_is_told_what_came_of_each(call, timeout):
    code, out, err = call("review", "approve", "deadbeef", timeout[0], timeout[0].upper(), "--json")

    missing, done, again = json.loads(out)
    assert (code, err) == (3, "")
    assert missing == {
        "proposal": "deadbeef",
        "outcome": "error",
        "error": "NotFound",
        "says": "There is no proposal 'deadbeef'. See: perdure review list",
        "code": 3,
    }
    assert (done["outcome"], handle(done["memory"]), list(map(handle, done["closed"]))) == (
        "written",
        timeout[2],
        [timeout[1]],
    )
    assert (again["outcome"], again["error"], again["code"]) == ("error", "Conflict", 5)


@pytest.mark.req("review.stale")
def test_what_is_stale_is_told_to_be_so_and_why(app, call, timeout):
    name, old, _new = timeout
    call("pin", old)
    why = f"{old} was changed since this was proposed."
    assert call("review", "show", name)[1].splitlines()[-2:] == [
        f"  {why}",
        f"It can only be rejected: perdure review reject {name}",
    ]

    assert call("review", "approve", name) == (5, "", f"{name}: {why} The proposal is stale, and was not applied.\n")
    assert call("review", "list")[1] == "Nothing waits for you.\n"
    assert call("review", "show", name)[1].splitlines()[-1].endswith(f": {why}")
    assert standing(app, name) is Standing.STALE


@pytest.mark.req("review.undo")
def test_an_approval_that_was_undone_is_told_to_be(call, timeout):
    name, old, _new = timeout
    call("review", "approve", name)
    number = json.loads(call("review", "show", name, "--json")[1])["change"]
    assert call("review", "show", name)[1].endswith(f". Take it back: perdure undo {number}\n")

    assert call("undo")[0] == 0

    assert call("review", "show", name)[1].endswith(f", and taken back by change {number + 1}.\n")
    assert json.loads(call("review", "show", name, "--json")[1])["undone"] == number + 1
    assert OLD in call("recall", "session timeout")[1]
    assert call("review", "list")[1] == "Nothing waits for you.\n"
    assert json.loads(call("show", old, "--json")[1])["state"] == "active"


def test_a_rejection_is_kept_with_its_note(app, call, timeout):
    name = timeout[0]

    assert call("review", "reject", name, "--note", "Both hold.") == (0, f"{name}: rejected.\n", "")
    assert call("review", "show", name)[1].splitlines()[-1].endswith(": Both hold.")
    assert call("review", "reject", name)[0] == 5
    assert call("review", "approve", name) == (5, "", f"{name}: Proposal {name} is rejected already.\n")
    assert standing(app, name) is Standing.REJECTED


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("show", "deadbeef"), 3, "There is no proposal 'deadbeef'. See: perdure review list"),
        (("show", ""), 3, "There is no proposal ''"),
        (("show", "\x1b[31mdead"), 3, "There is no proposal 'dead'"),
        (("approve",), 2, "Missing argument"),
        (("approve", "%"), 3, "There is no proposal '%'"),
        (("reject", "deadbeef", "--note", "\udcff"), 3, "There is no proposal"),
        (("reject", "deadbeef", "--note", "x" * 1_001), 2, "A note has at most 1,000 characters"),
        (("stale", "--days", "0"), 2, "'--days'"),
        (("stale", "--days", "99999999999"), 2, "'--days'"),
        (("stale", "--days", "soon"), 2, "'soon' is not a valid integer"),
        (("list", "--limit", "-1"), 2, "'--limit'"),
        (("nothing",), 2, "No such command 'nothing'"),
    ],
)
def test_bad_input_is_told_in_a_sentence_and_changes_nothing(call, rows, timeout, arguments, code, says):
    before = rows()

    left, out, err = call("review", *arguments)

    assert (left, says in err, out) == (code, True, ""), err
    assert rows() == before


@pytest.mark.req("review.fading")
def test_what_was_left_for_long_is_listed_with_when_it_was_asked_for(app, call):
    scribe = Scribe(after=0xABC0)
    with app.store.unit(ANA, write=True) as unit:
        asked, never = (scribe.add(unit, statement(words)) for words in ("The pier is red", f"The lamp is {SECRET}"))
        unit.access.read([asked.memory.id], "ana", START + DAY)

    code, out, _err = call("review", "stale")

    assert (code, SECRET in out) == (0, False)
    lines = out.splitlines()
    assert lines[:3] == [
        f"{handle(asked.memory.id)}  2024-10-04  The pier is red",
        "          semantic, asked for 2024-10-05",
        lines[2],
    ]
    assert lines[2].startswith(f"{handle(never.memory.id)}  2024-10-04  The lamp is ")
    assert lines[3:] == [
        "          semantic, never asked for",
        "Close one that holds no more: perdure mark MEMORY expired",
    ]
    first = json.loads(call("review", "stale", "--json")[1])[0]
    assert (first["id"], first["text"], first["last_read"]) == (
        asked.memory.id,
        "The pier is red",
        "2024-10-05T00:00:00+00:00",
    )
    assert call("review", "stale", "--days", "36500")[1] == "Nothing of yours was left untouched for 36500 days.\n"


@pytest.mark.req("review.fading")
def test_the_queue_and_what_was_left_are_the_same_wherever_one_stands(app, call, timeout):
    with app.store.unit(ANA, write=True) as unit:
        unit.projects.admit("ferry", "ana", 0)
        entry = Scribe(after=0xC000).add(unit, statement("The ferry is red", valid_from=START), project="ferry")

    assert entry.memory.id in [each["id"] for each in json.loads(call("review", "stale", "--json")[1])]
    assert timeout[0] in call("review", "list")[1]


@pytest.mark.parametrize("arguments", [(), ("list",), ("show", "x"), ("approve", "x"), ("reject", "x"), ("stale",)])
def test_without_a_memory_each_says_how_to_begin(call, monkeypatch, tmp_path, arguments):
    monkeypatch.setenv("PERDURE_HOME", str(tmp_path / "none"))

    code, out, err = call("review", *arguments)

    assert (code, out) == (3, "")
    assert err.startswith("perdure: There is no memory at ")
    assert "perdure init" in err
