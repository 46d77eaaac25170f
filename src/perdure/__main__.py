"""``python -m perdure``."""

from __future__ import annotations

from perdure.cli import main

main()
