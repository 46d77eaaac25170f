"""The services: one use case a module, over the ports.

``write`` is the one door; ``recall``, ``context`` and ``prompting`` read; ``capture``, ``extract``, ``history`` and
``importing`` take in; ``work`` is the worker's round; ``projects`` says where a session belongs.
"""

from __future__ import annotations
