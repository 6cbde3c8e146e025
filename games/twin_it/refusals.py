"""Reasons why Twin It! refuses an action, as sentences to the player."""

from games.twin_it.actions import FLIP, HAND, HOLD, LIFT, READY, TURN, parts
from games.twin_it.state import ANYBODY, State
from games.types import SEATS, Action, Seat


def why_not(state: State, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action < 0:
        return "That is not a move in Twin It!"
    if action == READY:
        return _not_ready(state)
    if action == LIFT:
        return "You have no hand on a face, so there is none to lift."
    if state.options.against_time and not state.ends:
        return "The cards are still covered. They are uncovered when everybody has pressed `I am ready`."
    if action == FLIP:
        return _not_flip(state, seat)
    return _not_face(state, seat, *parts(action))


def _not_ready(state: State) -> str:
    if state.options.against_time:
        return "You are ready already. The race starts when everybody is ready."
    return "In this mode nobody has to be ready. Flip on your turn, and lay hands at any time."


def _not_flip(state: State, seat: Seat) -> str:
    if state.options.against_time:
        return "There are no piles in this mode. Turn a card over by its number, as in `turn 12`."
    if state.turn is None:
        return "All piles are used up. Lay your hands on two faces alike if you find any."
    if not state.piles[seat]:
        return "You have no cards left to flip. You can lay your hands on two faces alike."
    assert state.turn != ANYBODY
    return (
        f"It is not your turn to flip: seat {state.turn + 1} flips now. You can lay your hands on two faces alike at "
        "any time."
    )


def _not_face(state: State, seat: Seat, face: int, kind: int) -> str:
    if face > state.last:
        return f"There is no face {face} yet. Name a number that shows."
    if face not in state.showing:
        return f"Face {face} has gone. This costs you nothing. Name a number that shows."
    if not state.options.against_time and kind != HAND:
        return "In this mode you cannot hold or turn a face. Lay your hands on two faces alike."
    if kind == TURN:
        return f"Face {face} is a won set. You can turn over only cards of the spread."
    if state.rests[seat]:
        return "Your hands are off after a mistake. Wait a few seconds."
    return _not_hand(state, seat, face, kind)


def _not_hand(state: State, seat: Seat, face: int, kind: int) -> str:
    team = state.options.mode == "teams"
    if any(hand.face == face for other in _partners(state, seat) for hand in state.hands[other]):
        whose = "Your team's" if team else "Your"
        return f"{whose} hand is on {face} already. Lay the other hand on a face alike."
    if kind == HOLD and state.won(state.showing[face]) in (None, state.side(seat)):
        return "`hold` is for the second of three faces: `hand 12`, `hold 87`, `hand 130`."
    return f"Face {face} is another player's pair. In this mode you cannot rob a pair."


def _partners(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats whose hands count together with those of `seat`."""
    if state.options.mode == "teams":
        return SEATS[state.side(seat) : state.seats : state.sides]
    return (seat,)
