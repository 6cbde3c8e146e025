"""Games in which players go out one by one until one is left.

`out` is by seat: the deal in which the seat went out, or 0 while it is in.
"""

from collections.abc import Sequence

from games.contract import ranked
from games.types import SEATS, Seat


def left_of(seat: Seat, out: Sequence[int]) -> Seat:
    """Return the next seat to the left that is still in, `seat` itself if no other is.

    Raises ValueError when all seats are out.
    """
    return SEATS[[*out, *out].index(0, seat + 1) % len(out)]


def placings(out: Sequence[int], merits: Sequence[int]) -> tuple[int, ...]:
    """Return placings by seat: seats still in come first, then those that went out later; then merit decides."""
    latest = max(out) + 1
    return ranked([(deal or latest, merit) for deal, merit in zip(out, merits, strict=True)])


def placing_reason(out: Sequence[int]) -> str:
    """Return a sentence, after a space, on the places of those who went out in different deals; else ""."""
    deals = {deal for deal in out if deal}
    return " Whoever lasted longer is placed higher." * (len(deals) > 1)
