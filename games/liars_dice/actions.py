"""Actions of Liar's Dice as small ints: 0 doubts, 1 calls calza, the others bid a quantity of a face.

Bids are numbered by quantity, then by face. `is_higher` decides whether one bid is higher than another.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from games.types import Action, Seat

DICE: Final = 5
"""Dice of a full cup."""
MOST_SEATS: Final = 6
MOST_DICE: Final = MOST_SEATS * DICE
FACES: Final = range(1, 7)
ONE: Final = 1
"""The face that is wild."""
ANY_FACE: Final = 0

NO_BID: Final = Action(-1)
DOUBT: Final = Action(0)
CALZA: Final = Action(1)
BID: Final = 2
"""Action that bids one one; the other bids follow in order."""
ACTIONS: Final = tuple(map(Action, range(BID + MOST_DICE * len(FACES))))
BIDS: Final = ACTIONS[BID:]

QUANTITY: Final = (0, 0, *(quantity for quantity in range(1, MOST_DICE + 1) for _ in FACES))
"""Quantity of each bid, by action."""
FACE: Final = (ANY_FACE, ANY_FACE, *(face for _ in range(MOST_DICE) for face in FACES))
"""Face of each bid, by action."""
TEXT: Final = ("doubt", "calza", *(f"bid {QUANTITY[action]}x{FACE[action]}" for action in BIDS))
"""Text of every action, as in the log."""


def bid(quantity: int, face: int) -> Action:
    """Return the action that bids this."""
    return ACTIONS[BID + (quantity - 1) * len(FACES) + face - 1]


def is_higher(bid: Action, standing: Action, *, wild: bool) -> bool:
    """Return whether a bid is higher than the standing one. `wild` tells whether ones are wild."""
    quantity, least = QUANTITY[bid], QUANTITY[standing]
    if wild and FACE[standing] != ONE and FACE[bid] == ONE:
        return 2 * quantity >= least
    if wild and FACE[standing] == ONE and FACE[bid] != ONE:
        return quantity >= 2 * least + 1
    return quantity > least or (quantity == least and FACE[bid] > FACE[standing])


def matching(cup: Sequence[int], face: int, *, wild: bool) -> int:
    """Return how many dice of a cup match bids on a face. `wild` tells whether ones are wild."""
    return cup.count(face) + (cup.count(ONE) if wild and face != ONE else 0)


@cache
def raises(standing: Action, dice: int, *, wild: bool, face: int = ANY_FACE) -> tuple[Action, ...]:
    """Return the bids that are higher than `standing` while `dice` are in play, sorted; all opening bids after NO_BID.

    Only bids of `face` are returned, if it is given.
    """
    bids = [action for action in BIDS if QUANTITY[action] <= dice and face in (ANY_FACE, FACE[action])]
    if standing == NO_BID:
        return tuple(action for action in bids if not (wild and FACE[action] == ONE))
    return tuple(action for action in bids if is_higher(action, standing, wild=wild))


def fixed_face(standing: Action, dice: int, *, palifico: bool) -> int:
    """Return the only face that a player with this many dice may bid on; ANY_FACE if the choice is free."""
    return FACE[standing] if palifico and standing != NO_BID and dice > 1 else ANY_FACE


def allowed(standing: Action, dice: Sequence[int], seat: Seat, *, palifico: bool) -> tuple[Action, ...]:
    """Return the bids that `seat` may make on its turn, sorted. `dice` has the size of each cup."""
    face = fixed_face(standing, dice[seat], palifico=palifico)
    return raises(standing, sum(dice), wild=not palifico, face=face)


def lowest(bids: Sequence[Action]) -> dict[int, Action]:
    """Return the bid of the smallest quantity for each face that these sorted bids have, by face."""
    found: dict[int, Action] = {}
    for action in bids:
        found.setdefault(FACE[action], action)
    return dict(sorted(found.items()))
