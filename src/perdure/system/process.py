"""Start programs: the only place that does.

Never through a shell, always in a session of its own, so that nothing can ask at the terminal and one
signal ends all of it.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perdure.domain.errors import Unavailable, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CAP = 16 << 20
"""Bytes that are kept of each of a program's two outputs unless the caller says otherwise."""

_CHUNK = 1 << 16
_REAP = 5.0  # seconds in which the system should have ended a killed program


@dataclass(frozen=True, slots=True)
class Completed:
    """How a program ended: exit code (negative for a signal) and what it wrote.

    ``truncated`` says that it wrote more than the cap and was ended for it: each output then holds at most
    the cap's bytes, and the code is the signal's.
    """

    code: int
    out: bytes
    err: bytes
    truncated: bool = False


def run(
    argv: Sequence[str],
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    timeout: float,
    cap: int = CAP,
) -> Completed:
    """Run a program to its end and return what it wrote, whatever its exit code.

    ``timeout`` is in seconds, ``cap`` in bytes for each output. Whatever the program leaves running in its
    process group ends with it. ``Unavailable`` where the program is missing, can't be started or takes too
    long; ``UsageError`` for an argument that no program can take.
    """
    process = _start(argv, cwd, env, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL, out=subprocess.PIPE)
    call = _Call(process, stdin, cap)
    timer = threading.Timer(timeout, call.expire)
    timer.daemon = True
    waiter = threading.Thread(target=call.wait, daemon=True)
    try:
        timer.start()
        waiter.start()
        call.exchange()
    finally:
        timer.cancel()
        call.end()
        timer.join()
        waiter.join(_REAP)
        call.close()
    if call.late:
        raise Unavailable(
            f"{argv[0]} gave no answer within {timeout:g} seconds and was ended; "
            "try again, or run it by hand to see what it waits for"
        )
    return call.completed()


def spawn_detached(argv: Sequence[str], env: Mapping[str, str] | None = None) -> int:
    """Start a program that outlives this one, and return its process id.

    It has its own session, no terminal, none of our descriptors, and keeps no directory busy. Errors are
    those of :func:`run`.
    """
    process = _start(argv, "/", env, stdin=subprocess.DEVNULL, out=subprocess.DEVNULL)
    # Whoever starts it may live long too: the thread keeps it from staying behind as a zombie.
    threading.Thread(target=process.wait, daemon=True).start()
    return process.pid


def _start(
    argv: Sequence[str], cwd: str | None, env: Mapping[str, str] | None, *, stdin: int, out: int
) -> subprocess.Popen[bytes]:
    program = argv[0]
    try:
        return subprocess.Popen(
            list(argv),
            bufsize=0,
            cwd=cwd,
            env=None if env is None else dict(env),
            stdin=stdin,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    except ValueError as error:
        raise UsageError(f"{program} can't be given a text that holds a NUL or half a character") from error
    except FileNotFoundError as error:
        if cwd is not None and not os.path.isdir(cwd):
            raise Unavailable(f"{program} can't be started in {cwd}: there is no such directory") from error
        raise Unavailable(f"{program} was not found; install it, or put it on the PATH") from error
    except OSError as error:
        raise Unavailable(f"{program} can't be started: {error.strerror}") from error


class _Call:
    """A running program, its pipes, and a bell that is rung when it has ended or its time is up.

    Two threads ring; the one that called does all else, so nothing here is locked.
    """

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, cap: int) -> None:
        self.late = False
        self._flooded = False
        self._rung = False
        self._process = process
        self._pending = memoryview(stdin)
        self._cap = cap
        self._ear, self._bell = os.pipe()
        self._written: dict[int, bytearray] = {}
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                self._written[pipe.fileno()] = bytearray()
        for descriptor in self._written:
            os.set_blocking(descriptor, False)

    def expire(self) -> None:
        """Note that the time is up."""
        self.late = True
        os.write(self._bell, b"!")

    def wait(self) -> None:
        """Wait for the program itself, be its pipes held open by others or not."""
        self._process.wait()
        os.write(self._bell, b".")

    def exchange(self) -> None:
        """Write and read until the program has ended, its time is up or its output is too long."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._ear, selectors.EVENT_READ, self._hear)
            for descriptor in self._written:
                selector.register(descriptor, selectors.EVENT_READ, self._take)
            if self._process.stdin is not None:
                os.set_blocking(self._process.stdin.fileno(), False)
                selector.register(self._process.stdin.fileno(), selectors.EVENT_WRITE, self._feed)
            while not (self._rung or self._flooded):
                for key, _ in selector.select():
                    if not key.data(key.fd):
                        selector.unregister(key.fd)
        if not self.late:
            self.end()
            for descriptor in self._written:
                while self._pull(descriptor) and not self._flooded:
                    pass

    def end(self) -> None:
        """End all that is left of the program's process group."""
        # Until the last of the group is gone its number is not given to another.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Close the pipes."""
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        if self._process.returncode is not None:  # else the bell may still be rung
            os.close(self._bell)
            os.close(self._ear)

    def completed(self) -> Completed:
        """What is to be told of it."""
        out, err = (bytes(written[: self._cap]) for written in self._written.values())
        code = self._process.returncode
        return Completed(-signal.SIGKILL if code is None else code, out, err, self._flooded)

    def _hear(self, _descriptor: int) -> bool:
        self._rung = True
        return False

    def _take(self, descriptor: int) -> bool:
        return self._pull(descriptor) != b""

    def _pull(self, descriptor: int) -> bytes | None:
        """What there is to read: nothing at the end, None where more may come later."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return None
        written = self._written[descriptor]
        written += data
        self._flooded = self._flooded or len(written) > self._cap
        return data

    def _feed(self, descriptor: int) -> bool:
        try:
            self._pending = self._pending[os.write(descriptor, self._pending[:_CHUNK]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            self._pending = self._pending[:0]
        if not self._pending and self._process.stdin is not None:
            self._process.stdin.close()
        return bool(self._pending)
