from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from benchmarks import _corpus, _lib, hook, ingest, load, recall, supersession
from benchmarks._home import CAPTURES
from benchmarks._lib import Figure, Options, as_json, quantile, table

pytestmark = pytest.mark.req("bench.baseline")

TINY = Options("tiny")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.fixture
def built(tmp_path, monkeypatch):
    """Stores are built below the test's own directory."""
    monkeypatch.setattr(_corpus, "BUILD", str(tmp_path / "build"))


def values(figures):
    return {figure.name: figure.value for figure in figures}


def test_a_goal_may_bound_the_value_or_its_ratio_to_the_baseline():
    met = [
        Figure("a", 5.0),
        Figure("a", 5.0, most=5),
        Figure("a", 5.0, least=5),
        Figure("a", 5.0, baseline=2.5, most_ratio=2),
    ]
    missed = [
        Figure("a", 5.1, most=5),
        Figure("a", 4.9, least=5),
        Figure("a", 5.1, baseline=2.5, most_ratio=2),
        Figure("a", 5.0, most_ratio=2),
    ]
    assert [figure.met for figure in (*met, *missed)] == [True] * 4 + [False] * 4


def test_a_table_is_aligned_and_says_which_goal_is_missed():
    shown = table([Figure("starts", 42.5, "ms", 17.0, most_ratio=2), Figure("lost", 0, most=0), Figure("runs", 1200)])
    assert shown.splitlines() == [
        "        measured  baseline   ratio    goal",
        "starts   42.5 ms   17.0 ms  2.50 x  <= 2 x  MISSED",
        "lost           0                      <= 0  ok",
        "runs       1,200",
    ]


def test_json_says_all_that_the_table_says():
    told = json.loads(as_json(Options("long", 7), [Figure("lost", 1, "", 4, most=0)]))
    assert (told["size"], told["seed"], told["machine"]) == ("long", 7, _lib.machine())
    (figure,) = told["figures"]
    assert (figure["name"], figure["value"], figure["ratio"], figure["goal"], figure["met"]) == (
        "lost", 1, 0.25, "<= 0", False
    )  # fmt: skip


@pytest.mark.parametrize(("share", "value"), [(0.5, 2), (0.75, 3), (0.76, 4), (0.99, 4), (1.0, 4), (0.0, 1)])
def test_a_quantile_is_the_smallest_value_that_the_share_does_not_exceed(share, value):
    assert quantile([3, 1, 4, 2], share) == value


def test_the_same_seed_makes_the_same_memories_of_150_to_400_characters():
    drafts = [change.draft for change in _corpus.changes(5, 40)]
    assert drafts == [change.draft for change in _corpus.changes(5, 40)]
    assert drafts != [change.draft for change in _corpus.changes(6, 40)]
    assert all(_corpus.SHORTEST <= len(draft.body) <= _corpus.LONGEST for draft in drafts)


def test_a_question_is_three_to_eight_words_of_a_stored_text():
    text = "one two three four five six seven eight nine ten"
    asked = _corpus.questions([(1, text)], 3, 50)
    assert {len(question.split()) for question in asked} == {3, 4, 5, 6, 7, 8}
    assert set(" ".join(asked).split()) <= set(text.split())


def test_a_full_store_is_built_once_and_replaces_those_of_an_older_shape(built):
    path = _corpus.ledger(1, 30)
    made = os.stat(path).st_mtime_ns
    assert (_corpus.ledger(1, 30), os.stat(path).st_mtime_ns) == (path, made)

    other = _corpus.ledger(2, 30)
    assert (os.path.exists(path), os.path.exists(other)) == (False, True)
    assert len(_corpus.project_texts(other)) > 5


def test_the_import_measures_the_door_beside_a_bare_table():
    (figure,) = ingest.measure(TINY)
    assert figure.value > 0
    assert figure.ratio


def test_recall_measures_a_project_and_everything_beside_a_plain_index(built):
    figures = recall.measure(TINY)
    assert [bool(figure.ratio) for figure in figures] == [True] * 4 + [False]
    assert values(figures)["questions answered"] == 100


def test_the_hook_is_measured_as_a_process_for_every_event(built):
    figures = hook.measure(TINY)
    found = values(figures)
    assert [name for name in found if name.endswith(", cpu")] == [
        f"{event}, cpu" for event in (*CAPTURES, *hook.ANSWERED)
    ]
    assert all(figure.ratio for figure in figures if "cpu" in figure.name or "wall" in figure.name)
    assert found["exits other than 0"] == 0


@pytest.mark.req("capture.load")
def test_sixteen_agents_at_once_have_every_turn_recorded_once():
    found = values(load.measure(TINY))
    counts = {name: value for name, value in found.items() if "wall" not in name}
    assert counts == {
        "captures": 32,
        "recorded": 32,
        "recorded twice": 0,
        "waiting afterwards": 0,
        "exits other than 0": 0,
        "lines in the hooks' log": 0,
    }


def test_what_is_missing_and_what_stands_twice_is_counted():
    assert load.exactly_once(Counter(["a", "b", "b", "c"]), ["a", "b", "d", "e"]) == (2, 1)


def test_a_benchmark_is_one_command_that_fails_where_a_goal_is_missed():
    program = (
        "from benchmarks._lib import Figure, main\n"
        "main('Counts.', lambda options: [Figure(options.size, options.seed, most=5)])"
    )
    done = [
        subprocess.run(
            [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
        for arguments in (["--tiny", "--seed", "5"], ["--long", "--seed", "6", "--json"])
    ]
    assert [each.returncode for each in done] == [0, 1]
    assert done[0].stdout.startswith("Counts.\ntiny form, seed 5; ")
    assert json.loads(done[1].stdout)["figures"][0]["name"] == "long"


@pytest.mark.req("bench.supersession")
def test_the_newest_of_made_up_facts_answers_first():
    (first, _taken, calls) = supersession.measure(TINY)

    assert (first.met, calls.value) == (True, 0)
    assert first.baseline is not None
    assert first.baseline < first.value


@pytest.mark.req("bench.supersession")
def test_a_published_set_is_scored_from_its_file(tmp_path):
    told = {
        "source": "two facts",
        "context": "Here is a list of facts:\n0. The capital of Ferrania is Dock.\n1. The capital of Ferrania is Pier.",
        "questions": ["What is the capital of Ferrania?", "What is the capital of Ferrania?"],
        "answers": [["pier", "The Pier"], ["Dock"]],
    }
    path = tmp_path / "facts.json"
    path.write_text(json.dumps([told]))

    found = values(supersession.measure(Options("tiny", data=str(path))))

    assert found.pop("telling and asking, two facts") >= 0
    assert found == {"newest@1, two facts": 0.5, "calls of a model": 0}
