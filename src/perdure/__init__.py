"""Perdure: one lasting memory for every coding agent a person or a team uses."""

from __future__ import annotations

__version__ = "0.1.0"
