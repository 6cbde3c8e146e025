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
from games.twin_it.state import Face, Hand
from games.twin_it.turn_player import TurnPlayer
from games.twin_it.view import View
from games.types import Action


class TwinItStrategy(Strategy[View]):
    """Lay the second hand on a match of the first, or the first on one of two matching faces; else turn a card."""

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:
        pair = _pair(view, legal)
        if pair is None:
            return _otherwise(view, legal)
        hand, match = pair
        return Advice(on(hand.number), f"{hand.number} and {match.number} match.")

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        # A beginner overlooks matches. (Mistakes of computers during play depend on their skill.)
        return _otherwise(view, legal).action

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
    named = _named(view, laid)
    if len({face.design for face in named}) > 1:
        return None  # the claim of a race is wrong already
    return next(((face, named[0]) for face in free if face.design == named[0].design), None)


def _named(view: View, laid: Hand) -> list[Face]:
    """Return the face under a hand, in a race with the second one that its player has named, if any."""
    return [next(face for face in view.faces if face.number == hand.face) for hand in view.hands[laid.seat]]


def _otherwise(view: View, legal: Sequence[Action]) -> Advice:
    """Return what to do when this seat has no hand to lay."""
    if READY in legal:
        return Advice(READY, "The race starts when everybody is ready.")
    laid = laid_hand(view)
    if laid is None:
        return _uncovering(view, legal)
    under, *second = _named(view, laid)
    if second:
        return Advice(LIFT, _why_no_third(under, *second))
    is_own, has_match = laid.seat == view.seat, _has_match(view, under)
    whose = "your hand" if is_own else "the hand of a team mate"
    why = f"No face matches the one under {whose}."
    if never_matches(view, under):
        why = f"The design under {whose} is forbidden for you."
    if is_own and not (view.options.mode == "teams" and has_match):
        return Advice(LIFT, why)
    if has_match:
        why = f"{whose.capitalize()} waits for another one on its match, which you cannot lay now."
    if FLIP in legal:
        return Advice(FLIP, f"{why} You may flip meanwhile.")
    return Advice(legal[0], f"{why} Wait.", waits=True)


def _why_no_third(first: Face, second: Face) -> str:
    """Return why a player who has named two faces should lift the hands."""
    both = f"{first.number} and {second.number}"
    if first.design != second.design:
        return f"{both} do not match, so a claim with them is a mistake."
    return f"{both} match, but no third face does. Claim only these two."


def _has_match(view: View, under: Face) -> bool:
    """Return whether another face matches the one under a hand."""
    alike = (face for face in view.faces if face.design == under.design and face is not under)
    return any(alike) and not never_matches(view, under)


def _uncovering(view: View, legal: Sequence[Action]) -> Advice:
    """Return what to do when no hand lies and nothing matches, or hands are off."""
    none = "Nothing matches"
    if any(never_matches(view, face) for face in view.faces):
        none = "Nothing matches for you"
    if view.rests[view.seat or 0]:
        none = "Your hands are off"
    if FLIP in legal:
        return Advice(FLIP, f"{none}. The next card may match.")
    turns = [action for action in legal if parts(action)[1] == TURN]
    if turns:
        return Advice(turns[0], f"{none}. The other side of a card may match.")
    return Advice(legal[0], f"{none}. A single hand costs nothing.")


STRATEGY: Final = TwinItStrategy()
