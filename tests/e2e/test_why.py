from __future__ import annotations

import json

import pytest


@pytest.mark.req("why.command", "cli.objects")
def test_a_script_records_and_corrects_and_asks_what_it_believed_and_why_that_changed(ready):
    def ask(command, **told):
        return json.loads(ready.perdure(command, "--json", "-", stdin=json.dumps(told)))

    old = ask("remember", text="The session timeout is 30 minutes", valid_from="2026-01-01")["memory"]
    new = ask("supersede", memory=old, text="The session timeout is 15 minutes", valid_from="2026-05-01")["memory"]

    told = ask("why", question="session timeout", as_of="2026-03-01")
    assert [[each["id"] for each in belief["statements"]] for belief in told["beliefs"]] == [[], [old]]
    assert [(each["id"], each["cause"]) for each in told["revisions"]] == [
        (old, "added"),
        (new, "added"),
        (old, "superseded"),
    ]
    said = ready.perdure("why", "session", "timeout", "--as-of", "2026-03-01")
    assert "on 2026-03-01 this held: The session timeout is 30 minutes" in said


@pytest.mark.req("projects.command")
def test_two_authors_share_a_project_until_one_is_removed(ready):
    ben = {"PERDURE_AUTHOR": "ben"}
    name = ready.json("remember", "Tickets are printed at the pier")["memory"]
    assert ready.perdure("show", name, code=3, **ben).startswith("perdure: There is no memory")

    ready.perdure("project", "add-member", "ben")
    assert "Tickets are printed" in ready.perdure("why", "tickets printed", **ben)
    ready.perdure("project", "remove-member", "ben")
    assert ready.perdure("why", name, code=3, **ben).startswith("perdure: There is no memory")
    assert "not a member of work" in ready.perdure("project", "add-member", "ben", code=4, **ben)
