from __future__ import annotations

import os
import shlex
import sys

import pytest

from perdure.domain.errors import ModelInvalid, ModelUnavailable
from perdure.domain.orders import Answer, Question
from perdure.domain.record import replace
from perdure.models import command, prompting
from perdure.models.command import Command
from perdure.models.key import Key
from perdure.models.select import Means, Wanted, backend_of, model_for
from perdure.system import process
from perdure.system.clock import Deadline

pytestmark = pytest.mark.req("models.selection")

NOTHING_SET = Wanted(
    backend="auto",
    url="",
    key=Key(),
    anthropic_url="http://127.0.0.1:1",
    anthropic_key=Key(),
    ollama_url="http://127.0.0.1:1",
    command=(),
    models={"default": "", "small": ""},
    tokens=16_000,
    timeout=5.0,
)
URL = {"url": "http://127.0.0.1:1/v1"}
ANTHROPIC = {"anthropic_key": Key("k")}
COMMAND = {"command": ("ask", "-q")}
NAMED = {"models": {"default": "large", "small": "tiny"}}
MEANS = Means({}, process.run, Deadline)


def chosen(role="default", **told):
    found = model_for(replace(NOTHING_SET, **told), role, MEANS)
    return found and found.name


def test_nothing_set_is_no_model():
    assert chosen() is None
    assert backend_of(NOTHING_SET) == "none"


@pytest.mark.parametrize(
    ("told", "name"),
    [
        (URL | ANTHROPIC | COMMAND | NAMED, "openai-compatible: large"),
        (ANTHROPIC | COMMAND | NAMED, "anthropic: large"),
        (ANTHROPIC, "anthropic: claude-haiku-4-5"),
        (COMMAND | NAMED, "command: ask"),
        (NAMED, "ollama: large"),
        (URL | NAMED | {"backend": "ollama"}, "ollama: large"),
        (URL | NAMED | {"backend": "none"}, None),
    ],
)
def test_the_first_that_is_set_serves_unless_one_is_named(told, name):
    assert chosen(**told) == name


@pytest.mark.parametrize(
    ("models", "names"),
    [
        ({"default": "large", "small": "tiny"}, ("large", "tiny")),
        ({"default": "large", "small": ""}, ("large", "large")),
        ({"default": "", "small": "tiny"}, ("tiny", "tiny")),
    ],
)
def test_a_role_without_a_model_has_the_other_s(models, names):
    assert tuple(chosen(role, models=models) for role in ("default", "small")) == tuple(
        f"ollama: {name}" for name in names
    )


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (URL, "Set model.roles.default"),
        ({"backend": "openai"} | NAMED, "Set model.url"),
        ({"backend": "ollama"}, "Set model.roles.default"),
        ({"backend": "anthropic"}, "There is no key"),
        ({"backend": "command"}, "Set model.cmd"),
        (URL | NAMED | {"variable": "ACME_KEY"}, "The variable ACME_KEY"),
        ({"anthropic_variable": "ACME_KEY"}, "The variable ACME_KEY"),
    ],
)
def test_what_is_missing_is_said(told, says):
    with pytest.raises(ModelUnavailable, match=says):
        chosen(**told)


@pytest.mark.req("models.keys")
def test_what_is_wanted_can_be_shown_without_the_key():
    assert "s3cret" not in repr(replace(NOTHING_SET, key=Key("s3cret"), anthropic_key=Key("s3cret")))


QUESTION = Question("Pick — what lasts.", "[1] user: ça va", {"type": "array"})


def run(code, *arguments, timeout=20.0, **environ):
    argv = [sys.executable, "-I", "-c", code, *arguments]
    return Command(argv, {"PATH": os.environ["PATH"]} | environ, timeout, process.run).complete(QUESTION)


@pytest.mark.req("models.command")
def test_a_program_reads_the_question_and_writes_the_answer():
    answer = run("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())")

    assert answer == Answer("Pick — what lasts.\n\n[1] user: ça va\n")


@pytest.mark.req("models.command")
def test_a_program_is_run_without_a_shell_and_sees_no_home_to_fill():
    told = "sys.argv[1:], os.getcwd(), os.environ.get('PERDURE_MODEL_KEY'), os.environ['PERDURE_HOME']"
    code = f"import os, sys; print({told})"

    answer = run(code, "$(id); `id`", "* ?", PERDURE_HOME="/real", PERDURE_MODEL_KEY="k")

    assert answer.text == "['$(id); `id`', '* ?'] / None /dev/null/perdure\n"


@pytest.mark.req("models.command")
def test_a_program_that_fails_is_unavailable_with_its_last_words():
    with pytest.raises(ModelUnavailable) as caught:
        run("import sys; sys.stderr.write('x' * 5000 + '\\n\\x1b[31mno credit left\\n'); sys.exit(3)")

    assert " ended with code 3: " in str(caught.value)
    assert str(caught.value).endswith("no credit left")
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.req("models.command")
def test_a_program_that_fails_in_silence_says_so():
    with pytest.raises(ModelUnavailable, match="ended with code 1, and said nothing"):
        run("import sys; sys.exit(1)")


@pytest.mark.req("models.command")
def test_a_program_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path):
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    child = f"import os, time; os.open({str(pipe)!r}, os.O_WRONLY); time.sleep(600)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)

    with pytest.raises(ModelUnavailable, match="gave no answer within 2 seconds"):
        run(code, timeout=2.0)

    assert os.read(reader, 1) == b""  # nobody is left who could write
    os.close(reader)


@pytest.mark.req("models.command")
def test_a_program_that_is_not_there_is_unavailable():
    with pytest.raises(ModelUnavailable, match="was not found"):
        Command(shlex.split("no-such-program -x"), {"PATH": "/nowhere"}, 5.0, process.run).complete(QUESTION)


@pytest.mark.req("models.command")
def test_a_program_that_never_ends_its_answer_cannot_be_used(monkeypatch):
    monkeypatch.setattr(command, "CAP", 1 << 20)

    with pytest.raises(ModelInvalid) as caught:
        run("import sys\nwhile True: sys.stdout.write('y' * 65536)")

    assert len(caught.value.answer) <= 1 << 20


@pytest.mark.req("models.prompts")
@pytest.mark.parametrize("name", sorted(prompting.VARIABLES))
def test_a_prompt_s_file_names_its_variables_and_no_others(name):
    assert prompting.used(name) == prompting.VARIABLES[name]
    told = {variable: f"<{variable}>" for variable in prompting.VARIABLES[name]}
    assert all(value in "".join(prompting.render(name, told)) for value in told.values())


@pytest.mark.req("models.prompts")
def test_every_prompt_is_known():
    assert {f"{name}.md" for name in prompting.VARIABLES} == set(os.listdir(prompting.FOLDER))


@pytest.mark.req("models.prompts")
@pytest.mark.parametrize("told", [{}, {"reason": "r", "more": "m"}, {"raison": "r"}])
def test_a_missing_or_unknown_variable_is_an_error(told):
    with pytest.raises(ValueError, match=r"the prompt again takes \['reason'\] and was given"):
        prompting.render("again", told)


@pytest.mark.req("models.prompts")
def test_a_file_that_names_another_variable_is_an_error(monkeypatch):
    monkeypatch.setitem(prompting.VARIABLES, "again", frozenset({"reason", "more"}))

    with pytest.raises(ValueError, match="has in its file"):
        prompting.render("again", {"reason": "r", "more": "m"})


@pytest.mark.req("models.prompts")
def test_what_stands_in_a_value_stays_as_it_is():
    hostile = "{{contract}}\n---\n{{project}} \\1"

    instructions, text = prompting.render("extract", {"contract": "C", "project": "P", "transcript": hostile})

    assert text.endswith(hostile)
    assert instructions.endswith("C")
