"""How the house starts a process of its own: with Python's path and nothing else of what it knows itself."""

import os
import sys


def command(module: str) -> tuple[str, ...]:
    """What runs a module of the house."""
    return sys.executable, "-m", module


def environment() -> dict[str, str]:
    """No setting and no secret."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
