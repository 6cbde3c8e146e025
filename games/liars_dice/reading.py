"""Guesses of the cups of others from their bids."""

from collections.abc import Sequence
from math import prod
from random import Random
from typing import Final, TypeAlias

from games.liars_dice.actions import FACE, FACES, ONE
from games.liars_dice.thumb import Round, support
from games.types import Action, Seat

Cups: TypeAlias = tuple[list[list[int]], list[float]]
"""Matching dice by face of the cups that a player may have, and a weight for each."""

SAMPLE: Final = 60
"""Number of cups that are drawn for a player, to be weighed by its bids."""
MORE: Final = 0.7
"""Weight of a cup with which the rules of thumb would bid more dice of the face; 1 if they would make this bid."""
RULED: Final = 3.0
"""Odds that a player follows the rules of thumb."""
OTHER: Final = 0.05
"""Weight of any other cup."""
HELD: Final = (0.08, 0.08, 0.26, 0.66, 1.0, 1.0)
"""Weights of cups by the dice that match a bid, if its player does not follow the rules of thumb."""


def weighed_cups(
    dice: Sequence[int], seat: Seat, bids: Sequence[tuple[Seat, Action]], rng: Random, *, wild: bool
) -> Cups:
    """Return random cups of a seat, and how probable each is after the bids of that seat.

    The seat follows the rules of thumb, or bids what it holds in a way of its own."""
    cups = [support(rng.choices(FACES, k=dice[seat]), wild=wild) for _ in range(SAMPLE)]
    moments = [
        (Round(dice, seat, bids[:n], wild=wild), action)
        for n, (bidder, action) in enumerate(bids)
        if bidder == seat
    ]
    ruled = [prod(_fit(moment, action, cup) for moment, action in moments) for cup in cups]
    # Ones are bid as a way out as often as for holding them.
    faces = {FACE[action] for _, action in moments if FACE[action] != ONE or not wild}
    free = [prod(HELD[cup[face]] for face in faces) for cup in cups]
    return cups, [
        RULED * one / sum(ruled) + other / sum(free) for one, other in zip(ruled, free, strict=True)
    ]


def _fit(moment: Round, action: Action, cup: list[int]) -> float:
    """Return how well a cup fits a bid by the rules of thumb."""
    moment.own[moment.turn] = cup
    choice = moment.choose()
    if choice == action:
        return 1.0
    return MORE if choice > action and FACE[choice] == FACE[action] else OTHER
