"""Reasons why Twin It! refuses an action, as sentences to the player: the rule, and what is allowed instead."""

from typing import Final

from games.twin_it.actions import FLIP, HAND, HOLD, LIFT, READY, TURN, parts
from games.twin_it.state import ANYBODY, Race, State, Turns
from games.types import Action, Seat

_RESTS: Final = "Your hands are off after a mistake. Wait a few seconds."


def always(action: Action) -> str:
    """Return why every match refuses an action, if it does: "" else."""
    if action < 0:
        return "That is not a move in Twin It!"
    return "You have no hand on a face, so there is none to lift." if action == LIFT else ""


def in_turns(state: Turns, seat: Seat, action: Action) -> str:
    """Return why a game of turns refuses an action."""
    if action == READY:
        return "In this mode nobody has to be ready. Flip on your turn, and lay hands at any time."
    if action == FLIP:
        return _not_flip(state, seat)
    face, kind = parts(action)
    if face not in state.showing:
        return _not_there(state, face)
    if kind != HAND:
        return "In this mode you cannot hold or turn a face. Lay your hands on two faces alike."
    return _RESTS if state.rests[seat] else _named(state, face)


def _not_flip(state: Turns, seat: Seat) -> str:
    if state.turn is None:
        return "All piles are used up. Lay your hands on two faces alike if you find any."
    if not state.piles[seat]:
        return "You have no cards left to flip. You can lay your hands on two faces alike."
    assert state.turn != ANYBODY
    return (
        f"It is not your turn to flip: seat {state.turn + 1} flips now. You can lay your hands on two faces alike at "
        "any time."
    )


def in_race(state: Race, seat: Seat, action: Action) -> str:
    """Return why a race refuses an action."""
    if action == READY:
        return "You are ready already. The race starts when everybody is ready."
    if not state.ends:
        return "The cards are still covered. They are uncovered when everybody has pressed `I am ready`."
    if action == FLIP:
        return "There are no piles in this mode. Turn a card over by its number, as in `turn 12`."
    face, kind = parts(action)
    if face not in state.showing:
        return _not_there(state, face)
    if kind == TURN:
        return f"Face {face} is a won set. You can turn over only cards of the spread."
    return _RESTS if state.rests[seat] else _not_named(state, seat, face, kind)


def _not_named(state: Race, seat: Seat, face: int, kind: int) -> str:
    if any(hand.face == face for hand in state.hands[seat]):
        return _named(state, face)
    if kind == HOLD and state.face(state.showing[face]).owner in (None, state.side(seat)):
        return "`hold` is for the second of three faces: `hand 12`, `hold 87`, `hand 130`."
    return f"Face {face} is another player's pair. In this mode you cannot rob a pair."


def _not_there(state: State, face: int) -> str:
    if face > state.last:
        return f"There is no face {face} yet. Name a number that shows."
    return f"Face {face} has gone. This costs you nothing. Name a number that shows."


def _named(state: State, face: int) -> str:
    whose = "Your team's" if state.options.mode == "teams" else "Your"
    return f"{whose} hand is on {face} already. Lay the other hand on a face alike."
