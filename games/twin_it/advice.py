"""Strategy for Twin It!: find a match and take it; flip when there is none.

Everything that can be known is visible, so there is nothing to search. Players differ in how soon they see a match: see
`turn_player` for games of turns, `race_player` for races and `skill` for the strengths of computers.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from games.advice import Advice, Expired, RealTimePlayer, Strategy, Strength
from games.twin_it.actions import FLIP, LIFT, READY, TURN, on, parts
from games.twin_it.matching import laid_hand, never_matches
from games.twin_it.race_player import RacePlayer
from games.twin_it.skill import SKILLS
from games.twin_it.state import Face
from games.twin_it.turn_player import TurnPlayer
from games.twin_it.view import View
from games.types import Action


class TwinItStrategy(Strategy[View]):
    """Lay the second hand on a match of the first, or the first on one of two matching faces; else turn a card."""

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:
        pair = _pair(view, legal)
        if pair is None:
            return _otherwise(legal)
        hand, match = pair
        return Advice(on(hand.number), f"{hand.number} and {match.number} match.")

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        # A beginner overlooks matches. (Mistakes of computers during play depend on their skill.)
        return _otherwise(legal).action

    def think(self, view: View, legal: Sequence[Action], rng: Random, expired: Expired) -> Advice:  # noqa: ARG002
        return self.advise(view, legal)

    def real_time_player(self, view: View, strength: Strength, seed: str) -> RealTimePlayer[View]:
        return (RacePlayer if view.options.against_time else TurnPlayer)(SKILLS[strength], seed)


def _pair(view: View, legal: Sequence[Action]) -> tuple[Face, Face] | None:
    """Return the face for this seat's next hand and the face that it matches, the newest if there are several."""
    free = [face for face in view.faces[::-1] if on(face.number) in legal and not never_matches(view, face)]
    laid = laid_hand(view)
    if laid is None:
        return next(
            ((one, other) for one, other in combinations(free, 2) if one.design == other.design), None
        )
    if view.options.mode == "teams" and laid.seat == view.seat:
        return None  # a team mate must lay the second hand
    own = next(face for face in view.faces if face.number == laid.face)
    return next(((face, own) for face in free if face.design == own.design), None)


def _otherwise(legal: Sequence[Action]) -> Advice:
    """Return what to do when nothing matches."""
    if READY in legal:
        return Advice(READY, "The race starts when everybody is ready.")
    if FLIP in legal:
        return Advice(FLIP, "Nothing matches. The next card may match.")
    if LIFT in legal:
        return Advice(LIFT, "No face matches the one under your hand any more.")
    turns = [action for action in legal if parts(action)[1] == TURN]
    if turns:
        return Advice(turns[0], "Nothing matches. The other side of a card may match.")
    return Advice(legal[0], "Nothing matches. A single hand costs nothing.")


STRATEGY: Final = TwinItStrategy()
