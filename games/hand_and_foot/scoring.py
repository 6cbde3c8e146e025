"""The score of a deal, side by side."""

from collections.abc import Sequence
from typing import Final

from games.hand_and_foot.cards import POINTS, RED_THREES, points
from games.hand_and_foot.events import SideScore
from games.hand_and_foot.state import State, is_clean, sides
from games.types import SEATS, Seat

CLEAN: Final = 500
DIRTY: Final = 300
RED_THREE: Final = 100
OUT: Final = 100


def held(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the cards left in hand and foot, by seat."""
    return tuple(tuple(sorted([*hand, *foot])) for hand, foot in zip(state.hands, state.feet, strict=True))


def scores(state: State, out: Seat | None) -> tuple[SideScore, ...]:
    """Return the scores of all sides in a deal that `out` (or nobody) ended by going out."""
    of = sides(state.seats)
    left = held(state)
    return tuple(
        _score(state, side, [seat for seat in SEATS[: state.seats] if of[seat] == side], left, out)
        for side in range(max(of) + 1)
    )


def _score(
    state: State, side: int, seats: Sequence[Seat], left: Sequence[Sequence[int]], out: Seat | None
) -> SideScore:
    piles = state.piles[side]
    clean = sum([is_clean(pile) for pile in piles])
    dirty = len(piles) - clean
    melded = sum(map(points, piles)) + sum(map(points, state.melds[side]))
    reds = sum([len(state.reds[seat]) for seat in seats])
    lost = sum([penalty(left[seat]) for seat in seats])
    won = out in seats
    total = CLEAN * clean + DIRTY * dirty + melded + RED_THREE * reds + OUT * won - lost
    return SideScore(tuple(seats), clean, dirty, melded, reds, won, lost, total, state.totals[side] + total)


def penalty(left: Sequence[int]) -> int:
    """Return the points lost for cards left over; a red three, which only a foot can hold, costs 100."""
    return sum([RED_THREE if card in RED_THREES else POINTS[card] for card in left])
