"""Words and places of sides. Engines place players, as stored logs have it; people are told the places of sides."""

from collections.abc import Sequence
from dataclasses import replace

from games.contract import Outcome, ranked
from games.phrases import listed


def side_placings(placings: Sequence[int], sides: Sequence[int]) -> tuple[int, ...]:
    """Return the placing of each seat's side among the sides: partners behind one other pair are 2nd, and not 3rd as
    among players. `sides` is by seat, as in `Game.sides`."""
    best = dict(zip(sides, placings, strict=True))
    ranks = dict(zip(best, ranked([-placing for placing in best.values()]), strict=True))
    return tuple(ranks[side] for side in sides)


def by_side(outcome: Outcome, sides: Sequence[int]) -> Outcome:
    """Return an outcome with the placings of sides, as people are told."""
    return replace(outcome, placings=side_placings(outcome.placings, sides))


def opponents(names: Sequence[str], sides: Sequence[int]) -> str:
    """Return "Ann and Cleo play against Ben and Dan"; three sides play against each other. Both are by seat."""
    teams = [
        listed(name for name, own in zip(names, sides, strict=True) if own == side)
        for side in dict.fromkeys(sides)
    ]
    return f"{teams[0]} play against {' and against '.join(teams[1:])}"
