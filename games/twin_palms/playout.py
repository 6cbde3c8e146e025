"""Playouts of a round of Twin Palms in which everybody follows the same rules of thumb.

A hand is a list of ascending strengths: its player has split the cards into sets, one for each trick left. A player who
needs n more tricks keeps the n strongest sets for them. This is much faster than playing with cards, and nearly as
accurate.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

NOTHING: Final = -1
"""Strength to beat when no set has been played, or all of them cancel."""


def pick(sets: Sequence[int], need: int, best: int, last: bool) -> int:
    """Return the index of the set to play.

    `need` is how many more tricks the player needs; below 0 the bid is missed, and every trick is welcome. `best` is
    the strength to beat, and `last` is true for the last player of the trick."""
    left = len(sets)
    if need == 0:
        return _lose(sets, best, last)
    if best < sets[-1]:
        return bisect_right(sets, best) if last and best != NOTHING else left - 1
    return left - need - 1 if 0 < need < left else 0


def _lose(sets: Sequence[int], best: int, last: bool) -> int:
    """Return the index of the strongest set that loses.

    If every set wins, it is the strongest one for the last player of the trick, else the weakest."""
    if best == NOTHING:
        return 0
    below = bisect_left(sets, best)
    if below:
        return below - 1
    return len(sets) - 1 if last else 0


def play_out(hands: list[list[int]], need: list[int], leader: int, trick: list[int]) -> None:
    """Play until the hands are empty. All lists change.

    `hands` and `need` (tricks missing from each bid) are by seat. `trick` has the strengths already played, from
    `leader` on."""
    seats = len(hands)
    last = seats - 1
    best = best_of(trick)
    while True:
        for place in range(len(trick), seats):
            seat = (leader + place) % seats
            hand = hands[seat]
            value = hand.pop(pick(hand, need[seat], best, place == last)) if len(hand) > 1 else hand.pop()
            if value == best:
                best = best_of([*trick, value])
            elif value > best and value not in trick:
                best = value
            trick.append(value)
        if best != NOTHING:
            leader = (leader + trick.index(best)) % seats
            need[leader] -= 1
        if not hands[leader]:
            return
        trick, best = [], NOTHING


def best_of(trick: Sequence[int]) -> int:
    """Return the greatest strength that is not cancelled; NOTHING when there is none."""
    return max((value for value in trick if trick.count(value) == 1), default=NOTHING)
