"""How Twin It! is played well: see what matches, take it, and flip when nothing does.

All that can be known lies open, so there is nothing to search. What tells players apart is how much of it they see;
how soon they look is no business of a mind's.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import Final

from games.advice import Advice, Expired, Mind
from games.twin_it.actions import FLIP, LIFT, READY, TURN, on, parts
from games.twin_it.designs import NAMES
from games.twin_it.state import Face
from games.twin_it.view import View

FAMILY: Final = 7
"""Designs of a family of near-twins, see `designs`."""
GUESSES: Final = 4
"""Of so many looks a beginner's ends once with a hand on something that looks right."""


class TwinItMind(Mind[View]):
    """The second hand goes on a match of the first, the first one on one of a pair; else there is a card to turn."""

    def advise(self, view: View, legal: Sequence[int]) -> Advice:
        pair = _pair(view, legal, lambda face: face.design)
        if pair is None:
            return _otherwise(legal)
        hand, match = pair
        return Advice(on(hand.number), f"{hand.number} and {match.number} are both *{NAMES[hand.design]}*.")

    def blunder(self, view: View, legal: Sequence[int], rng: Random) -> int:
        # A beginner takes near-twins for twins, or looks past what is there.
        pair = None if rng.randrange(GUESSES) else _pair(view, legal, lambda face: face.design // FAMILY)
        return on(pair[0].number) if pair else _otherwise(legal).action

    def think(self, view: View, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:  # noqa: ARG002
        return self.advise(view, legal)


def _pair(view: View, legal: Sequence[int], look: Callable[[Face], int]) -> tuple[Face, Face] | None:
    """A face on which this seat's next hand belongs, and the one that looks the same; the newest that is free."""
    free = [face for face in view.faces[::-1] if on(face.number) in legal and not _barred(view, face)]
    lying = _lying(view)
    if lying is None:
        return next(((one, other) for one, other in combinations(free, 2) if look(one) == look(other)), None)
    member, own = lying
    if view.options.mode == "teams" and member == view.seat:
        return None  # the second hand is a team mate's
    return next(((face, own) for face in free if look(face) == look(own)), None)


def _lying(view: View) -> tuple[int, Face] | None:
    """The hand that lies for this seat, with whose it is: its own one, or in a game of turns one of its side's."""
    seat, sides = view.seat or 0, len(view.sets)
    mates = [seat] if view.options.against_time else range(seat % sides, len(view.hands), sides)
    shown = {face.number: face for face in view.faces}
    return next(((mate, shown[hand.face]) for mate in mates for hand in view.hands[mate]), None)


def _barred(view: View, face: Face) -> bool:
    """Whether a face never matches for this seat."""
    if (view.seat or 0) % len(view.sets) != view.barred_side:
        return False
    return any(other.place == "barred" and other.design == face.design for other in view.faces)


def _otherwise(legal: Sequence[int]) -> Advice:
    """What to do when nothing matches."""
    if READY in legal:
        return Advice(READY, "The spread is uncovered when everybody is ready.")
    if FLIP in legal:
        return Advice(FLIP, "Nothing matches; the next card may.")
    if LIFT in legal:
        return Advice(LIFT, "Nothing matches your hand any more.")
    turns = [action for action in legal if parts(action)[1] == TURN]
    if turns:
        return Advice(turns[0], "Nothing matches; the other side of a card may.")
    return Advice(legal[0], "Nothing matches; one hand that waits costs nothing.")


MIND: Final = TwinItMind()
