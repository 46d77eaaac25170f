from __future__ import annotations

import pytest

pytestmark = pytest.mark.req("cli.errors")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("remember", "x", "--type", "semantics"), 2, "'semantics' is not one of 'preference', 'semantic'"),
        (("remember", "x", "--project", ""), 2, "Name a project with --project, or say --global for none, not both."),
        (("remember", "x", "--project", "ferry", "--global"), 2, "not both"),
        (("remember", "x", "--project", "nowhere"), 3, "There is no project 'nowhere'"),
        (("remember", "x", "--project", "ferry"), 4, "You cannot share with project 'ferry'"),
        (("remember", "x", "--valid-from", "2026-02-30"), 2, "'2026-02-30' is not a date"),
        (("remember", "x", "--valid-to", "tomorrow"), 2, "'tomorrow' is not a date"),
        (("remember", "x", "--valid-from", "2026-02-02", "--valid-to", "2026-02-01"), 4, "lies before valid-from"),
        (("remember", "x", "--confidence", "nan"), 4, "confidence must lie between 0 and 1"),
        (("remember", "x", "--confidence", "inf"), 4, "confidence must lie between 0 and 1"),
        (("remember", "x", "--importance", "high"), 2, "'high' is not a valid float"),
        (("remember", "word " * 13_000), 4, "a memory holds at most 64,000"),
        (("supersede", "deadbeef", "x"), 3, "There is no memory 'deadbeef'"),
        (("mark", "deadbeef", "gone"), 2, "'gone' is not one of 'retracted', 'expired'"),
        (("mark", "deadbeef"), 2, "Missing argument"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence_and_nothing_is_written(call, rows, arguments, code, says):
    call("remember", "the pier is red")
    before = rows()

    left, out, err = call(*arguments)
    assert (left, says in err, out) == (code, True, ""), err
    assert rows() == before


@pytest.mark.parametrize("type_of", [(), ("--type", "preference"), ("--type", "procedural")])
def test_what_is_private_may_be_of_a_project_of_others(call, type_of):
    assert call("remember", "the pier is red", "--project", "ferry", "--private", *type_of)[0] == 0
