"""The program that hosts call for every event: a few lines of shell around this very Python."""

from __future__ import annotations

import os
import shlex
import sys


def launcher() -> str:
    """The hook's launcher: this interpreter without site packages, and only the two directories the hook imports from.

    Hosts keep the launcher's path in their settings, so it stays where it is when Perdure is upgraded. A Perdure that
    is gone must not disturb its hosts: then the launcher does nothing.
    """
    import apsw

    import perdure

    folders = {os.path.dirname(os.path.dirname(os.path.abspath(module.__file__ or ""))) for module in (perdure, apsw)}
    code = (
        f"import sys\nsys.path += {sorted(folders)!r}\ntry:\n    from perdure.hook import main\n"
        "except ImportError:\n    sys.exit(0)\nmain()\n"
    )
    python = shlex.quote(sys.executable)
    return f'#!/bin/sh\n[ -x {python} ] || exit 0\nexec {python} -I -S -c {shlex.quote(code)} "$@"\n'
