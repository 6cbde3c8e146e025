"""promtool, Prometheus' own checker: run it, and skip tests without it."""

import os
import shutil
import subprocess

import pytest

PROMTOOL = shutil.which("promtool")
MISSING = (
    "promtool is not there, so metrics and alert rules are not checked; scripts/install-promtool installs it."
)


def promtool(*arguments: str, given: str = "") -> str:
    """Run promtool with a text on stdin and return what it printed; it must find no fault.

    Where it is not installed, skip the test; in CI fail instead."""
    if PROMTOOL is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    done = subprocess.run((PROMTOOL, *arguments), input=given, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said
