"""Refusals of Palmer: the rule that forbids an action, and what is allowed instead."""

from games import french
from games.palmer.actions import ACTIONS, FACE_DOWN, PLACE, PLACE_NAMES, WAY, WHERE
from games.palmer.state import NO_CARD, State
from games.phrases import not_your_turn
from games.types import Action, Seat


def why_not(state: State, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action not in ACTIONS:
        return "That is not a move in Palmer. Take the pile's top card, draw, or turn a card over."
    if state.out[seat]:
        return f"You are out with {state.totals[seat]} points. You can watch the others."
    if seat != state.turn:
        return not_your_turn(state.turn)
    if state.drawn != NO_CARD and WAY[action] != PLACE:
        drawn = french.SIGN[state.drawn]
        return f"You drew {drawn} and must keep it: choose which of your face-down cards it replaces."
    if state.drawn == NO_CARD and WAY[action] == PLACE:
        return (
            "You have not drawn a card yet. Take the pile's top card, draw from the stock, or turn over one of your "
            "face-down cards."
        )
    down = ", ".join(PLACE_NAMES[place] for place in FACE_DOWN[state.up[seat]])
    return f"Your {PLACE_NAMES[WHERE[action]]} card lies face up and stays. Choose one that is face down: {down}."
