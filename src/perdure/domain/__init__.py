"""The domain: pure values and rules, standard library only, no clock, no files, no engine."""

from __future__ import annotations
