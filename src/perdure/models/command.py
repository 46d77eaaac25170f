"""Any program that reads a question on its standard input and writes the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perdure.domain.errors import ModelInvalid, ModelUnavailable, Unavailable
from perdure.domain.orders import Answer
from perdure.safety.defang import defang

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from perdure.domain.orders import Question

    class Completed(Protocol):
        """How a program ended."""

        @property
        def code(self) -> int: ...  # noqa: D102 - as in system.process
        @property
        def out(self) -> bytes: ...  # noqa: D102
        @property
        def err(self) -> bytes: ...  # noqa: D102
        @property
        def truncated(self) -> bool: ...  # noqa: D102

    class Run(Protocol):
        """``perdure.system.process.run``: never through a shell, and all of the program's group ends with it."""

        def __call__(  # noqa: D102
            self,
            argv: Sequence[str],
            *,
            cwd: str | None = None,
            env: Mapping[str, str] | None = None,
            stdin: bytes = b"",
            timeout: float,
            cap: int = ...,
        ) -> Completed: ...


CAP = 4 << 20
LAST_WORDS = 300
NO_HOME = "/dev/null/perdure"
"""The home that such a program sees: one that cannot be. An agent that runs our hooks must not fill the memory with
the questions that it is asked."""


class Command:
    """``perdure.ports.Model``."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], timeout: float, run: Run) -> None:
        """Name the program with its arguments, and what it may see of the environment."""
        self.name = f"command: {argv[0]}"
        self._argv = list(argv)
        kept = {name: value for name, value in environ.items() if not name.startswith("PERDURE_")}
        self._environ = {**kept, "PERDURE_HOME": NO_HOME}
        self._timeout = timeout
        self._run = run

    def complete(self, question: Question) -> Answer:
        """See the port."""
        asked = f"{question.instructions}\n\n{question.text}\n".encode("utf-8", "replace")
        try:
            done = self._run(self._argv, cwd="/", env=self._environ, stdin=asked, timeout=self._timeout, cap=CAP)
        except Unavailable as error:
            raise ModelUnavailable(str(error)) from error
        text = done.out.decode("utf-8", "replace")
        if done.truncated:
            raise ModelInvalid(f"The answer has more than {CAP >> 20} MB.", text[: CAP >> 6])
        if done.code != 0:
            words = " ".join(defang(done.err.decode("utf-8", "replace")).split())
            said = f": {words[-LAST_WORDS:]}" if words else ", and said nothing"
            raise ModelUnavailable(f"{self._argv[0]} ended with code {done.code}{said}")
        return Answer(text)
