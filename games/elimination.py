"""Games in which players go out deal by deal until one is left: whose turn it is, and who comes where.

`out` has by seat the deal in which that seat went out, and 0 for those still in.
"""

from collections.abc import Sequence

from games.contract import ranked


def left_of(seat: int, out: Sequence[int]) -> int:
    """The next seat to the left that is still in; `seat` itself when nobody else is. ValueError when all are out."""
    return [*out, *out].index(0, seat + 1) % len(out)


def placings(out: Sequence[int], merits: Sequence[int]) -> tuple[int, ...]:
    """Who is still in comes before who went out, later before earlier, then greater before lesser merit."""
    latest = max(out) + 1
    return ranked([(deal or latest, merit) for deal, merit in zip(out, merits, strict=True)])


def explained(out: Sequence[int]) -> str:
    """A sentence on the places of who went out, with a space before it; "" where there is nothing to explain."""
    deals = {deal for deal in out if deal}
    return " Whoever lasted longer is placed higher." * (len(deals) > 1)
