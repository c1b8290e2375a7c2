"""How the random tests of the rules are run."""

from __future__ import annotations

import os

from hypothesis import settings

IS_LONG = os.environ.get("KOMPPA_LONG") == "1"

# A busy machine is no failure: time is measured by bench.py, not here.
settings.register_profile("scoring", deadline=None, max_examples=400 if IS_LONG else 40)
settings.load_profile("scoring")
