from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading

import pytest

from perdure.domain.errors import Unavailable, UsageError
from perdure.system.process import Completed, run, spawn_detached

BARE = {"PATH": os.defpath}
PATIENCE = 30.0


def python(code, *args):
    return [sys.executable, "-I", "-S", "-c", code, *args]


class Pipe:
    """A named pipe: what others wrote, and whether any of them is still there."""

    def __init__(self, path):
        self.path = str(path)
        os.mkfifo(self.path)
        self.descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def read_to_end(self):
        """All that is written until the last writer is gone."""
        data = b""
        while select.select([self.descriptor], [], [], PATIENCE)[0]:
            piece = os.read(self.descriptor, 65536)
            if not piece:
                return data
            data += piece
        pytest.fail("somebody still holds the pipe")


@pytest.fixture
def pipe(tmp_path):
    made = Pipe(tmp_path / "pipe")
    yield made
    os.close(made.descriptor)


@pytest.mark.req("process.result")
def test_output_errors_and_exit_code_are_told():
    code = "import sys; sys.stdout.write('o\\n'); sys.stderr.write('e\\n'); sys.exit(7)"

    assert run(python(code), cwd=None, env=BARE, timeout=PATIENCE) == Completed(7, b"o\n", b"e\n")


@pytest.mark.req("process.result")
def test_death_by_a_signal_is_a_negative_code():
    code = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"

    assert run(python(code), env=BARE, timeout=PATIENCE) == Completed(-signal.SIGTERM, b"", b"")


@pytest.mark.req("process.result")
def test_large_input_and_output_pass_without_a_deadlock():
    data = bytes(range(256)) * 8192
    code = (
        "import sys; data = sys.stdin.buffer.read()\nsys.stderr.buffer.write(data); sys.stdout.buffer.write(data[::-1])"
    )

    assert run(python(code), env=BARE, stdin=data, timeout=PATIENCE) == Completed(0, data[::-1], data)


@pytest.mark.req("process.result")
def test_a_program_that_does_not_read_its_input_is_no_error():
    result = run(python("print('done')"), env=BARE, stdin=b"x" * (1 << 20), timeout=PATIENCE)

    assert result == Completed(0, b"done\n", b"")


@pytest.mark.req("process.result")
def test_without_input_a_program_reads_nothing():
    code = "import sys; print(repr(sys.stdin.read()))"

    assert run(python(code), env=BARE, timeout=PATIENCE).out == b"''\n"


@pytest.mark.req("process.no-shell")
def test_no_shell_reads_the_arguments(tmp_path):
    words = ["$HOME", "`id`", "; touch x", "*", "", "a b", "-n", "字"]
    code = "import json, sys; print(json.dumps(sys.argv[1:]))"

    result = run(python(code, *words), cwd=str(tmp_path), env=BARE, timeout=PATIENCE)

    assert json.loads(result.out) == words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.req("process.environment")
def test_directory_and_environment_are_those_given(tmp_path, monkeypatch):
    monkeypatch.setenv("LEFT_BEHIND", "1")
    code = "import json, os; print(json.dumps([os.getcwd(), dict(os.environ)]))"

    result = run(python(code), cwd=str(tmp_path), env={"ONE": "1", "LC_ALL": "C"}, timeout=PATIENCE)

    assert json.loads(result.out) == [os.path.realpath(tmp_path), {"ONE": "1", "LC_ALL": "C"}]


@pytest.mark.req("process.environment")
def test_without_an_environment_it_is_ours(monkeypatch):
    monkeypatch.setenv("HANDED_DOWN", "yes")

    assert run(python("import os; print(os.environ['HANDED_DOWN'])"), timeout=PATIENCE).out == b"yes\n"


@pytest.mark.req("process.environment")
def test_a_program_has_a_session_without_a_terminal_and_none_of_our_descriptors():
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)  # noqa: FBT003 - the standard library's way
    code = (
        "import os, sys\n"
        "try: os.fstat(int(sys.argv[1])); leaked = True\n"
        "except OSError: leaked = False\n"
        "print(os.getsid(0) == os.getpid(), leaked)"
    )
    try:
        assert run(python(code, str(writer)), env=BARE, timeout=PATIENCE).out == b"True False\n"
    finally:
        os.close(reader)
        os.close(writer)


@pytest.mark.req("process.bounds")
def test_output_beyond_the_cap_ends_the_program_and_is_flagged():
    code = "import sys\nwhile True: sys.{}.write('x' * 65536)"

    for stream in ("stdout", "stderr"):
        result = run(python(code.format(stream)), env=BARE, timeout=PATIENCE, cap=100_000)

        wanted = (b"x" * 100_000, b"") if stream == "stdout" else (b"", b"x" * 100_000)
        assert result == Completed(-signal.SIGKILL, *wanted, truncated=True)


@pytest.mark.req("process.bounds")
def test_output_of_exactly_the_cap_is_whole():
    result = run(python("import sys; sys.stdout.write('x' * 1000)"), env=BARE, timeout=PATIENCE, cap=1000)

    assert result == Completed(0, b"x" * 1000, b"")


@pytest.mark.req("process.bounds")
def test_a_program_that_takes_too_long_is_ended_with_all_it_started(pipe):
    code = (
        "import os, signal, sys\n"
        "os.open(sys.argv[1], os.O_WRONLY)\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "os.fork()\n"
        "while True: signal.pause()"
    )

    with pytest.raises(Unavailable, match=r"gave no answer within 1 seconds and was ended; try again"):
        run(python(code, pipe.path), env=BARE, timeout=1.0)

    assert pipe.read_to_end() == b""


@pytest.mark.req("process.bounds")
def test_time_runs_out_for_a_program_that_has_closed_its_output_too():
    code = "import os, signal; os.close(1); os.close(2); signal.pause()"

    with pytest.raises(Unavailable, match="gave no answer"):
        run(python(code), env=BARE, timeout=0.5)


@pytest.mark.req("process.bounds")
def test_what_a_program_leaves_behind_does_not_hold_us_up(pipe):
    code = (
        "import os, signal, sys\n"
        "ready, go = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    held = os.open(sys.argv[1], os.O_WRONLY)\n"
        "    os.write(held, b'here'); os.write(go, b'!')\n"
        "    while True: signal.pause()\n"
        "os.read(ready, 1); print('done', flush=True); os._exit(3)"
    )

    result = run(python(code, pipe.path), env=BARE, timeout=PATIENCE)

    assert result == Completed(3, b"done\n", b"")
    assert pipe.read_to_end() == b"here"


@pytest.mark.req("process.bounds")
def test_a_daemon_that_left_the_group_and_holds_the_output_does_not_hold_us_up(tmp_path, pipe):
    stop = tmp_path / "stop"
    os.mkfifo(stop)
    code = (
        "import os, sys\n"
        "ready, go = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.setsid(); os.open(sys.argv[1], os.O_WRONLY); os.write(go, b'!')\n"
        "    os.open(sys.argv[2], os.O_RDONLY); os._exit(0)\n"
        "os.read(ready, 1); print('done', flush=True); os._exit(0)"
    )

    assert run(python(code, pipe.path, str(stop)), env=BARE, timeout=PATIENCE) == Completed(0, b"done\n", b"")

    os.close(os.open(stop, os.O_WRONLY))
    assert pipe.read_to_end() == b""


@pytest.mark.req("process.bounds")
def test_nothing_is_left_open_or_running(pipe):
    before = set(os.listdir("/dev/fd")), threading.active_count()

    run(python("import sys; sys.stdin.read()"), env=BARE, stdin=b"x", timeout=PATIENCE)
    with pytest.raises(Unavailable):
        run(python("import signal; signal.pause()"), env=BARE, stdin=b"x", timeout=0.3)

    assert (set(os.listdir("/dev/fd")), threading.active_count()) == before


@pytest.mark.req("process.errors")
@pytest.mark.parametrize("start", [lambda argv: run(argv, env=BARE, timeout=PATIENCE), spawn_detached])
def test_a_missing_program_is_named_with_what_to_do(start):
    with pytest.raises(Unavailable, match=r"^no-such-program was not found; install it, or put it on the PATH$"):
        start(["no-such-program"])


@pytest.mark.req("process.errors")
def test_a_missing_directory_is_not_taken_for_a_missing_program(tmp_path):
    with pytest.raises(Unavailable, match="there is no such directory"):
        run(python(""), cwd=str(tmp_path / "gone"), env=BARE, timeout=PATIENCE)


@pytest.mark.req("process.errors")
def test_a_file_that_is_no_program_is_named(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("hello")

    with pytest.raises(Unavailable, match=r"notes\.txt can't be started: Permission denied"):
        run([str(file)], env=BARE, timeout=PATIENCE)


@pytest.mark.req("process.errors")
@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_a_text_that_no_program_can_take_is_refused(text):
    with pytest.raises(UsageError, match="NUL"):
        run(python("", text), env=BARE, timeout=PATIENCE)


@pytest.mark.req("process.detached")
def test_a_detached_program_has_nothing_of_ours(pipe):
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)  # noqa: FBT003 - the standard library's way
    code = (
        "import json, os, sys\n"
        "null = os.stat(os.devnull).st_rdev\n"
        "nulls = [os.fstat(number).st_rdev == null for number in range(3)]\n"
        "try: os.fstat(int(sys.argv[2])); leaked = True\n"
        "except OSError: leaked = False\n"
        "pid = os.getpid()\n"
        "told = [os.getsid(0) == pid, nulls, leaked, os.getcwd(), pid, os.environ['ONE']]\n"
        "os.write(os.open(sys.argv[1], os.O_WRONLY), json.dumps(told).encode())"
    )
    before = set(threading.enumerate())
    try:
        pid = spawn_detached(python(code, pipe.path, str(writer)), {"ONE": "1"})
    finally:
        os.close(writer)
        os.close(reader)
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)

    assert json.loads(pipe.read_to_end()) == [True, [True] * 3, False, "/", pid, "1"]
    with pytest.raises(ChildProcessError):  # it has been waited for, so it is no zombie
        os.waitpid(pid, os.WNOHANG)
