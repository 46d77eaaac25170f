"""Safety: what is taken out of every text, and how what is given is fenced. Pure functions.

``defang`` removes what cannot be seen, ``fence`` marks what we give and strips it again. ``redaction`` takes secrets
out: ``prefilter`` finds the keywords of a text, ``rulebook`` runs the rules that wait for them, ``shapes`` knows
tokens by their form, ``names``, ``places``, ``words``, ``speech`` and ``forms`` know them by what stands around them,
``blocks`` knows keys of several lines; ``lazy`` compiles an expression when it is first needed.
"""

from __future__ import annotations
