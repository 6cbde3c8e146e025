"""Playing a round of Twin Palms out, set by set, with everybody following the same rules of thumb.

A hand is the ascending strengths of the sets its player has made of it, as many as tricks are left; who needs n more
tricks keeps the n strongest for them. That is far quicker than playing with cards, and nearly as true.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

NOTHING: Final = -1
"""The strength to beat when no set lies, or all that lie cancel."""


def pick(sets: Sequence[int], need: int, best: int, last: bool) -> int:
    """The place of the set to play, for a player who needs so many more tricks: none when 0, and whose bid is missed
    when below 0, so that every trick is welcome. `best` is the strength to beat; `last` plays last in the trick."""
    left = len(sets)
    if need == 0:
        return _lose(sets, best, last)
    if best < sets[-1]:
        return bisect_right(sets, best) if last and best != NOTHING else left - 1
    return left - need - 1 if 0 < need < left else 0


def _lose(sets: Sequence[int], best: int, last: bool) -> int:
    """The strongest set that loses; one that must win is the strongest when nobody follows, else the weakest."""
    if best == NOTHING:
        return 0
    below = bisect_left(sets, best)
    if below:
        return below - 1
    return len(sets) - 1 if last else 0


def play_out(hands: list[list[int]], need: list[int], leader: int, trick: list[int]) -> None:
    """Play until the hands are empty; all lists change. `hands` and `need` are by seat, `need` is what is missing
    from each bid. `trick` has the strengths that lie already, from `leader` on."""
    seats = len(hands)
    last = seats - 1
    while True:
        best = best_of(trick)
        for place in range(len(trick), seats):
            seat = (leader + place) % seats
            hand = hands[seat]
            value = hand.pop(pick(hand, need[seat], best, place == last) if len(hand) > 1 else 0)
            trick.append(value)
            if value > best:
                best = value if trick.count(value) == 1 else best
            elif value == best:
                best = best_of(trick)
        if best != NOTHING:
            leader = (leader + trick.index(best)) % seats
            need[leader] -= 1
        if not hands[leader]:
            return
        trick = []


def best_of(trick: Sequence[int]) -> int:
    """The strongest set that is not cancelled."""
    return max((value for value in trick if trick.count(value) == 1), default=NOTHING)
