"""Settings for all tests: modules stay compiled; Hypothesis has no deadlines, and in CI always the same examples."""

import os
import sys

from hypothesis import settings

# The tests start the bot hundreds of times. Without compiled modules each start would compile all of it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
