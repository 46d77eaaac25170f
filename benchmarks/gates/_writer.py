"""A writer to be killed: it adds memories and prints the number of each, after the acknowledgement or, wrongly, before.

``python -m benchmarks.gates._writer LEDGER NAME after|before``
"""

from __future__ import annotations

import itertools
import os
import sys
from typing import TYPE_CHECKING

from benchmarks._home import AUTHOR
from perdure.domain.access import Reader
from perdure.domain.change import Add, Draft
from perdure.domain.memory import Channel, Kind, provenance
from perdure.safety.redaction import default_redactor
from perdure.services.write import Door, commit
from perdure.store.sqlite import open_store
from perdure.system.clock import SystemClock
from perdure.system.ids import SystemIds

if TYPE_CHECKING:
    from perdure.ports import Store


def body(name: str, number: int) -> str:
    """The words of a writer's memory."""
    return f"Writer {name} has put crate {number} on the quay."


def addition(name: str, number: int) -> Add:
    """The memory of a number."""
    return Add(Draft(Kind.FACT, body(name, number)), provenance(Channel.HAND), key=f"{name}/{number}")


def door(store: Store) -> Door:
    """The one door over a store."""
    return Door(store, SystemClock(), SystemIds(), default_redactor())


def write(path: str, name: str, order: str) -> None:
    """Write until killed."""
    entry = door(open_store(path))
    for number in itertools.count():
        if order == "before":
            os.write(1, f"{number}\n".encode())
        commit(entry, Reader(AUTHOR), addition(name, number))
        if order == "after":
            os.write(1, f"{number}\n".encode())


if __name__ == "__main__":
    write(*sys.argv[1:])
