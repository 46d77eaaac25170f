from __future__ import annotations

import json

import pytest

from perdure.domain.access import Reader

pytestmark = pytest.mark.req("projects.command")


@pytest.fixture
def here(app, call, tmp_path):
    """A project in the current directory, and membership of another one; gives the first's name."""
    call("remember", "the pier is red")
    with app.store.unit(Reader("ana"), write=True) as unit:
        unit.projects.admit("ferry", "ana", 86_400_000_000)
        (own,) = unit.projects.of("ana") - {"ferry"}
    return own


def test_ones_projects_are_listed_and_the_current_one_has_a_star(here, call):
    width = len(here)

    assert call("project", "list")[1].splitlines() == [
        f"  {'ferry':<{width}}  ana, ben  (Ferry)",
        f"* {here}  ana",
    ]
    told = json.loads(call("project", "list", "--json")[1])
    assert [(each["project"], each["name"], list(each["members"]), each["here"]) for each in told] == [
        ("ferry", "Ferry", ["ana", "ben"], False),
        (here, here, ["ana"], True),
    ]


def test_without_a_project_there_is_a_sentence(call):
    assert call("project", "list")[1].startswith("You are not a member of any project yet.")
    assert call("project", "members")[::2] == (
        2, "perdure: This directory belongs to no known project. Name one: perdure project list\n",
    )  # fmt: skip


def test_members_are_told_with_the_day_since_when(here, call):
    assert call("project", "members", "Ferry")[1] == "ana  since 1970-01-02\nben  since 1970-01-01\n"
    assert json.loads(call("project", "members", "ferry", "--json")[1]) == {
        "project": "ferry",
        "name": "Ferry",
        "members": {"ana": "1970-01-02T00:00:00+00:00", "ben": "1970-01-01T00:00:00+00:00"},
    }


def test_members_are_added_to_and_removed_from_the_current_project(here, call):
    assert call("project", "add-member", "cleo")[1] == f"cleo is a member of {here} now.\n"
    assert call("project", "add-member", "cleo")[1] == f"cleo is a member of {here} already.\n"
    told = json.loads(call("project", "add-member", "ben", here, "--json")[1])
    assert (told["changed"], list(told["members"])) == (True, ["ana", "ben", "cleo"])
    assert call("project", "remove-member", "cleo")[1] == f"cleo is no member of {here} any more.\n"
    told = json.loads(call("project", "remove-member", "ben", "--json")[1])
    assert (told["changed"], told["project"], list(told["members"])) == (True, here, ["ana"])


def test_after_a_membership_changed_the_latest_change_of_a_memory_is_undone(here, call):
    call("project", "add-member", "cleo")

    assert call("undo")[1].startswith("Taken back")
    assert list(json.loads(call("project", "members", "--json")[1])["members"]) == ["ana", "cleo"]


def test_who_was_removed_no_longer_shares_from_the_project_s_directory(here, call, monkeypatch):
    call("project", "add-member", "ben")
    call("project", "remove-member", "ana")

    code, out, _err = call("remember", "the pier is blue", "--json")
    assert code == 0
    assert json.loads(call("show", json.loads(out)["memory"], "--json")[1])["scope"] == "private"
    assert call("project", "members")[0] == 4


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("members", "nowhere"), 3, "There is no project 'nowhere'"),
        (("add-member", "a b"), 2, "'a b' is no author"),
        (("remove-member", "eve"), 3, "'eve' is not a member of"),
        (("remove-member", "ana"), 4, "ana is the last member of"),
        (("add-member",), 2, "Missing argument 'AUTHOR'"),
        (("ad-member", "ben"), 2, "No such command 'ad-member'"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(here, call, arguments, code, says):
    left, _out, err = call("project", *arguments)

    assert (left, says in err) == (code, True), err
