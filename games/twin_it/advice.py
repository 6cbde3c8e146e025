"""How Twin It! is played well: see what matches, take it, and flip when nothing does.

All that can be known lies open, so there is nothing to search. What tells players apart is how soon they see it: see
`watching` for games of turns, `leafing` for races, `sight` for how good computers are at either.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from games.advice import Advice, Expired, RealTimePlayer, Strategy
from games.strategies import Strength
from games.twin_it.actions import FLIP, LIFT, READY, TURN, on, parts
from games.twin_it.leafing import Reader
from games.twin_it.sight import SIGHTS, alike, is_beyond, lying
from games.twin_it.state import Face
from games.twin_it.view import View
from games.twin_it.watching import Watcher


class TwinItStrategy(Strategy[View]):
    """The second hand goes on a match of the first, the first one on one of a pair; else there is a card to turn."""

    def advise(self, view: View, legal: Sequence[int]) -> Advice:
        pair = _pair(view, legal)
        if pair is None:
            return _otherwise(legal)
        hand, match = pair
        return Advice(on(hand.number), f"{hand.number} and {match.number} match.")

    def blunder(self, view: View, legal: Sequence[int], rng: Random) -> int:  # noqa: ARG002
        # A beginner looks past what is there. (What computers mistake in play is up to their sight.)
        return _otherwise(legal).action

    def think(self, view: View, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:  # noqa: ARG002
        return self.advise(view, legal)

    def real_time_player(self, view: View, strength: Strength, seed: str) -> RealTimePlayer[View]:
        return (Reader if view.options.against_time else Watcher)(SIGHTS[strength], seed)


def _pair(view: View, legal: Sequence[int]) -> tuple[Face, Face] | None:
    """A face on which this seat's next hand belongs, and the one it matches; the newest that is free."""
    free = [face for face in view.faces[::-1] if on(face.number) in legal and not is_beyond(view, face)]
    laid = lying(view)
    if laid is None:
        return next(((one, other) for one, other in combinations(free, 2) if alike(one, other)), None)
    member, hand = laid
    if view.options.mode == "teams" and member == view.seat:
        return None  # the second hand is a team mate's
    own = next(face for face in view.faces if face.number == hand.face)
    return next(((face, own) for face in free if alike(face, own)), None)


def _otherwise(legal: Sequence[int]) -> Advice:
    """What to do when nothing matches."""
    if READY in legal:
        return Advice(READY, "The race starts when everybody is ready.")
    if FLIP in legal:
        return Advice(FLIP, "Nothing matches. The next card may.")
    if LIFT in legal:
        return Advice(LIFT, "Nothing matches your hand any more.")
    turns = [action for action in legal if parts(action)[1] == TURN]
    if turns:
        return Advice(turns[0], "Nothing matches. The other side of a card may.")
    return Advice(legal[0], "Nothing matches. One hand that waits costs nothing.")


STRATEGY: Final = TwinItStrategy()
