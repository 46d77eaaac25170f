"""The vault room: git. Today it tells which project a directory is and what its history says.

Repositories of the user are read and never written.
"""

from __future__ import annotations
