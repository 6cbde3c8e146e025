"""Reliability: how many of their latest matches a person has finished, in words. Pure.

A person finishes a match unless they left it, handed their seat over, or let a computer play most of it and did not
come back. Time in which the bot or Discord was away moves every deadline, so it never makes anybody unreliable.
"""

from collections.abc import Sequence
from typing import Final

from bot.standings.ratings import DAY

MATCHES: Final = 20
"""Number of latest matches that count."""
SPAN: Final = 90 * DAY
"""Time in ms after which a match no longer counts."""
ENOUGH: Final = 10
"""Number of matches below which nothing is said."""


def reliability(finishes: Sequence[bool]) -> str:
    """Return "finishes 19 of the last 20", or "" for fewer than ENOUGH matches. One lapse is forgiven: it counts as
    finished.

    `finishes` says of each match in the window whether the person finished it."""
    matches = len(finishes)
    if matches < ENOUGH:
        return ""
    return f"finishes {min(matches, sum(finishes) + 1)} of the last {matches}"
