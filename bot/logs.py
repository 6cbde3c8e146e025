"""What the bot writes to its log. No level shows hands, moves before they are public, seeds or the token."""

import logging
from typing import Final

OURS: Final = ("bot", "cogs", "games", "sandbox")
"""Loggers that know what must not be told. Libraries log at DEBUG what they send and keep: every hand is in it."""


def listen_to_log(level: str) -> None:
    """Write to stderr what is logged at `level` and above; of libraries nothing below INFO."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger().setLevel("INFO" if level == "DEBUG" else level)
    for room in OURS:
        logging.getLogger(room).setLevel(level)
