"""How the random tests of the rules are run."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no failure: time is measured by bench.py, not here.
settings.register_profile("scoring", deadline=None)
settings.load_profile("scoring")
