"""The command that starts the bot, for texts that say what to run."""

from pathlib import Path
from typing import Final

PACKAGES: Final = ("site-packages", "dist-packages")
"""Names of the folders in which packages are installed."""


def command(folder: Path) -> str:
    """Return the command of a bot whose code lies in `folder`: a package has one of its own."""
    return "palmhouse" if folder.name in PACKAGES else "python -m bot"


PROGRAM: Final = command(Path(__file__).parents[1])
